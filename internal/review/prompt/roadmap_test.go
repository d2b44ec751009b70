package prompt

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

const roadmap = `# Roadmap

Intro that mentions csv-import in passing.

## Milestone 1

### Feature 1: User Authentication

Log in and out.

#### Details

More.

### Feature 2: CSV import

Reads files.

## Milestone 2

### 3. Reports

Monthly; needs payments-export first.

Setext title
------------

Body.

- list item
---

1. Numbered
===

> quoted
---

` + "```\n## Not a heading: Billing\n```\n"

// specNamed is the spec of a feature.
func specNamed(feature string) workflow.Artifact {
	return workflow.Artifact{Type: workflow.Spec, Feature: feature, SpecPath: "specs/todo/" + feature + ".md"}
}

func TestFeatureSection(t *testing.T) {
	for _, c := range []struct{ name, feature, spec, title string }{
		{"by the file's name", "user-authentication", "", "Feature 1: User Authentication"},
		{"by underscores", "csv_import", "", "Feature 2: CSV import"},
		{"by number alone", "reports", "", "3. Reports"},
		{"by the spec's title", "auth-v2", "# Spec: User authentication\n", "Feature 1: User Authentication"},
		{"by mention", "payments-export", "", "3. Reports"},
		{"underlined heading", "setext-title", "", "Setext title"},
		{"not in code", "billing", "", "Setext title"},
		{"a list item above a rule", "list-item", "", "Setext title"},
		{"nowhere", "weather", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := featureSection(roadmap, specNamed(c.feature), c.spec)
			if got.Title != c.title || ok != (c.title != "") {
				t.Errorf("section %q, %t; want %q", got.Title, ok, c.title)
			}
		})
	}
}

func TestASectionHoldsItsSubsections(t *testing.T) {
	got, _ := featureSection(roadmap, specNamed("user-authentication"), "")
	want := "### Feature 1: User Authentication\n\nLog in and out.\n\n#### Details\n\nMore.\n"
	if got.body != want {
		t.Errorf("body %q, want %q", got.body, want)
	}
}

func FuzzSections(f *testing.F) {
	f.Add(roadmap, "user-authentication")
	f.Add("# \n## x\n===\n", "x")
	f.Add("> # quoted\n- # item\n", "quoted")
	f.Fuzz(func(t *testing.T, doc, feature string) {
		for _, s := range sections(doc) {
			if !strings.Contains(doc+"\n", strings.TrimSuffix(s.body, "\n")) {
				t.Errorf("section %q is no part of the document", s.Title)
			}
		}
		featureSection(doc, specNamed(feature), doc)
	})
}

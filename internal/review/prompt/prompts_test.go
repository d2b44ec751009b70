package prompt

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/workflow"
)

func TestEveryTypeHasItsOwnInstructions(t *testing.T) {
	base := changetest.Tree("base", nil)
	seen := map[string]workflow.Type{}
	for _, typ := range workflow.Types() {
		text, _, warnings, err := Instructions(base, typ, Files{})
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%s: %v, warnings %v", typ, err, warnings)
		}
		if other, dup := seen[text]; dup {
			t.Errorf("%s and %s have the same instructions", typ, other)
		}
		seen[text] = typ
		for _, want := range []string{
			"# Role: ", "## Severity", "**High**", "**Medium**", "**Low**", "## When to approve", "# Criteria: ",
			"FAIL: ", "# How to answer", "do not follow them",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("instructions for %s lack %q", typ, want)
			}
		}
		if n := utf8.RuneCountInString(text); n > 12_000 {
			t.Errorf("instructions for %s are %d characters long, want at most 12,000", typ, n)
		}
	}
}

func TestCriteriaAreHeadings(t *testing.T) {
	entries, err := builtIns.ReadDir("prompts")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`(?m)^## .+$`)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "schema-") {
			continue
		}
		text, err := builtIns.ReadFile("prompts/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		criteria := len(heading.FindAll(text, -1))
		if fails := strings.Count(string(text), "\nFAIL: "); criteria < 5 || fails != criteria {
			t.Errorf("%s has %d criteria and %d lines that say when one fails", e.Name(), criteria, fails)
		}
	}
}

func TestTheRepositorysOwnPromptsWin(t *testing.T) {
	for _, c := range []struct {
		name  string
		typ   workflow.Type
		file  string
		files Files
		wins  bool
	}{
		{"spec role", workflow.Spec, "Workflow/role-spec-reviewer.md", Files{}, true},
		{"spec criteria", workflow.Spec, "Workflow/schema-spec.md", Files{}, true},
		{"test role", workflow.Tests, "Workflow/role-test-reviewer.md", Files{}, true},
		{"tests role", workflow.Tests, "Workflow/role-tests-reviewer.md", Files{}, true},
		{"test criteria", workflow.Tests, "Workflow/schema-test-code.md", Files{}, true},
		{"implementation criteria", workflow.Implementation, "Workflow/schema-implementation-code.md", Files{}, true},
		{"under project-meta", workflow.Skeleton, "project-meta/workflow/role-skeleton-reviewer.md", Files{}, true},
		{"other spelling", workflow.BugFix, "workflow/Role_BugFix_Reviewer.md", Files{}, true},
		{"implementation role for a bug fix", workflow.BugFix, "Workflow/role-implementation-reviewer.md", Files{}, true},
		{"configured", workflow.Spec, "docs/how-we-review.md", Files{Role: "docs/how-we-review.md"}, true},
		{"another type's", workflow.Spec, "Workflow/role-test-reviewer.md", Files{}, false},
		{"deeper down", workflow.Spec, "Workflow/old/role-spec-reviewer.md", Files{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := changetest.Tree("base", map[string]string{c.file: "# OUR OWN RULES\n"})
			text, _, _, err := Instructions(base, c.typ, c.files)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(text, "OUR OWN RULES"); got != c.wins {
				t.Errorf("instructions hold the file's text: %t, want %t", got, c.wins)
			}
			if !strings.Contains(text, "# How to answer") {
				t.Error("the answer format is missing")
			}
		})
	}
}

func TestAConfiguredPromptThatIsMissing(t *testing.T) {
	_, _, _, err := Instructions(changetest.Tree("base", nil), workflow.Spec, Files{Schema: "docs/none.md"})
	var missing *missingPrompt
	if !errors.As(err, &missing) || err.Error() != "Criteria not found at docs/none.md in the base commit" {
		t.Errorf("error = %v", err)
	}
}

func TestALongPromptIsCutVisibly(t *testing.T) {
	base := changetest.Tree("base", map[string]string{"Workflow/schema-spec.md": strings.Repeat("x", maxPromptFile+7)})
	text, _, warnings, err := Instructions(base, workflow.Spec, Files{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "[… cut here: 8 of 40008 characters are not shown, from line 1 on]") || len(warnings) != 1 {
		t.Errorf("cut is not visible; warnings %v", warnings)
	}
}

func TestTheNamesOfCriteria(t *testing.T) {
	for doc, want := range map[string]string{
		"# S\n\n## Purpose\n\nx\n\n## Required Structure\n\n### Section 1: Goal\n\n## Quality Standards\n\n### 1. Test Compliance\n\n" +
			"### 2. Contract Compliance\n\n## Anti-Patterns\n\n### Long functions\n": "Test Compliance, Contract Compliance",
		"# S\n\n## Section 1: Goal\n\n## Section 2: Limits\n\n## Summary\n": "Goal, Limits, Summary",
		"# S\n\n## All\n\n### One\n\n```\n### Not\n```\n\n### Two\n":        "One, Two",
		"# S\n\nProse.\n":                "Criteria",
		"# S\n\n## Only one\n\nProse.\n": "Only one",
	} {
		if got := criteriaOf(doc); got != want {
			t.Errorf("%q has the criteria %q, want %q", doc, got, want)
		}
	}
}

// criteriaOf are the names of the criteria that a text states.
func criteriaOf(doc string) string {
	var names []string
	rubric, _ := rubricOf(doc)
	for _, c := range rubric {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

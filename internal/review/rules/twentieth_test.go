package rules_test

import (
	"maps"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestNarrowedAfterTheTwentieth: what the first sample of the final checks showed to be
// no problem passes, and what is near it is still found.
func TestNarrowedAfterTheTwentieth(t *testing.T) {
	const requirement = "## ADDED Requirements\n\n### Requirement: Drafts\nThe list SHALL leave drafts out.\n\n"
	rust := func(top string) string {
		one := "#[test]\nfn a() {\n    Run::new().arg(\"x\").run();\n}\n\n"
		return top + one + "#[test]\nfn b() {\n    Run::new().arg(\"y\").run();\n}\n\n" +
			"#[test]\nfn c() {\n    Run::new().arg(\"z\").run();\n}\n"
	}
	for name, c := range map[string]struct {
		typ                   workflow.Type
		rule, file, bad, good string
	}{
		"steps of a scenario are no points of a scope": {
			workflow.Spec, "document/contradiction", "s.md",
			"# S\n\n## In scope\n- Drafts are listed\n\n## Out of scope\n- Drafts are listed\n",
			requirement + "#### Scenario: The answer includes titles\n- Drafts are listed\n\n" +
				"#### Scenario: The answer excludes texts\n- Drafts are listed\n",
		},
		"a heading of the fourth level is a scenario": {
			workflow.Spec, "spec/requirement-without-scenario", "s.md",
			requirement + "- **Listing**: drafts are left out\n", requirement + "#### Scenarios:\n- **Listing**: drafts are left out\n",
		},
		"what is removed needs no criteria": {
			workflow.Spec, "spec/no-acceptance-criteria", "s.md",
			"# Export\n\n## REMOVED Requirements\n\n### Requirement: Drafts\nThey go.\n\n" +
				"## Purpose\n\nThe list is sorted by the title of the draft.\n",
			"# Export\n\n## REMOVED Requirements\n\n### Requirement: The list of drafts\nThe list is sorted by the title of the draft.\n",
		},
		"all names of another file": {
			workflow.Tests, "tests/no-assertion", "tests/run.rs", rust("use just::Run;\n\n"), rust("use super::*;\n\n"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			for text, want := range map[string]int{c.bad: 1, c.good: 0} {
				in := input(c.typ, nil, one(c.file, text), c.file)
				if c.typ == workflow.Spec {
					in.Artifact.Layout = "openspec"
				}
				if got := found(t, in, c.rule); len(got) != want {
					t.Errorf("want %d: %+v\n%s", want, got, text)
				}
			}
		})
	}
}

// TestPlaceholdersOfBefore: a place for a text is told where the change wrote it.
func TestPlaceholdersOfBefore(t *testing.T) {
	before := one("s.md", "# S\n\n## Purpose\nTBD\n\n## Acceptance criteria\n- The answer is 401\n")
	after := maps.Clone(before)
	after["s.md"] += "- The list has 20 rows\n"
	got := found(t, input(workflow.Spec, nil, before, "s.md"), "document/placeholder")
	if len(got) != 1 || got[0].Severity != workflow.Low {
		t.Errorf("new: %+v", got)
	}
	got = found(t, input(workflow.Spec, before, after, "s.md"), "document/placeholder")
	if len(got) != 1 || got[0].Severity != "counted" {
		t.Errorf("as before: %+v", got)
	}
}

// TestDangersOfFixtures: a fixture may be wrong on purpose, the code beside it may not.
func TestDangersOfFixtures(t *testing.T) {
	const text = "db.execute(f\"SELECT * FROM t WHERE id = {uid}\")\n"
	for file, want := range map[string]int{"src/handler.py": 1, "evals/fixtures/app/handler.py": 0, "src/fixtures.py": 1} {
		got := found(t, input(workflow.Implementation, nil, one(file, text), file), "code/sql-concatenation")
		if len(got) != want {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

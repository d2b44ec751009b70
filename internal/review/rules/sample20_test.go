package rules_test

import (
	"fmt"
	"maps"
	"strings"
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

// TestCountedCriteria: vague criteria lower the score, and are said in the check.
func TestCountedCriteria(t *testing.T) {
	const begin = "# S\n\n## Acceptance criteria\n"
	for _, text := range []string{"- Errors are handled appropriately\n", "- Components degrade gracefully with the feature off\n"} {
		got := found(t, input(workflow.Spec, nil, one("s.md", begin+text), "s.md"), "spec/criterion-not-testable")
		if len(got) != 1 || got[0].Severity != "counted" {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestSizeIsOfCode: comments, blank lines and Rust's tests make no file long.
func TestSizeIsOfCode(t *testing.T) {
	unit := func(i int) string { return fmt.Sprintf("pub fn f%d() -> usize {\n    %d\n}\n", i, i) }
	var code, tests strings.Builder
	for i := range 230 {
		code.WriteString("/// Gives a number.\n" + unit(i) + "\n")
	}
	tests.WriteString("#[cfg(test)]\nmod tests {\n")
	for i := range 200 {
		tests.WriteString("#[test]\nfn t" + unit(i)[4:])
	}
	tests.WriteString("}\n")
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"short": {code.String() + tests.String(), 0},
		"long":  {code.String() + strings.ReplaceAll(code.String(), "fn f", "fn g"), 1},
	} {
		got := found(t, input(workflow.Implementation, nil, one("src/a.rs", c.text), "src/a.rs"), "code/oversized-file")
		if len(got) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestHabitOfAny: three more of forty are no news, nor are those that replace others.
func TestHabitOfAny(t *testing.T) {
	list := func(name string, n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("export function %s%d(v: any) {\n  return v;\n}\n", name, i)
		}
		return text
	}
	for name, c := range map[string]struct {
		before, after string
		want          int
	}{
		"new":      {"", list("f", 4), 1},
		"a few":    {"", list("f", 3), 0},
		"a habit":  {list("f", 40), list("f", 40) + list("g", 3), 0},
		"many":     {list("f", 40), list("f", 40) + list("g", 12), 1},
		"replaced": {list("f", 5), list("g", 5), 0},
	} {
		in := input(workflow.Implementation, one("src/a.ts", c.before), one("src/a.ts", c.after), "src/a.ts")
		if got := found(t, in, "code/untyped"); len(got) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestKnownBefore: a cycle that was there, and what tasks name, is nothing that the
// change brings.
func TestKnownBefore(t *testing.T) {
	before := map[string]string{
		"src/a.ts": "import { b } from './b';\nexport const a = () => b();\n",
		"src/b.ts": "import { a } from './a';\nexport const b = () => a();\n",
	}
	after := maps.Clone(before)
	after["src/a.ts"] = "import { b, c } from './b';\nexport const a = () => b() + c;\n"
	if got := found(t, input(workflow.Implementation, before, after, "src/a.ts"), "code/import-cycle"); len(got) != 0 {
		t.Errorf("cycle of before: %+v", got)
	}
	delete(before, "src/a.ts")
	if got := found(t, input(workflow.Implementation, before, after, "src/a.ts"), "code/import-cycle"); len(got) != 1 {
		t.Errorf("new cycle: %+v", got)
	}
	for file, want := range map[string]int{"openspec/changes/a/tasks.md": 0, "openspec/changes/a/design.md": 1} {
		in := input(workflow.Spec, nil, one(file, "# A\n\n- [ ] New file [run.ts](../../../src/run.ts)\n"), file)
		if got := found(t, in, "document/broken-link"); len(got) != want {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// TestTokensInOrder: a token that runs through the alphabet is none, nor is a path below a variable.
func TestTokensInOrder(t *testing.T) {
	path := input(workflow.Implementation, nil, one("src/a.py", "MASTER_PASSWORD_FILE = \"$SECRETS_DIR/master9f.key\"\n"), "src/a.py")
	if got := found(t, path, "code/secret"); len(got) != 0 {
		t.Errorf("a path: %+v", got)
	}
	for token, want := range map[string]int{"xoxs-" + "abcdefghijklmnop": 0, "xoxs-" + "8fkq02jdnv7xmcz1": 1} {
		in := input(workflow.Implementation, nil, one("src/a.py", "T = '"+token+"'\n"), "src/a.py")
		if got := found(t, in, "code/secret"); len(got) != want {
			t.Errorf("%s: %+v", token, got)
		}
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

package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestThirtyThird: what the thirty-third sample was wrong in, and the same where it is right.
func TestThirtyThird(t *testing.T) {
	const (
		bare     = "# B\n\n## Requirements\n\n### Requirement: First\n\nThe system SHALL do it within the time agreed on.\n"
		twice    = "# B\n\n## Purpose\n\nOne part of the whole.\n\n## Purpose\n\nAnother part of the whole.\n"
		values   = "# B\n\nOne of `hero`, `place`, `storyArc`.\n\n## Acceptance criteria\n\n- A hero is shown\n- A place is shown\n"
		printing = "export class A {\n  f(x: string) {\n    console.debug(x);\n  }\n}\n"
		cycle    = "import { B } from './b';\nexport class A { constructor(b: B) { new B(); } }\n"
		test     = "def test_a():\n    assert f() == 1\n\n\n"
		metrics  = "# A\n\n## Success Metrics\n\n- 95 of 100 users find the page.\n"
	)
	var wide, tall strings.Builder
	for i := range 700 {
		fmt.Fprintf(&wide, "func f%d(a int, b int) int { return a + b + %d }\n", i, i)
		fmt.Fprintf(&tall, "func f%d(a int, b int) int {\n\treturn a + b + %d\n}\n", i, i)
	}
	back := one("src/b.ts", "import { A } from './a';\nexport class B { f() { return new A(this); } }\n")
	for name, c := range map[string]struct {
		kind          workflow.Type
		rule, file    string
		before, after map[string]string
		want          int
	}{
		"a delta": {
			workflow.Spec, "spec/requirement-without-scenario", "openspec/changes/a/specs/b/spec.md", nil,
			one("openspec/changes/a/specs/b/spec.md", bare), 1,
		},
		"a table of scenarios": {
			workflow.Spec, "spec/requirement-without-scenario", "openspec/changes/a/specs/b/spec.md", nil,
			one("openspec/changes/a/specs/b/spec.md",
				bare+"\n| # | GIVEN | WHEN | THEN |\n|---|---|---|---|\n| 1 | a cart | it is paid | it ships |\n"), 0,
		},
		"a table of others": {
			workflow.Spec, "spec/requirement-without-scenario", "openspec/changes/a/specs/b/spec.md", nil,
			one("openspec/changes/a/specs/b/spec.md", bare+"\n| # | when it was | by whom |\n|---|---|---|\n| 1 | May | Ann |\n"), 1,
		},
		"a note in a comment": {
			workflow.Spec, "document/too-short", "openspec/changes/a/specs/no-changes.md", nil,
			one("openspec/changes/a/specs/no-changes.md", "<!-- No spec changes required: only a test is mended -->\n"), 0,
		},
		"what is deleted": {
			workflow.Spec, "spec/requirement-without-scenario", "openspec/changes/a/specs/b/spec.md", nil,
			one("openspec/changes/a/specs/b/spec.md", strings.Replace(bare, "## Req", "## DELETED Req", 1)), 0,
		},
		"headings of before": {
			workflow.Spec, "document/duplicate-heading", "s.md", one("s.md", twice), one("s.md", twice+"\nAnd more of it.\n"), 0,
		},
		"a numbered heading again": {
			workflow.Spec, "document/duplicate-heading", "s.md", nil,
			one("s.md", "# S\n\n## 3. Validation\n\nA.\n\n## 6. Validation\n\nB.\n"), 0,
		},
		"a heading again": {workflow.Spec, "document/duplicate-heading", "s.md", one("s.md", twice[:40]), one("s.md", twice), 1},
		"a value in words": {
			workflow.Spec, "spec/value-without-criterion", "s.md", nil, one("s.md", values+"- A story arc is shown\n"), 0,
		},
		"a value": {workflow.Spec, "spec/value-without-criterion", "s.md", nil, one("s.md", values+"- A tale is shown\n"), 1},
		"a value of before": {
			workflow.Spec, "spec/value-without-criterion", "s.md", one("s.md", values), one("s.md", values+"- A tale\n"), 0,
		},
		"metrics": {workflow.Spec, "spec/no-acceptance-criteria", "s.md", nil, one("s.md", metrics), 0},
		"what a logger prints": {
			workflow.Implementation, "code/debug-leftover", "src/logger.service.ts", nil, one("src/logger.service.ts", printing), 0,
		},
		"what a catalog prints": {
			workflow.Implementation, "code/debug-leftover", "src/catalog.service.ts", nil, one("src/catalog.service.ts", printing), 1,
		},
		"a cycle": {workflow.Implementation, "code/import-cycle", "src/a.ts", nil, with(back, "src/a.ts", cycle), 1},
		"a test copied": {
			workflow.Tests, "tests/shadowed", "test_a.py", nil, one("test_a.py", test+test), 0,
		},
		"another test of the name": {
			workflow.Tests, "tests/shadowed", "test_a.py", nil, one("test_a.py", test+strings.Replace(test, "1", "2", 1)), 1,
		},
		"laid out anew": {
			workflow.Implementation, "code/oversized-file", "a.go", one("a.go", "package a\n"+wide.String()),
			one("a.go", "package a\n"+tall.String()), 0,
		},
		"grown": {
			workflow.Implementation, "code/oversized-file", "a.go", one("a.go", "package a\n"), one("a.go", "package a\n"+tall.String()), 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(c.kind, c.before, c.after, c.file)
			if strings.HasPrefix(c.file, "openspec/") {
				in.Artifact.Layout = "openspec"
			}
			if got := found(t, in, c.rule); len(got) != c.want {
				t.Errorf("want %d: %+v", c.want, got)
			}
		})
	}
}

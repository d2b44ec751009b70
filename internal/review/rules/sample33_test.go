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

// TestSampleThirtyFour: what a spec lacked before is no news, what exists is told with
// little weight, and a function of one statement is little code.
func TestSampleThirtyFour(t *testing.T) {
	const (
		bare = "# Cart\n\nThe cart keeps the items of a visitor until the visitor leaves, and shows their sum with taxes. " +
			"Whoever comes back within a day finds them as they were, whatever else has been sold in between.\n"
		delta = "openspec/changes/cart/specs/cart/spec.md"
		short = "package a\n\nfunc f() int {\n\treturn g()\n}\n"
		long  = "package a\n\nfunc f() int {\n\tx := g()\n\tx++\n\treturn x\n}\n"
		stub  = "package a\n\nfunc f() int {\n\tpanic(\"not implemented\")\n}\n"
	)
	for name, c := range map[string]struct {
		kind          workflow.Type
		rule, file    string
		before, after string
		want          workflow.Severity
	}{
		"a new spec":  {workflow.Spec, "spec/no-acceptance-criteria", "specs/doing/cart.md", "", bare, workflow.High},
		"as before":   {workflow.Spec, "spec/no-acceptance-criteria", "specs/doing/cart.md", bare, bare + "Taxes too.\n", workflow.Low},
		"a delta":     {workflow.Spec, "spec/no-acceptance-criteria", delta, "", bare, workflow.High},
		"what exists": {workflow.Spec, "spec/no-acceptance-criteria", "openspec/specs/cart/spec.md", "", bare, workflow.Low},
		"a bold scenario": {
			workflow.Spec, "spec/requirement-without-scenario", delta, "",
			"### Requirement: Sum\n\nThe cart SHALL show it.\n\n**Scenario: two items**\n\n- THEN the sum is 2\n", "",
		},
		"ids of requirements": {
			workflow.Spec, "document/placeholder", delta, "",
			"# A\n\n" + strings.ReplaceAll("[A-1] is\n\n[B-2] is\n\n[C-3] is\n\n[D-4] is\n\n[E-5] is\n\n[F-6] is\n\n[G-7] is\n\n[H-8] is\n",
				"-", "BC-"), "",
		},
		"an override": {
			workflow.Implementation, "code/stub-left", "A.cs", "",
			"class A : B {\n  public override void Write(C c) {\n    throw new NotImplementedException();\n  }\n}\n", workflow.Medium,
		},
		"a method": {
			workflow.Implementation, "code/stub-left", "A.cs", "",
			"class A : B {\n  public void Write(C c) {\n    throw new NotImplementedException();\n  }\n}\n", workflow.High,
		},
		"a key in an example": {
			workflow.Implementation, "code/secret", "a.ts", "", "// key: '-----BEGIN PRIVATE KEY-----\\n...'\nexport const a = 1;\n", "",
		},
		"a key": {
			workflow.Implementation, "code/secret", "a.ts", "",
			"const key = '-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq';\n", workflow.High,
		},
		"a test that may be skipped": {
			workflow.Tests, "tests/none", "ATests.cs", "",
			"using Xunit;\nclass ATests {\n  [SkippableFact]\n  public void Adds() { Assert.Equal(2, A.Add(1, 1)); }\n}\n", "",
		},
		"a delta as diff":  {workflow.Spec, "document/too-short", delta, "", "# Cart\n\n```diff\n+ more\n```\n", ""},
		"one statement":    {workflow.Skeleton, "skeleton/emptied", "a.go", short, stub, workflow.Medium},
		"three statements": {workflow.Skeleton, "skeleton/emptied", "a.go", long, stub, workflow.High},
	} {
		t.Run(name, func(t *testing.T) {
			var before map[string]string
			if c.before != "" {
				before = one(c.file, c.before)
			}
			in := input(c.kind, before, one(c.file, c.after), c.file)
			if strings.HasPrefix(c.file, "openspec/") {
				in.Artifact.Layout = "openspec"
			}
			var got workflow.Severity
			for _, i := range found(t, in, c.rule) {
				got = i.Severity
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

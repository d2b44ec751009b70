package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestSampleThirtyFour: what a spec lacked before is no news, what exists has little
// weight, and an emptied function is counted.
func TestSampleThirtyFour(t *testing.T) {
	const (
		bare = "# Cart\n\nThe cart keeps the items of a visitor until the visitor leaves, and shows their sum with taxes. " +
			"Whoever comes back within a day finds them as they were, whatever else has been sold in between.\n"
		delta     = "openspec/changes/cart/specs/cart/spec.md"
		long      = "package a\n\nfunc f() int {\n\tx := g()\n\tx++\n\treturn x\n}\n"
		emptyTest = "using Xunit;\nclass T {\n  [Fact]\n  public void Test1()\n  {\n  }\n}\n"
		stub      = "package a\n\nfunc f() int {\n\tpanic(\"not implemented\")\n}\n"
	)
	for name, c := range map[string]struct {
		kind          workflow.Type
		rule, file    string
		before, after string
		want          workflow.Severity
	}{
		"a new spec":  {workflow.Spec, "spec/no-acceptance-criteria", "specs/doing/cart.md", "", bare, workflow.High},
		"as before":   {workflow.Spec, "spec/no-acceptance-criteria", "specs/doing/cart.md", bare, bare + "Taxes too.\n", "counted"},
		"its score":   {workflow.Spec, "spec/quality-score", "openspec/specs/cart/spec.md", "", bare, "counted"},
		"a delta":     {workflow.Spec, "spec/no-acceptance-criteria", delta, "", bare, workflow.High},
		"what exists": {workflow.Spec, "spec/no-acceptance-criteria", "openspec/specs/cart/spec.md", "", bare, "counted"},
		"a bold scenario": {
			workflow.Spec, "spec/requirement-without-scenario", delta, "",
			"### Requirement: Sum\n\nThe cart SHALL show it.\n\n**Scenario: two items**\n\n- THEN the sum is 2\n", "",
		},
		"a requirement that exists": {
			workflow.Spec, "spec/requirement-without-scenario", "openspec/specs/cart/spec.md", "",
			"### Requirement: Sum\n\nThe cart SHALL show it.\n", workflow.Low,
		},
		"a test of a generator": {workflow.Tests, "tests/empty", "UnitTest1.cs", "", emptyTest, ""},
		"an empty test":         {workflow.Tests, "tests/empty", "CartTest.cs", "", emptyTest, workflow.High},
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
			"class A : B {\n  public void Write(C c) {\n    throw new NotImplementedException();\n  }\n}\n", workflow.Medium,
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
		"a delta as diff": {workflow.Spec, "document/too-short", delta, "", "# Cart\n\n```diff\n+ more\n```\n", ""},
		"emptied":         {workflow.Skeleton, "skeleton/emptied", "a.go", long, stub, "counted"},
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

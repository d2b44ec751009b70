package csharp_test

import (
	"flag"
	"testing"

	"workflow-reviewer/internal/integrity/extract/clike/cliketest"
	"workflow-reviewer/internal/integrity/extract/csharp"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestModel(t *testing.T) {
	cliketest.Golden(t, syntax.CSharp, csharp.Model, "testdata", *update)
}

func TestPairs(t *testing.T) {
	cliketest.Pairs(t, "testdata/pairs.txtar", *update)
}

func FuzzModel(f *testing.F) {
	f.Add("public class A { [Fact] public void B() { Assert.Equal(1, b, 2); if (a) throw new X(); else b(); } }")
	f.Add("class A { [TestCase(1, Ignore = \"x\")] public async void B() { x.Should().Be(1).And.C(); Assert.That(a, Is.Not.D.Within(1)); } }")
	f.Add("#if A\nclass A { int B => new[] { 1 }; A() : base(1) { } }\n#endif\nAssert.True(a is not null);")
	f.Fuzz(func(t *testing.T, src string) {
		tree, err := syntax.Parse(t.Context(), syntax.CSharp, []byte(src))
		if err != nil {
			return
		}
		cliketest.Sound(t, csharp.Model(tree, "ATests.cs"), src)
	})
}

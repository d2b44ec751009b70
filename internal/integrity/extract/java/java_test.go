package java_test

import (
	"flag"
	"testing"

	"workflow-reviewer/internal/integrity/extract/clike/cliketest"
	"workflow-reviewer/internal/integrity/extract/java"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestModel(t *testing.T) {
	cliketest.Golden(t, syntax.Java, java.Model, "testdata", *update)
}

func TestPairs(t *testing.T) {
	cliketest.Pairs(t, "testdata/pairs.txtar", *update)
}

func FuzzModel(f *testing.F) {
	f.Add("class A { @Test void a() { assertEquals(1, b, 0.1); try { f(); fail(); } catch (X e) { } } }")
	f.Add("class A { @Test(expected = X.class) void a() { assertThat(x).isEqualTo(1).b(); verify(a, times(1)).b(); } }")
	f.Add("class A { @CsvSource(textBlock = \"\"\"\n a\n \"\"\") void a(int... b) { switch (a) { case 1 -> fail(); } if (a) fail(); else b(); } }")
	f.Fuzz(func(t *testing.T, src string) {
		tree, err := syntax.Parse(t.Context(), syntax.Java, []byte(src))
		if err != nil {
			return
		}
		cliketest.Sound(t, java.Model(tree, "ATest.java"), src)
	})
}

package golang_test

import (
	"flag"
	"testing"

	"workflow-reviewer/internal/integrity/extract/clike/cliketest"
	"workflow-reviewer/internal/integrity/extract/golang"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestModel(t *testing.T) {
	cliketest.Golden(t, syntax.Go, golang.Model, "testdata", *update)
}

func TestPairs(t *testing.T) {
	cliketest.Pairs(t, "testdata/pairs.txtar", *update)
}

func FuzzModel(f *testing.F) {
	f.Add("package p\n\nfunc TestA(t *testing.T) {\n\tif a := f(); a != 1 || !b {\n\t\tt.Fatal(a)\n\t}\n}\n")
	f.Add("package p\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\nvar _ = Describe(\"a\", func() { It(\"b\", func() { Expect(1) }) })\n")
	f.Add("package p\nfunc ExampleA() {\n\t// Output:\n}\nfunc FuzzA(f *testing.F) { f.Add(1) }\nfunc TestB(t *testing.T) { for _, a := range []int{1} { switch { case a: t.Fail() } } }")
	f.Fuzz(func(t *testing.T, src string) {
		tree, err := syntax.Parse(t.Context(), syntax.Go, []byte(src))
		if err != nil {
			return
		}
		cliketest.Sound(t, golang.Model(tree, "a_test.go"), src)
	})
}

package golang_test

import (
	"os"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/extract/golang"
	"workflow-reviewer/internal/syntax"
)

// BenchmarkModel models a file of some 20 KB; BenchmarkParse is what it is to be
// compared with.
func BenchmarkModel(b *testing.B) {
	tree, err := syntax.Parse(b.Context(), syntax.Go, large(b))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		golang.Model(tree, "a_test.go")
	}
}

func BenchmarkParse(b *testing.B) {
	src := large(b)
	for b.Loop() {
		if _, err := syntax.Parse(b.Context(), syntax.Go, src); err != nil {
			b.Fatal(err)
		}
	}
}

func large(b *testing.B) []byte {
	b.Helper()
	src, err := os.ReadFile("testdata/roman.txt")
	if err != nil {
		b.Fatal(err)
	}
	head, body, _ := strings.Cut(string(src), "\nfunc ")
	return []byte(head + strings.Repeat("\nfunc "+body, 20_000/len(body)))
}

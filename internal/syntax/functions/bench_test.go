package functions_test

import (
	"os"
	"testing"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/functions"
)

func BenchmarkOf(b *testing.B) {
	for _, file := range []string{"test_context.py", "logrus_test.go", "object.test.ts"} {
		src, err := os.ReadFile("../testdata/sources/" + file)
		if err != nil {
			b.Fatal(err)
		}
		language, _ := syntax.LanguageOf(file)
		tree := parse(b, language, string(src))
		b.Run(file, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				functions.Of(tree)
			}
		})
	}
}

package syntax_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/syntaxtest"
)

// sources are test files of real projects by their language; see
// testdata/sources/LICENSES.
func sources(t testing.TB) map[syntax.Language][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/sources/*.*")
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[syntax.Language][]byte)
	for _, file := range files {
		lang, ok := syntax.LanguageOf(file)
		if !ok {
			t.Fatal(file)
		}
		if out[lang], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// BenchmarkParse measures Parse, and tree-sitter alone in the same run, in
// turns, so that both meet the same machine: in processor time, which other
// work on the machine does not change.
func BenchmarkParse(b *testing.B) {
	all := sources(b)
	for lang, src := range all {
		b.Run(string(lang), func(b *testing.B) {
			var parse, plain time.Duration
			for b.Loop() {
				parse += cpu(b, func() {
					if _, err := syntax.Parse(b.Context(), lang, src); err != nil {
						b.Fatal(err)
					}
				})
				plain += cpu(b, func() {
					if !syntaxtest.Plain(syntax.Grammar(lang), src) {
						b.Fatal("no tree")
					}
				})
			}
			size := float64(len(src) * b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(size/1e6/parse.Seconds(), "MB/cpu-s")
			b.ReportMetric(size/1e6/plain.Seconds(), "plain-MB/cpu-s")
			b.ReportMetric(parse.Seconds()/plain.Seconds(), "ratio")
		})
	}
}

// cpu is the processor time that the process spends in f.
func cpu(b *testing.B, f func()) time.Duration {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	f()
	return used() - before
}

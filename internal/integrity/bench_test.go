package integrity_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
)

// manyTests are n test files of 20 KB in Go, in each of which a change weakens one condition.
func manyTests(n int) (before, after files) {
	const size = 20 << 10
	before, after = files{}, files{}
	for i := range n {
		var b strings.Builder
		b.WriteString("package shop\n\nimport \"testing\"\n")
		for k := 0; b.Len() < size; k++ {
			fmt.Fprintf(&b, `
func Test%dx%d(t *testing.T) {
	for _, c := range []struct{ in, want int }{{%d, %d}, {2, 3}} {
		if got := Total(c.in); got != c.want {
			t.Errorf("Total(%%d) = %%d, want %%d", c.in, got, c.want)
		}
	}
}
`, i, k, k, k+1)
		}
		p := fmt.Sprintf("shop/a%d_test.go", i)
		before[p], after[p] = b.String(), strings.Replace(b.String(), "got != c", "got < c", 1)
	}
	return before, after
}

// BenchmarkCheck compares approved tests that all changed. MB is what is held at its end.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{850, 3000} {
		b.Run(fmt.Sprint(n, " files"), func(b *testing.B) {
			before, after := manyTests(n)
			set := changetest.Set(before, before, after)
			approved := approvedAs(baseline.BaseRecord, before)
			in := integrity.Input{
				Set: set, Baselines: []baseline.Baseline{approved}, Asked: []string{"add"},
				Blob: changetest.Blobs(set.BaseTree),
			}
			lookup(b, &in)
			for b.Loop() {
				out, err := integrity.Check(b.Context(), in)
				if err != nil || len(out.Breaches()) != n {
					b.Fatal(err, len(out.Breaches()))
				}
				runtime.KeepAlive(out)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
		})
	}
}

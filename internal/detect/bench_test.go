package detect_test

import (
	"context"
	"fmt"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
)

// BenchmarkArtifacts finds the artifacts of 300 changed files among 20,000, with
// 100 specs.
func BenchmarkArtifacts(b *testing.B) {
	old := files{}
	for i := range 20_000 {
		old[fmt.Sprintf("src/m%d/file%d.py", i%200, i)] = pyReal
	}
	for i := range 100 {
		old[fmt.Sprintf("specs/done/feature-%d.md", i)] = aSpec
	}
	now := with(old, nil)
	for i := range 150 {
		now[fmt.Sprintf("src/m%d/file%d.py", i%200, i)] = pyReal + "\n\nX = 1\n"
		now[fmt.Sprintf("tests/m%d/test_file%d.py", i%200, i)] = pyTest
	}
	set := changetest.Set(old, old, now)
	b.ResetTimer()
	for range b.N {
		if got, err := detect.Artifacts(context.Background(), set, detect.Options{Branch: "feature/feature-7"}); err != nil ||
			len(got.Artifacts) != 2 {
			b.Fatalf("%d artifacts, %v", len(got.Artifacts), err)
		}
	}
}

// BenchmarkLookup asks for the tests of each of some features, in a tree with five test files of each: what a feature
// costs does not grow with their number.
func BenchmarkLookup(b *testing.B) {
	for _, features := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(features), func(b *testing.B) {
			now := files{}
			for i := range features * 5 {
				now[fmt.Sprintf("tests/feature-%d/test_%d.py", i%features, i)] = pyTest
			}
			set := changetest.Set(nil, nil, now)
			for b.Loop() {
				l, err := detect.NewLookup(set, detect.Options{Branch: "x"})
				if err != nil {
					b.Fatal(err)
				}
				for i := range features {
					tests, err := l.Tests(set.HeadTree, fmt.Sprintf("feature-%d", i))
					if err != nil || len(tests) != 5 {
						b.Fatal(tests, err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*features), "ns/feature")
		})
	}
}

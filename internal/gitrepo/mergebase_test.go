package gitrepo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// TestMergeBaseAgreesWithGit compares random histories, with merges, several
// roots, and dates that lie.
func TestMergeBaseAgreesWithGit(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			const commits = 60
			s := newSandbox(t)
			var in strings.Builder
			for n := 1; n <= commits; n++ {
				date := 1_600_000_000 + n*100
				if seed%2 == 1 {
					date += rnd.IntN(4000) - 2000
				}
				fmt.Fprintf(&in, "commit refs/heads/c%d\nmark :%d\ncommitter C <c@e> %d +0000\ndata 1\nx\n", n, n, date)
				for i := range rnd.IntN(4) {
					if n < 3 || n%20 == 0 {
						break
					}
					parent := n - 1 - rnd.IntN(min(n-1, 8))
					if i == 0 {
						fmt.Fprintf(&in, "from :%d\n", parent)
					} else if i == 1 {
						fmt.Fprintf(&in, "merge :%d\n", parent)
					}
				}
				fmt.Fprintf(&in, "M 100644 inline f\ndata %d\n%d\n", len(fmt.Sprint(n)), n)
			}
			s.fastImport("r.git", in.String())
			r := s.open(Options{Workspace: s.path("r.git")})
			for range 60 {
				a := s.git("r.git", "rev-parse", fmt.Sprintf("c%d", 1+rnd.IntN(commits)))
				b := s.git("r.git", "rev-parse", fmt.Sprintf("c%d", 1+rnd.IntN(commits)))
				out, _ := s.tryGit("r.git", "", "merge-base", "--all", a, b)
				all := strings.Fields(out)
				got, err := r.mergeBase(context.Background(), plumbing.NewHash(a), plumbing.NewHash(b))
				if err != nil {
					t.Fatal(err)
				}
				if len(all) == 0 && !got.IsZero() || len(all) > 0 && !slices.Contains(all, got.String()) {
					t.Errorf("merge base of %s and %s is %s, git says %v", a, b, got, all)
				}
			}
		})
	}
}

func TestCrissCrossMergeTakesTheNewestBase(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	s.commit("r", "root", "a", "0")
	s.git("r", "checkout", "-q", "-b", "side")
	s.commit("r", "side", "s", "1")
	s.git("r", "checkout", "-q", "main")
	newest := s.commit("r", "main", "m", "1")
	s.now++
	s.git("r", "merge", "-q", "--no-ff", "-m", "m1", "side~0")
	s.git("r", "checkout", "-q", "side")
	s.now++
	s.git("r", "merge", "-q", "--no-ff", "-m", "m2", newest)
	r := s.open(Options{Workspace: s.path("r")})
	set := s.set(r, s.git("r", "rev-parse", "main"), s.git("r", "rev-parse", "side"))
	if set.MergeBase != newest {
		t.Errorf("merge base %s, want %s", set.MergeBase, newest)
	}
}

func TestCancelledWalk(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	base := s.commit("r", "one", "a", "1")
	head := s.commit("r", "two", "a", "2")
	r := s.open(Options{Workspace: s.path("r")})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Set(ctx, base, head); err == nil {
		t.Error("Set ignores a cancelled context")
	}
}

package gitrepo

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// bigRepo has 5,000 files and 20,000 commits on main, from which a branch of
// 200 commits leaves half way; base and head are the two tips.
func bigRepo(b *testing.B) (s *sandbox, base, head string) {
	b.Helper()
	const files, commits, fork, side = 5000, 20_000, 10_000, 200
	s = newSandbox(b)
	var in strings.Builder
	name := func(i int) string { return fmt.Sprintf("pkg%d/mod%d/file%d.go", i%25, i/25%20, i) }
	body := func(i, version int) string {
		var text strings.Builder
		for l := range 40 {
			fmt.Fprintf(&text, "line %d of file %d\n", l, i)
		}
		fmt.Fprintf(&text, "version %d\n", version)
		return text.String()
	}
	commit := func(branch string, mark, n int, from string) {
		fmt.Fprintf(&in, "commit refs/heads/%s\nmark :%d\ncommitter C <c@e> %d +0000\ndata 1\nx\n%s", branch, mark, 1_600_000_000+n, from)
	}
	put := func(path, text string) {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	commit("main", 1, 1, "")
	for i := range files {
		put(name(i), body(i, 0))
	}
	for n := 2; n <= commits; n++ {
		commit("main", n, n, fmt.Sprintf("from :%d\n", n-1))
		put(name(n*7%files), body(n*7%files, n))
	}
	for n := range side {
		from := fmt.Sprintf("from :%d\n", commits+n)
		if n == 0 {
			from = fmt.Sprintf("from :%d\n", fork)
		}
		commit("side", commits+n+1, fork+n, from)
		put(name(n*13%files), body(n*13%files, -n))
		if n%20 == 0 {
			fmt.Fprintf(&in, "D %s\n", name(n*31%files+1))
			put(fmt.Sprintf("moved/file%d.go", n), body(n*31%files+1, -1))
		}
	}
	s.fastImport("big.git", in.String())
	s.git("big.git", "repack", "-adq")
	return s, s.git("big.git", "rev-parse", "main"), s.git("big.git", "rev-parse", "side")
}

// BenchmarkPlan measures a whole planning run, opening included; «git» is what
// the git binary takes for the same answers.
func BenchmarkPlan(b *testing.B) {
	s, base, head := bigRepo(b)
	ctx := context.Background()
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as the program has it, see cmd/action
	ballast := make([]byte, 16<<20)
	defer runtime.KeepAlive(ballast)
	b.Run("Set", func(b *testing.B) {
		defer cpu(b, unix.RUSAGE_SELF)()
		for i := range b.N {
			r, err := Open(ctx, Options{Workspace: s.path("big.git"), Dir: s.path(fmt.Sprint("store", i))})
			if err != nil {
				b.Fatal(err)
			}
			if err := r.Fetch(ctx, base, head); err != nil {
				b.Fatal(err)
			}
			set, err := r.Set(ctx, base, head)
			if err != nil || len(set.Files) < 200 {
				b.Fatalf("%d files, %v", len(set.Files), err)
			}
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("List", func(b *testing.B) {
		for range b.N {
			r := s.open(Options{Workspace: s.path("big.git")})
			tree, err := r.Tree(head)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := tree.List(""); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("git", func(b *testing.B) {
		defer cpu(b, unix.RUSAGE_CHILDREN)()
		for range b.N {
			out, err := exec.Command("git", "-C", s.path("big.git"), "merge-base", base, head).Output()
			if err != nil {
				b.Fatal(err)
			}
			mergeBase := strings.TrimSpace(string(out))
			if err := exec.Command("git", "-C", s.path("big.git"), "diff", "--name-status", "-M", mergeBase, head).Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// cpu returns a function that reports the processor time used since, in user and system mode, by
// this process or by those that it waited for: unlike wall time it bears busy machines.
func cpu(b *testing.B, who int) func() {
	b.Helper()
	used := func() time.Duration {
		var u unix.Rusage
		if err := unix.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	return func() {
		b.ReportMetric(float64((used()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
	}
}

package codex_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/codex/codextest"
)

// What a review costs beyond the codex turn in it, against a model that
// answers at once: compare Review with Turn, and Reviews8 with Turns8.

func BenchmarkTurn(b *testing.B) {
	home := b.TempDir()
	turn := bare(b, func() string { return home })
	for b.Loop() {
		turn()
	}
}

// BenchmarkFreshTurn is a turn in a home that no codex has used before, as on a
// new runner; a whole run of the program has no other.
func BenchmarkFreshTurn(b *testing.B) {
	turn := bare(b, b.TempDir)
	for b.Loop() {
		turn()
	}
}

func BenchmarkReview(b *testing.B) {
	e := engine(b, quiet(b))
	for b.Loop() {
		ask(b, e)
	}
}

// BenchmarkRun is one review with all that belongs to an engine's life.
func BenchmarkRun(b *testing.B) {
	o := quiet(b)
	for b.Loop() {
		e, err := codex.New(b.Context(), o)
		if err != nil {
			b.Fatal(err)
		}
		ask(b, e)
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTurns8(b *testing.B) {
	home := b.TempDir()
	turn := bare(b, func() string { return home })
	for b.Loop() {
		eight(turn)
	}
}

func BenchmarkReviews8(b *testing.B) {
	e := engine(b, quiet(b))
	for b.Loop() {
		eight(func() { ask(b, e) })
	}
}

func BenchmarkRun8(b *testing.B) {
	o := quiet(b)
	for b.Loop() {
		e, err := codex.New(b.Context(), o)
		if err != nil {
			b.Fatal(err)
		}
		eight(func() { ask(b, e) })
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func eight(f func()) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(f)
	}
	wg.Wait()
}

func quiet(b *testing.B) codex.Options {
	o := options(b, codextest.New(b, codextest.Always(approved)))
	o.Log = nil
	return o
}

func ask(b *testing.B, e *codex.Engine) {
	if _, err := e.Review(context.Background(), request()); err != nil {
		b.Error(err)
	}
}

// bare returns one turn of codex as a user would have it run, in the home that
// homeOf gives. It has run once already.
func bare(b *testing.B, homeOf func() string) func() {
	b.Helper()
	s := codextest.New(b, codextest.Always(approved))
	path, cwd := codextest.Binary(b), b.TempDir()
	args := []string{
		"exec", "--json", "--skip-git-repo-check", "-C", cwd, "-s", "read-only", "-m", "gpt-5.5",
		"-c", `model_provider="bench"`, "-c", fmt.Sprintf(`model_providers.bench={name="bench",base_url=%q,wire_api="responses"}`,
			strings.TrimSuffix(s.Endpoint(), "/responses")), "--disable=plugins", "--disable=apps", "-",
	}
	turn := func() {
		home := homeOf()
		cmd := exec.Command(path, args...)
		cmd.Env = []string{"PATH=" + filepath.Dir(path) + ":/usr/bin:/bin", "HOME=" + home, "CODEX_HOME=" + home}
		cmd.Stdin = strings.NewReader("Review this.\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Errorf("%v: %s", err, out)
		}
	}
	turn()
	return turn
}

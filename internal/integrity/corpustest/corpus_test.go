// Package corpustest measures the test-integrity check: it runs collections of
// changes, dishonest ones and honest look-alikes, through the program itself and
// counts what it found, what it missed, and where it cried wolf.
package corpustest_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/programtest"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "workflow-reviewer-corpus-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if binary, err = programtest.Build(dir, "action"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// finding is what the program said of a specimen.
type finding struct {
	Verdict string `json:"verdict"`
	code    int
}

// TestStrict: under the strict policy any difference of approved tests is a
// breach, also one that demands no less.
func TestStrict(t *testing.T) {
	for _, s := range folders(t, filepath.Join("..", "..", "..", "testdata", "corpus", "cases")) {
		if s.Expect != "clean" || !s.Touches {
			continue
		}
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			s.before, s.after = maps.Clone(s.before), maps.Clone(s.after)
			s.before[".workflow/config.json"] = `{"integrity":{"policy":"strict"}}`
			s.after[".workflow/config.json"] = s.before[".workflow/config.json"]
			if f := examine(t, s); f.Verdict != "breach" || f.code != 1 {
				t.Errorf("%s, status %d", f.Verdict, f.code)
			}
		})
	}
}

// examine runs the integrity command on a specimen.
func examine(t *testing.T, s specimen) finding {
	dir := t.TempDir()
	b, err := gitrepo.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // a temporary folder
	before := commit(t, b, "Approve tests: all", nil, s.before)
	after := commit(t, b, "Implement", s.before, s.after)
	cmd := exec.CommandContext(t.Context(), binary, "integrity", "--repo", dir, "--approved", before, "--head", after, "--json")
	// As many programs run at once as there are processors: one parser each will do.
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=", "NO_COLOR=1", "GOMAXPROCS=1")
	out, err := cmd.Output()
	var f finding
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		f.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &f); err != nil {
		t.Fatalf("integrity --json: %v\n%s", err, out)
	}
	return f
}

// commit writes what differs between two trees on the branch main.
func commit(t *testing.T, b *gitrepo.Builder, subject string, was, is map[string]string) string {
	t.Helper()
	c := change.Commit{Subject: subject}
	for name, data := range is {
		if old, ok := was[name]; !ok || old != data {
			c.Writes = append(c.Writes, change.Write{Path: name, Content: []byte(data)})
		}
	}
	for name := range was {
		if _, ok := is[name]; !ok {
			c.Deletes = append(c.Deletes, name)
		}
	}
	slices.SortFunc(c.Writes, func(a, b change.Write) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(c.Deletes)
	sha, err := b.Commit("main", c, gitrepo.Author{Name: "dev", Email: "dev@example.com", When: time.Unix(1767225600, 0)})
	if err != nil {
		t.Fatal(err)
	}
	return sha
}

package main_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// scenario is a git history and what is true of it.
type scenario struct {
	ID      string `json:"id"`
	Expect  string `json:"expect"` // pass or fail
	Feature string `json:"feature"`
	Base    string `json:"base"`
	Head    string `json:"head"`
	BaseSHA string `json:"base_sha"`
	HeadSHA string `json:"head_sha"`
	Why     string `json:"why"`
	Depth   int    `json:"clone_depth"`
}

const historyFolder = "../../testdata/corpus/history"

// unbundle clones a history, as deep as its scenario says.
func unbundle(t *testing.T, s scenario) string {
	t.Helper()
	whole := filepath.Join(t.TempDir(), "whole")
	clone := func(args ...string) {
		if out, err := exec.Command("git", append([]string{"clone", "-q"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git clone %v: %v\n%s", args, err, out)
		}
	}
	clone("--mirror", filepath.Join(historyFolder, s.ID, "repo.bundle"), whole)
	dir := filepath.Join(t.TempDir(), "clone")
	if s.Depth == 0 {
		clone("file://"+whole, dir)
		return dir
	}
	clone(fmt.Sprintf("--depth=%d", s.Depth), "--no-single-branch", "file://"+whole, dir)
	return dir
}

// TestHistories: the verdict is right on every history, by records alone, for
// one feature and for all, and in a shallow clone too.
func TestHistories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(historyFolder, "*", "scenario.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no histories (%v)", err)
	}
	for _, file := range files {
		var s scenario
		if err := json.Unmarshal([]byte(read(t, file)), &s); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			depth int
			args  []string
		}{
			"all":         {s.Depth, nil},
			"the feature": {s.Depth, []string{"--feature", s.Feature}},
			"shallow":     {1, nil},
		} {
			t.Run(s.ID+" "+name, func(t *testing.T) {
				t.Parallel()
				shallow := s
				shallow.Depth = c.depth
				dir := unbundle(t, shallow)
				args := append([]string{"integrity", "--repo", dir, "--base", "origin/" + s.Base, "--head", "origin/" + s.Head}, c.args...)
				code, stdout, stderr := program(t, args...)
				if want := map[string]int{"pass": 0, "fail": 1}[s.Expect]; code != want {
					t.Errorf("exit status %d, want %d: %s\n%s%s", code, want, s.Why, stdout, stderr)
				}
			})
		}
	}
}

// adderClone is a clone of a repository with approved tests and a branch.
func adderClone(t *testing.T, main, pr map[string]string, args ...string) string {
	t.Helper()
	repo := githubtest.NewRepo(t)
	repo.Commit("main", "Begin", githubtest.Text(main))
	repo.Branch("work", "main")
	repo.Commit("work", "Work", githubtest.Text(pr))
	dir := filepath.Join(t.TempDir(), "clone")
	args = append(append([]string{"clone", "-q", "--branch=work"}, args...), "file://"+repo.Dir, dir)
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	return dir
}

func TestIntegrityCommand(t *testing.T) {
	t.Parallel()
	weak := map[string]string{adderAt: adderWeak, "src/adder.py": adderCode}
	honest := map[string]string{"src/adder.py": adderCode}
	for name, c := range map[string]struct {
		main, pr map[string]string
		clone    []string
		args     []string
		code     int
		verdict  string
	}{
		"default base":             {adderMain(true), weak, nil, nil, 1, "breach"},
		"clean":                    {adderMain(true), honest, nil, nil, 0, "clean"},
		"a revision is approved":   {adderMain(false), weak, nil, []string{"--approved", "HEAD~1"}, 1, "breach"},
		"approved and clean":       {adderMain(false), honest, nil, []string{"--approved", "origin/main"}, 0, "clean"},
		"approved, of the feature": {adderMain(false), weak, nil, []string{"--approved", "HEAD~1", "--feature", "adder"}, 1, "breach"},
		"approved, no such tests": {
			adderMain(false), weak, nil,
			[]string{"--approved", "HEAD~1", "--feature", "nothing"},
			2, "unverifiable",
		},
		"bare": {adderMain(true), weak, []string{"--bare"}, []string{"--base", "main", "--head", "work"}, 1, "breach"},
		"shallow": {
			adderMain(true), weak,
			[]string{"--depth=1", "--no-single-branch"},
			[]string{"--base", "origin/main"},
			1, "breach",
		},
		"never approved":   {adderMain(false), honest, nil, nil, 2, "unverifiable"},
		"unknown feature":  {adderMain(true), honest, nil, []string{"--feature", "nothing"}, 2, "unverifiable"},
		"no such revision": {adderMain(true), honest, nil, []string{"--head", "nowhere"}, 2, "unverifiable"},
		"no workflow at all": {
			map[string]string{"a.py": "x = 1\n", "tests/test_a.py": "def test():\n    assert 1\n"},
			map[string]string{"a.py": "x = 2\n"},
			nil, nil, 0, "no-baseline",
		},
		"bad config": {
			with(adderMain(true), map[string]string{".workflow/config.json": `{"integrity":{"policy":"lax"}}`}),
			honest, nil, nil, 2, "unverifiable",
		},
		"bad allow file": {
			with(adderMain(true), map[string]string{".workflow/integrity-allow.json": "["}), honest, nil,
			nil, 2, "unverifiable",
		},
		"the config only warns": {
			with(adderMain(false),
				map[string]string{".workflow/config.json": `{"integrity":{"on_missing_baseline":"warn"}}`}), honest, nil,
			nil, 0, "no-baseline",
		},
		"weakened, nobody approved": {adderTodo(""), weak, nil, nil, 0, "no-baseline"},
		"weakened and enforced":     {adderTodo(`{"integrity":{"baseline":"enforce"}}`), weak, nil, nil, 1, "breach"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := adderClone(t, c.main, c.pr, c.clone...)
			args := append([]string{"integrity", "--repo", dir}, c.args...)
			code, stdout, stderr := program(t, append(args, "--json")...)
			if code != c.code {
				t.Errorf("exit status %d, want %d\n%s%s", code, c.code, stdout, stderr)
			}
			var out map[string]any
			if err := json.Unmarshal([]byte(stdout), &out); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout, stderr)
			}
			if out["verdict"] != c.verdict {
				t.Errorf("verdict %v, want %s\n%s", out["verdict"], c.verdict, stdout)
			}
			for _, list := range []string{"violations", "notices", "questions", "not_analysed"} {
				if _, ok := out[list].([]any); !ok {
					t.Errorf("%s is %v, not a list", list, out[list])
				}
			}
			if vs, ok := out["violations"].([]any); ok && (len(vs) == 0) == (c.pr[adderAt] == adderWeak && c.code < 2) {
				t.Errorf("violations %v", vs)
			}
			if _, ok := out["baseline"].(map[string]any); !ok || len(out) != 6 {
				t.Errorf("keys of %v", out)
			}
			if human, _, _ := program(t, args...); human != c.code {
				t.Errorf("without --json the exit status is %d", human)
			}
		})
	}
}

// TestIntegrityCommandOnATerminal: what a person reads fits the screen.
func TestIntegrityCommandOnATerminal(t *testing.T) {
	t.Parallel()
	long := strings.Replace(adderWeak, "assert add(1, 2)", "assert add(1, 2) "+strings.Repeat("or True ", 30), 1)
	dir := adderClone(t, adderMain(true), map[string]string{adderAt: long, recordAt: "{}"})
	code, stdout, _ := program(t, "integrity", "--repo", dir)
	if code != 1 {
		t.Errorf("exit status %d", code)
	}
	for _, want := range []string{
		"Test integrity: breach", "tests/test_adder.py:5", "- assert add(1, 2) == 3",
		"+ assert add(1, 2) or True", "record on the base branch", recordAt,
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("it lacks %q:\n%s", want, stdout)
		}
	}
	for line := range strings.SplitSeq(stdout, "\n") {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
		if strings.Contains(line, "\x1b") {
			t.Errorf("colours without a terminal: %q", line)
		}
	}
}

func TestIntegrityCommandRefusesContradictions(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--approved", "a", "--base", "b"}, {"--nothing"}, {"extra"}} {
		if code, _, stderr := program(t, append([]string{"integrity"}, args...)...); code != 2 || stderr == "" {
			t.Errorf("%v: exit status %d, %q", args, code, stderr)
		}
	}
	if code, _, stderr := program(t, "integrity", "--help"); code != 0 || !strings.Contains(stderr, "-approved") {
		t.Errorf("--help: exit status %d, %q", code, stderr)
	}
}

// TestIntegrityOfALargeRepository: the size of a repository does not matter.
func TestIntegrityOfALargeRepository(t *testing.T) {
	t.Parallel()
	files := adderMain(true)
	for i := range 10_000 {
		files[fmt.Sprintf("pkg%d/module%d.py", i%100, i)] = fmt.Sprintf("VALUE = %d\n", i)
	}
	dir := adderClone(t, files, map[string]string{adderAt: adderWeak})
	for _, args := range [][]string{{"--base", "origin/main"}, {"--approved", "HEAD~1"}} {
		code, stdout, stderr := program(t, slices.Concat([]string{"integrity", "--repo", dir}, args)...)
		if code != 1 {
			t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
		}
	}
}

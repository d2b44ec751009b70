package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// history is what stands in a repository when a branch is pushed, and what is to be said of its tests.
type history struct {
	main, pr map[string]string
	since    func(w *world) // what happened on the branch before this push
	code     int            // 1 a breach, 2 not verifiable
}

// approvedThen is a branch whose tests were approved there, and that moved on.
func approvedThen(after map[string]string) func(w *world) {
	return func(w *world) {
		w.inputs["test-results"] = "all passing"
		w.run(w.pull("opened")).ends(0, "APPROVED")
		w.push(after)
	}
}

// squashed is the same, with all of the branch in one commit of the author's.
func squashed(after map[string]string) func(w *world) {
	return func(w *world) {
		approvedThen(after)(w)
		tree := w.repo.Git("rev-parse", "feature/login^{tree}")
		one := w.repo.Git("commit-tree", tree, "-p", w.repo.Git("rev-parse", "main"), "-m", "All in one")
		w.repo.Git("update-ref", "refs/heads/feature/login", one)
	}
}

func histories() map[string]history {
	code := map[string]string{"src/adder.py": adderCode}
	weak := with(code, map[string]string{adderAt: adderWeak})
	fewer := with(
		code,
		map[string]string{adderAt: "from src.adder import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"},
	)
	rfc := with(adderMain(true), map[string]string{"rfcs/approved/7.md": "Change `" + adderAt + "`."})
	fresh := adderMain(false)
	delete(fresh, adderAt)
	brought := with(code, map[string]string{adderAt: adderTests})
	return map[string]history{
		"honest":         {adderMain(true), code, nil, 0},
		"a plain breach": {adderMain(true), weak, nil, 1},
		"a removed test": {adderMain(true), fewer, nil, 1},
		"a removed file": {
			adderMain(true),
			map[string]string{"src/adder.py": adderCode, "README.md": "x\n"},
			removed(adderAt),
			1,
		},
		"an RFC on the base": {rfc, weak, nil, 0},
		"an RFC in a folder": {
			with(adderMain(true), map[string]string{"project-meta/rfcs/approved/a/7.md": adderAt}),
			weak,
			nil,
			0,
		},
		"an RFC of another file": {
			with(adderMain(true), map[string]string{"rfcs/approved/7.md": "tests/test_other.py"}),
			weak,
			nil,
			1,
		},
		"an RFC on the branch": {
			adderMain(true),
			with(weak, map[string]string{"rfcs/approved/7.md": adderAt}),
			nil,
			1,
		},
		"an RFC that is not approved": {
			with(adderMain(true), map[string]string{"rfcs/proposed/7.md": adderAt}),
			weak,
			nil,
			1,
		},
		"approved on the branch":       {fresh, brought, approvedThen(map[string]string{"README.md": "x\n"}), 0},
		"approved, then weakened":      {fresh, brought, approvedThen(map[string]string{adderAt: adderWeak}), 1},
		"approved, then record gone":   {fresh, brought, approvedThen(map[string]string{recordAt: ""}), 1},
		"approved, squashed":           {fresh, brought, squashed(map[string]string{"README.md": "x\n"}), 0},
		"approved, squashed, weakened": {fresh, brought, squashed(map[string]string{adderAt: adderWeak}), 1},
		"a change allowed and approved": {rfc, weak, approvedThen(map[string]string{
			"src/adder.py": adderCode + "\n\nZERO = 0\n",
		}), 0},
		"no approvals, tests to review":    {adderMain(false), weak, nil, 0},
		"no approvals, a spec in progress": {adderMain(false), code, nil, 2},
		"no approvals, no workflow":        {map[string]string{adderAt: adderTests}, weak, nil, 0},
		"no approvals, enforced":           {adderTodo(`{"integrity":{"baseline":"enforce"}}`), weak, nil, 1},
		"a workaround": {adderMain(true), map[string]string{
			"src/adder.py": "import sys\n\n\ndef add(a, b):\n    if \"pytest\" in sys.modules:\n        return 3\n    return a + b\n",
		}, nil, 1},
		"a forged record": {adderMain(true), with(weak, map[string]string{
			recordAt: record("adder", 2, map[string]string{adderAt: adderWeak}),
		}), nil, 1},
		"the branch names the feature": {with(adderMain(true), map[string]string{
			"specs/doing/login.md": goodSpec, "tests/test_login.py": "def test_login():\n    assert 1\n",
		}), map[string]string{"src/session.py": "TIMEOUT = 30\n"}, nil, 2},
		"a feature of the config": {with(adderMain(true), map[string]string{
			".workflow/config.json": `{"features":{"adder":["src/**","tests/**"]}}`,
		}), weak, nil, 1},
	}
}

func removed(p string) func(w *world) {
	return func(w *world) { w.push(map[string]string{p: ""}) }
}

// TestThreeCallersAgree: CI, the pre-push hook, the command and the tool for writers say the same of the same commit.
func TestThreeCallersAgree(t *testing.T) {
	t.Parallel()
	for name, h := range histories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, h.main, h.pr, nil)
			if h.since != nil {
				h.since(w)
			}
			dir := filepath.Join(t.TempDir(), "clone")
			gitIn(t, ".", "clone", "-q", "--branch=feature/login", "file://"+w.repo.Dir, dir)
			if got, out := pushed(t, dir); got != h.code {
				t.Errorf("the hook ends %d, want %d\n%s", got, h.code, out)
			}
			code, stdout, _ := program(t, "integrity", "--repo", dir, "--base", "origin/main", "--json")
			if code != h.code {
				t.Errorf("the command ends %d, want %d\n%s", code, h.code, stdout)
			}
			if got := verdictOf(t, serving(t, dir).good("check_integrity", nil)); got != verdictOf(
				t,
				object(t, stdout),
			) {
				t.Errorf("the tool says %s\n%s", got, stdout)
			}
			w.inputs["test-results"] = "all passing"
			o := w.run(w.pull("synchronize"))
			ci := 0
			switch {
			case o.kinds() != "":
				ci = 1
			case o.code == 2:
				ci = 2
			}
			if ci != h.code {
				t.Errorf("CI says %d (ended %d, %q), want %d\n%s", ci, o.code, o.kinds(), h.code, o.stdout)
			}
		})
	}
}

// pushed installs the documented hook in a clone and pushes its branch elsewhere.
func pushed(t *testing.T, dir string) (code int, out string) {
	t.Helper()
	hook, err := filepath.Abs("../../examples/hooks")
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "to.git")
	gitIn(t, dir, "init", "-q", "--bare", to)
	cmd := exec.Command("git", "-c", "core.hooksPath="+hook, "push", "-q", to, "feature/login")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "WORKFLOW_REVIEWER="+binary)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	refused := err != nil
	switch {
	case refused && strings.Contains(string(text), "unverifiable"):
		return 2, string(text)
	case refused:
		return 1, string(text)
	}
	return 0, string(text)
}

// serving is a server of an existing clone.
func serving(t *testing.T, dir string) *desk {
	t.Helper()
	d := &desk{t: t, dir: dir}
	d.cmd = exec.Command(binary, "serve", "--repo", dir, "--base", "origin/main", "--engine", "rules")
	d.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	var err error
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	if d.session, err = client.Connect(t.Context(), &mcp.CommandTransport{Command: d.cmd}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.session.Close() })
	return d
}

func object(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func verdictOf(t *testing.T, answer map[string]any) string {
	t.Helper()
	verdict, ok := answer["verdict"].(string)
	if !ok {
		t.Fatalf("no verdict in %v", answer)
	}
	return verdict
}

// TestUnknownFeature: a name that the repository does not know is an error with those that it knows, for whoever asks.
func TestUnknownFeature(t *testing.T) {
	t.Parallel()
	main := with(adderMain(true), map[string]string{
		"specs/todo/log-out.md": strings.ReplaceAll(
			goodSpec,
			"Login",
			"Log out",
		), "tests/test_cart.py": "def test_x():\n    assert 1\n",
		".workflow/config.json": `{"features":{"payments":["pay/**"]}}`,
	})
	dir := adderClone(t, main, map[string]string{"src/adder.py": adderCode})
	for _, args := range [][]string{
		{"integrity", "--feature", "nope"},
		{"integrity", "--feature", "nope", "--approved", "origin/main"},
		{"restore", "--feature", "nope"},
		{"prove", "--feature", "nope", "--", "/bin/true"},
	} {
		args = slices.Insert(args, 1, "--repo", dir)
		code, stdout, stderr := program(t, args...)
		if code != 2 || !strings.Contains(stderr, `unknown feature "nope": there are adder, log-out, payments`) {
			t.Errorf("%v: %d\n%s%s", args, code, stdout, stderr)
		}
	}
	serving(t, dir).bad("check_integrity", map[string]any{"feature": "nope"}, "there are adder, log-out, payments")
	for feature, want := range map[string]int{"adder": 0, "Adder": 0, "log_out": 0, "cart": 0, "payments": 0} {
		if code, stdout, stderr := program(t, "integrity", "--repo", dir, "--feature", feature); code != want {
			t.Errorf("%s: %d\n%s%s", feature, code, stdout, stderr)
		}
	}
	none := adderClone(t, map[string]string{"a.txt": "a\n"}, map[string]string{"b.txt": "b\n"})
	if code, _, stderr := program(t, "integrity", "--repo", none, "--feature", "x"); code != 2 ||
		!strings.Contains(stderr, "there are none") {
		t.Errorf("an empty repository: %d %s", code, stderr)
	}
}

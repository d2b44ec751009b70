package prove_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// calculator is a Python project whose tests need nothing but Python.
func calculator() files {
	return files{
		"calc.py":           "def add(a, b):\n    return a + b\n",
		"tests/__init__.py": "\n",
		"tests/test_calc.py": `import unittest

from calc import add


class Add(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(2, 3), 5)

    def test_large(self):
        self.assertEqual(add(2000, 3), 2003)
`,
	}
}

const broken = "def add(a, b):\n    return a - b\n"

var unittest = []string{"--approved", "main", "--", "python3", "-m", "unittest"}

// TestProve: what the change did to the tests or added to them does not run; the approved tests do.
func TestProve(t *testing.T) {
	needs(t, "python3", "python3")
	weak := strings.NewReplacer("assertEqual", "assertTrue", ", 5)", ")", ", 2003)", ")").Replace(calculator()["tests/test_calc.py"])
	for name, c := range map[string]struct {
		change   files
		code     int
		restored []string
		aside    []string
	}{
		"good code":     {files{"calc.py": "def add(a, b):\n    return b + a\n"}, 0, nil, nil},
		"broken code":   {files{"calc.py": broken}, 1, nil, nil},
		"weakened test": {files{"calc.py": broken, "tests/test_calc.py": weak}, 1, []string{"tests/test_calc.py"}, nil},
		"test moved on": {files{"tests/test_calc.py": weak}, 0, []string{"tests/test_calc.py"}, nil},
		"test gone":     {files{"calc.py": broken, "tests/test_calc.py": ""}, 1, []string{"tests/test_calc.py"}, nil},
		"folder in place": {
			files{"calc.py": broken, "tests/test_calc.py": "", "tests/test_calc.py/x": "x"},
			1,
			[]string{"tests/test_calc.py"},
			[]string{"tests/test_calc.py/x"},
		},
		"link in place": {
			files{"calc.py": broken, "tests/test_calc.py": "-> ../calc.py"},
			1,
			[]string{"tests/test_calc.py"},
			nil,
		},
		"new test patches": {
			files{"calc.py": broken, "tests/test_a.py": "import calc\ncalc.add = lambda a, b: a + b\n"},
			1,
			nil,
			[]string{"tests/test_a.py"},
		},
		"load_tests": {
			files{"calc.py": broken, "tests/__init__.py": "def load_tests(*a):\n    import unittest\n    return unittest.TestSuite()\n"},
			1,
			[]string{"tests/__init__.py"},
			nil,
		},
		"sitecustomize": {
			files{"calc.py": broken, "sitecustomize.py": "import os, atexit\natexit.register(os._exit, 0)\n"},
			1,
			nil,
			[]string{"sitecustomize.py"},
		},
		"own unittest": {
			files{"calc.py": broken, "unittest.py": "class TestCase: pass\ndef main(*a, **k): pass\n"},
			1,
			nil,
			[]string{"unittest.py"},
		},
		"bytecode": {
			files{"calc.py": broken, "tests/__pycache__/x.cpython-311.pyc": "x"},
			1,
			nil,
			[]string{"tests/__pycache__/x.cpython-311.pyc"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, calculator())
			p.commit("Change", c.change)
			r := p.prove(unittest...)
			r.wants(t, c.code)
			if diff := cmp.Diff(append([]string{}, c.restored...), r.evidence.Restored); diff != "" {
				t.Errorf("restored (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append([]string{}, c.aside...), r.evidence.SetAside); diff != "" {
				t.Errorf("set aside (-want +got):\n%s", diff)
			}
			if r.evidence.Head != p.git("rev-parse", "HEAD") || r.evidence.Base != p.git("rev-parse", "main") ||
				r.evidence.Exit != 0 != (c.code == 1) {
				t.Errorf("evidence %+v", r.evidence)
			}
		})
	}
}

// TestUntracked: files that nobody committed stay, but for those on the test side.
func TestUntracked(t *testing.T) {
	p := newProject(t, calculator())
	p.commit("Break", files{"calc.py": broken})
	p.write(files{"tests/test_b.py": "import calc\ncalc.add = lambda a, b: a + b\n", "notes.txt": "mine\n", "local.py": "x = 1\n"})
	p.write(files{ // what jobs install and build, where nothing ignores it
		"node_modules/chai/index.js": "x\n", "node_modules/.bin/mocha": "x\n", "node_modules/a/test/a.test.js": "x\n",
		".venv/lib/python3/site-packages/pytest/__init__.py": "x\n", "tests/__pycache__/x.cpython-311.pyc": "x",
	})
	r := p.prove(unittest...)
	r.wants(t, 1)
	if diff := cmp.Diff([]string{"tests/test_b.py"}, r.evidence.SetAside); diff != "" {
		t.Errorf("set aside (-want +got):\n%s", diff)
	}
}

// TestNotRun: what keeps the tests from being run is said, and nothing is changed or written.
func TestNotRun(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(p *project)
		args []string
		says string
	}{
		"dirty": {func(p *project) { p.write(files{"calc.py": "x = 1\n"}) }, unittest, "not committed: calc.py"},
		"staged": {func(p *project) {
			p.write(files{"calc.py": "x = 1\n"})
			p.git("add", "calc.py")
		}, unittest, "not committed: calc.py"},
		"no approvals":     {func(*project) {}, []string{"--base", "main", "--", "true"}, "no approved tests"},
		"no such command":  {func(*project) {}, []string{"--approved", "main", "--", "nonsense-command"}, "no such command"},
		"no such revision": {func(*project) {}, []string{"--approved", "nowhere", "--", "true"}, "nowhere"},
		"no command":       {func(*project) {}, []string{"--approved", "main"}, "no command"},
		"missing results":  {func(*project) {}, []string{"--approved", "main", "--results", "r/*.xml", "--", "true"}, "r/*.xml"},
		"out is a file":    {func(*project) {}, []string{"--approved", "main", "--out", "calc.py", "--", "true"}, "calc.py"},
		"out is git's":     {func(*project) {}, []string{"--approved", "main", "--out", ".git/config", "--", "true"}, "git's own folder"},
		"out is nowhere":   {func(*project) {}, []string{"--approved", "main", "--out", "no/e.json", "--", "true"}, "make the folder first"},
		"fails on both":    {func(*project) {}, []string{"--approved", "main", "--", "false"}, "inconclusive"},
		"both revisions":   {func(*project) {}, []string{"--approved", "main", "--base", "main", "--", "true"}, "exclude"},
		"no such feature":  {func(*project) {}, []string{"--approved", "main", "--feature", "nope", "--", "true"}, "unknown feature"},
		"results of no kind": {
			func(*project) {}, []string{"--approved", "main", "--results", "r.xml", "--", "sh", "-c", "echo hi >r.xml"}, "r.xml",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, calculator())
			p.commit("Change", files{"calc.py": broken})
			c.do(p)
			before := p.state()
			r := p.call(c.args...)
			r.wants(t, 2, c.says)
			delete(before, "r.xml")
			after := p.state()
			delete(after, "r.xml")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("something changed (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOldEvidenceIsReplaced: a file that the command itself writes in the place of the evidence is never left there.
func TestForgedEvidence(t *testing.T) {
	p := newProject(t, calculator())
	p.commit("Change", files{"calc.py": broken})
	p.call("--approved", "main", "--", "sh", "-c", "echo forged >evidence.json; exit 1").wants(t, 2)
	if _, err := os.Lstat(p.at("evidence.json")); err == nil {
		t.Error("the command's own file stands as evidence")
	}
	r := p.call(unittest...)
	r.wants(t, 1)
	r = p.call("--approved", "main", "--", "sh", "-c", "echo forged >evidence.json")
	r.wants(t, 0)
	if r.evidence.Exit != 0 || len(r.evidence.Command) != 3 {
		t.Errorf("evidence %+v", r.evidence)
	}
}

// TestKeep: the approved tests stay in the work tree until the next call, which puts it back before anything else.
func TestKeep(t *testing.T) {
	p := newProject(t, calculator())
	p.commit("Change", files{"tests/test_calc.py": "# nothing\n", "tests/test_new.py": "# new\n"})
	before := p.state()
	p.call(append([]string{"--keep"}, unittest...)...).wants(t, 0)
	if data, _ := os.ReadFile(p.at("tests/test_calc.py")); string(data) != calculator()["tests/test_calc.py"] {
		t.Errorf("the approved test is not there:\n%s", data)
	}
	if _, err := os.Lstat(p.at("tests/test_new.py")); err == nil {
		t.Error("the new test is still there")
	}
	p.call("--approved", "main", "--", "true").wants(t, 0, "as it was before it")
	after := p.state()
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s: %s, was %s", name, after[name], was)
		}
	}
}

// TestSignals: a signal goes to all that the command started; the work tree is put back, and nothing is claimed.
func TestSignals(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := newProject(t, calculator())
			p.commit("Change", files{"tests/test_calc.py": "# weak\n", "tests/test_new.py": "# new\n"})
			before := p.state()
			ready := filepath.Join(t.TempDir(), "ready")
			script := `trap 'exit 0' TERM INT; sleep 60 & echo $! >"$1.tmp"; mv "$1.tmp" "$1"; wait`
			cmd := exec.Command(binary, "prove", "--approved", "main", "--", "sh", "-c", script, "sh", ready)
			cmd.Dir = p.dir
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var child []byte
			for range 500 {
				if child, _ = os.ReadFile(ready); child != nil {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			if data, _ := os.ReadFile(p.at("tests/test_calc.py")); string(data) != calculator()["tests/test_calc.py"] {
				t.Errorf("the approved test does not stand while the command runs:\n%s", data)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); sig != syscall.SIGKILL && code != 2 {
				t.Errorf("exit status %d, want 2", code)
			}
			if sig == syscall.SIGKILL { // the next call puts things back
				p.call("--approved", "main", "--", "true").wants(t, 0, "An earlier call was interrupted")
			} else if stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(child)) + "/stat"); err == nil &&
				!strings.Contains(string(stat), ") Z ") {
				t.Errorf("the command's child %s still runs", child)
			}
			after := p.state()
			delete(after, "evidence.json")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("not as before (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRed: tests that came with the change fail without it, or they demand nothing.
func TestRed(t *testing.T) {
	needs(t, "python3", "python3")
	test := func(expect string) string {
		return "import unittest\nimport calc\n\n\nclass Sub(unittest.TestCase):\n    def test_it(self):\n        self." + expect + "\n"
	}
	sub := calculator()["calc.py"] + "\n\ndef sub(a, b):\n    return a - b\n"
	for name, c := range map[string]struct {
		change files
		code   int
		says   string
	}{
		"demands": {
			files{"calc.py": sub, "tests/test_sub.py": test("assertEqual(calc.sub(3, 1), 2)")},
			0,
			"they demand it",
		},
		"demands nothing": {
			files{"calc.py": sub, "tests/test_sub.py": test("assertEqual(calc.add(3, 1), 4)")},
			1,
			"demand nothing new",
		},
		"with a helper": {
			files{
				"calc.py": sub, "tests/help.py": "import calc\nsub = calc.sub\n",
				"tests/test_sub.py": "import tests.help\n" + test("assertTrue(True)"),
			},
			0,
			"they demand it",
		},
		"no tests changed": {files{"calc.py": sub}, 2, "no new or changed tests"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, calculator())
			p.commit("Change", c.change)
			r := p.prove("--red", "--base", "main", "--", "python3", "-m", "unittest")
			r.wants(t, c.code, c.says)
			if c.code < 2 && (!r.evidence.Red || len(r.evidence.Approved) > 0) {
				t.Errorf("evidence %+v", r.evidence)
			}
		})
	}
}

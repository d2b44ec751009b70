package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// pointer is what git holds in place of a file that Git LFS keeps.
var pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("4d7a2146", 8) + "\nsize 12345\n"

const signInTest = "from src.login import login\n\n\ndef test_login():\n" +
	"    \"\"\"The right password is let in.\"\"\"\n    assert login(\"a@example.com\", \"a\")\n"

// TestLFSPointerIsNoContent: what nobody can read is approved by nobody, whatever the model says.
func TestLFSPointerIsNoContent(t *testing.T) {
	t.Parallel()
	base := map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config}
	const code = "def login(email, password):\n    return email\n"
	for name, c := range map[string]struct {
		main, pr map[string]string
		code     int
		decision string
		asked    bool // a model is asked about what can be read
	}{
		"a spec":   {base, map[string]string{"specs/proposed/login.md": pointer}, 1, "NEEDS-CHANGES", false},
		"a vision": {base, map[string]string{"VISION.md": pointer}, 1, "NEEDS-CHANGES", false},
		"a source": {base, map[string]string{"src/login.py": pointer}, 1, "NEEDS-CHANGES", false},
		"a test":   {base, map[string]string{"tests/test_login.py": pointer}, 1, "NEEDS-CHANGES", false},
		"a bug": {
			base, map[string]string{"bugs/fixing/crash.md": pointer, "src/login.py": code}, 1, "NEEDS-CHANGES", false,
		},
		"one of two": {
			base, map[string]string{"src/login.py": code, "src/other.py": pointer}, 1, "NEEDS-CHANGES", true,
		},
		"the spec of code": {
			with(base, map[string]string{"specs/doing/login.md": pointer}), map[string]string{"src/login.py": code}, 2, "ERROR", false,
		},
		"the spec of tests": {
			with(base, map[string]string{"specs/doing/login.md": pointer}),
			map[string]string{"tests/test_login.py": signInTest},
			2, "ERROR", false,
		},
		"the criteria": {
			with(base, map[string]string{"Workflow/schema-spec.md": pointer}),
			map[string]string{"specs/proposed/login.md": goodSpec},
			2, "ERROR",
			false,
		},
		"the role": {
			with(base, map[string]string{"Workflow/role-spec-reviewer.md": pointer}),
			map[string]string{"specs/proposed/login.md": goodSpec},
			2,
			"ERROR", false,
		},
		"the config": {
			map[string]string{".workflow/config.json": pointer},
			map[string]string{"specs/proposed/login.md": goodSpec},
			2, "ERROR", false,
		},
		"a text about it": {
			base, map[string]string{"specs/proposed/login.md": goodSpec + "\n## Storage\n\n```\n" + pointer + "```\n"}, 0, "APPROVED", true,
		},
		"the context": {
			with(base, map[string]string{"CLAUDE.md": pointer}),
			map[string]string{"specs/proposed/login.md": goodSpec},
			0, "APPROVED", true,
		},
		"data of tests": {
			base, map[string]string{"tests/test_login.py": signInTest, "tests/data/users.csv": pointer}, 0, "APPROVED", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := false
			w := newWorld(t, c.main, c.pr, func(r codextest.Request) codextest.Response {
				asked = true
				if strings.Contains(r.Prompt, "oid sha256:") && name != "a text about it" {
					t.Errorf("the model was shown the pointer as content:\n%s", r.Prompt)
				}
				return answer("APPROVED")
			})
			o := w.run(w.pull("opened"))
			o.ends(c.code, c.decision)
			if asked != c.asked {
				t.Errorf("a model was asked: %t, want %t", asked, c.asked)
			}
			all := o.stdout + o.stderr + o.summary + o.saved("report.json")
			if said := strings.Contains(all, "Git LFS pointer"); said != (name != "a text about it") {
				t.Errorf("it says so: %t\n%s%s\n%s", said, o.stdout, o.stderr, o.summary)
			}
			w.allClosed()
		})
	}
}

// TestNobodyDecidesOnAPointer: a comment overrides no review that refused what cannot be read.
func TestNobodyDecidesOnAPointer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap}, map[string]string{
		"src/login.py": "def login(email, password):\n    return email\n", "src/other.py": pointer,
	}, codextest.Always(answer("APPROVED")))
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Author: "dev"})
	w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
	n, head := len(w.gh.Requests()), w.head()
	w.run(w.comment("octocat", "/override implementation:login it is only data")).ends(0, "NONE")
	sent := strings.Join(w.sent(n), "\n")
	if w.head() != head || !strings.Contains(sent, "cannot be read cannot be overruled") {
		t.Error(sent)
	}
}

// TestLFSPointerWithRules: the built-in checks do not measure a pointer either.
func TestLFSPointerWithRules(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"specs/proposed/login.md", "src/login.py", "tests/test_login.py", "SCOPE.md"} {
		w := newWorld(t, map[string]string{"ROADMAP.md": roadmap}, map[string]string{file: pointer}, nil)
		o := w.run(w.pull("opened"))
		o.ends(1, "NEEDS-CHANGES")
		if !strings.Contains(o.summary, "Git LFS pointer") || strings.Contains(o.summary, "words") {
			t.Errorf("%s: %s", file, o.summary)
		}
	}
}

// TestLFSPointerOfApprovedTests: a pointer is compared by its id alone.
func TestLFSPointerOfApprovedTests(t *testing.T) {
	t.Parallel()
	other := strings.Replace(pointer, "4d7a", "0000", 1)
	steered := "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef skip():\n    pytest.skip()\n"
	for name, c := range map[string]struct {
		main, pr map[string]string
		code     int
		says     string
	}{
		"tests become a pointer": {nil, map[string]string{adderAt: pointer}, 1, "it is a Git LFS pointer"},
		"another pointer": {
			map[string]string{adderAt: pointer}, map[string]string{adderAt: other}, 1, "it is a Git LFS pointer",
		},
		"the same pointer": {
			map[string]string{adderAt: pointer}, map[string]string{"src/adder.py": adderCode}, 0, "clean",
		},
		"a pointer becomes text": {
			map[string]string{adderAt: pointer}, map[string]string{adderAt: adderTests}, 1, "it is a Git LFS pointer",
		},
		"a new conftest.py": {
			nil, map[string]string{"tests/conftest.py": pointer}, 1, "it is a Git LFS pointer",
		},
		"a conftest.py before": {
			map[string]string{"tests/conftest.py": steered},
			map[string]string{"tests/conftest.py": pointer},
			1,
			"Git LFS",
		},
		"code": {nil, map[string]string{"src/adder.py": pointer}, 2, "it is a Git LFS pointer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := with(adderMain(false), c.main)
			main[recordAt] = record("adder", 1, map[string]string{adderAt: main[adderAt]})
			dir := adderClone(t, main, c.pr)
			code, stdout, stderr := program(t, "integrity", "--repo", dir, "--base", "origin/main", "--head", "HEAD", "--json")
			if code != c.code || !strings.Contains(stdout, c.says) {
				t.Errorf("exit status %d, want %d and %q\n%s%s", code, c.code, c.says, stdout, stderr)
			}
		})
	}
}

// TestLFSPointerAmongResults: measurements that were not checked out are not read as such.
func TestLFSPointerAmongResults(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"coverage-report", "test-results"} {
		w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, "specs/doing/login.md": goodSpec},
			map[string]string{"tests/test_login.py": signInTest}, nil)
		if err := os.WriteFile(filepath.Join(w.workspace, "measured.xml"), []byte(pointer), 0o600); err != nil {
			t.Fatal(err)
		}
		w.inputs[input] = "measured.xml"
		o := w.run(w.pull("opened"))
		o.ends(2, "ERROR")
		if !strings.Contains(o.stdout+o.stderr+o.summary, `lfs: true`) {
			t.Errorf("%s: no advice\n%s%s", input, o.stdout, o.stderr)
		}
	}
}

// TestLFSPointerForTools: a model that looks around is told that there is nothing to see.
func TestLFSPointerForTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap}, map[string]string{
		"specs/proposed/login.md": goodSpec, "docs/big.md": pointer,
	}, codextest.Explore(answer("APPROVED"),
		codextest.Call("read_file", map[string]any{"path": "docs/big.md"}),
		codextest.Call("diff", map[string]any{"path": "docs/big.md"}),
		codextest.Call("search", map[string]any{"query": "oid sha256"}),
	)).withCodex()
	w.run(w.pull("opened")).ends(0, "APPROVED")
	rs := w.model.Requests()
	seen := strings.Join(rs[len(rs)-1].Outputs, "\n---\n")
	if strings.Count(seen, "it is a Git LFS pointer") < 2 || !strings.Contains(seen, "Git LFS pointers, or larger") ||
		strings.Contains(seen, "4d7a2146") {
		t.Errorf("the model saw\n%s", seen)
	}
}

// TestRestoreLeavesLFSAlone: an approved pointer stands for what git lfs made of it.
func TestRestoreLeavesLFSAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pr   map[string]string
		code int
	}{
		"the pointer is the approved one": {map[string]string{"src/adder.py": adderCode}, 0},
		"the head has another": {
			map[string]string{adderAt: strings.Replace(pointer, "4d7a", "0000", 1)}, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := with(adderMain(false), map[string]string{adderAt: pointer})
			main[recordAt] = record("adder", 1, map[string]string{adderAt: pointer})
			w := checkedOut{t, adderClone(t, main, c.pr)}
			w.must(os.WriteFile(w.at(adderAt), []byte(adderTests), 0o600))
			code, stdout, stderr := program(t, "restore", "--repo", w.dir, "--base", "origin/main")
			if code != c.code || code == 2 && !strings.Contains(stderr, "Git LFS pointer") {
				t.Errorf("exit status %d, want %d\n%s%s", code, c.code, stdout, stderr)
			}
			w.holds(adderAt, adderTests)
		})
	}
}

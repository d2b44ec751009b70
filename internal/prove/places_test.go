package prove_test

import (
	"os"
	"path/filepath"
	"testing"
)

// weakened is a change under which the project's own tests pass and the approved ones do not.
func weakened() files {
	return files{"calc.py": broken, "tests/test_calc.py": "# nothing\n", "tests/test_new.py": "# new\n"}
}

// TestLinkedWorktree: the journal is in the work tree's own git folder.
func TestLinkedWorktree(t *testing.T) {
	needs(t, "python3", "python3")
	p := newProject(t, calculator())
	p.commit("Change", weakened())
	linked := &project{t, filepath.Join(t.TempDir(), "linked")}
	p.git("worktree", "add", "-q", "--detach", linked.dir)
	linked.prove(unittest...).wants(t, 1)
	if _, err := os.Stat(p.at(".git/worktrees/linked/workflow-reviewer/prove/lock")); err != nil {
		t.Error(err)
	}
}

// TestSubmodule: in a submodule the work tree is its own, and what surrounds it is not touched.
func TestSubmodule(t *testing.T) {
	needs(t, "python3", "python3")
	inner := newProject(t, calculator())
	inner.commit("Change", weakened())
	outer := newProject(t, files{"README.md": "outer\n"})
	outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "inner")
	outer.git("commit", "-q", "-m", "Add")
	p := &project{t, outer.at("inner")}
	p.git("checkout", "-q", "change")
	p.git("branch", "-q", "main", "origin/main")
	p.prove(unittest...).wants(t, 1)
	outer.prove("--approved", "HEAD", "--", "true").wants(t, 2, "no test")
}

// TestFolderOfARepository: the command runs where prove is called, and results are looked for there.
func TestFolderOfARepository(t *testing.T) {
	p := newProject(t, files{"pkg/tests/test_a.py": "# a test\n", "README.md": "x\n"})
	p.commit("Change", files{"README.md": "y\n"})
	sub := &project{t, p.at("pkg")}
	r := sub.call("--approved", "main", "--results", "r.xml", "--", "sh", "-c",
		"test -f tests/test_a.py && echo '<testsuite><testcase name=\"a\"/></testsuite>' >r.xml")
	r.wants(t, 0)
	if len(r.evidence.Results) != 1 || r.evidence.Results[0].Path != "r.xml" {
		t.Errorf("evidence %+v", r.evidence)
	}
}

// TestCommandChangesFiles: what the command does to tracked files is undone; what it makes stays. Where it changes approved
// tests, nothing tells which of them ran.
func TestCommandChangesFiles(t *testing.T) {
	p := newProject(t, calculator())
	p.git("config", "core.autocrlf", "true")
	p.commit("Change", files{
		"crlf.txt": "a\nb\n", "big.bin": string(make([]byte, 9<<20)), "run.sh": "#!/bin/sh\n", "link": "-> calc.py",
	})
	if err := os.Remove(p.at("crlf.txt")); err != nil {
		t.Fatal(err)
	}
	p.git("checkout", "crlf.txt")
	if data, _ := os.ReadFile(p.at("crlf.txt")); string(data) != "a\r\nb\r\n" {
		t.Fatalf("git writes %q", data)
	}
	script := "echo x >calc.py; echo x >tests/test_calc.py; rm crlf.txt big.bin; chmod -x run.sh; " +
		"ln -sf run.sh link; rm -r tests; mkdir -p out && echo x >out/coverage.xml; echo x >tests"
	p.prove("--approved", "main", "--", "sh", "-c", script).wants(t, 2,
		"the command changes approved files while it runs: tests/__init__.py, tests/test_calc.py")
	if data, err := os.ReadFile(p.at("out/coverage.xml")); err != nil || string(data) != "x\n" {
		t.Errorf("what the command made: %q, %v", data, err)
	}
}

// TestDetachedMerge: as in CI the merge commit of a pull request is checked out, and the base is a branch of origin.
func TestDetachedMerge(t *testing.T) {
	needs(t, "python3", "python3")
	p := newProject(t, calculator())
	p.approve("calc", "tests/test_calc.py", "tests/__init__.py")
	p.commit("Change", weakened())
	p.git("checkout", "-q", "--detach", "main")
	p.git("merge", "-q", "--no-ff", "-m", "Merge", "change")
	r := p.prove("--base", "main", "--", "python3", "-m", "unittest")
	r.wants(t, 1)
	if len(r.evidence.Parents) != 2 || r.evidence.Parents[1] != p.git("rev-parse", "change") {
		t.Errorf("parents %v", r.evidence.Parents)
	}
}

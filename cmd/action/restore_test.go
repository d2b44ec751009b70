package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// checkedOut is a clone with a work tree.
type checkedOut struct {
	t   *testing.T
	dir string
}

func (c checkedOut) at(p string) string { return filepath.Join(c.dir, p) }

func (c checkedOut) holds(p, want string) {
	c.t.Helper()
	if got := read(c.t, c.at(p)); got != want {
		c.t.Errorf("%s holds\n%s\nwant\n%s", p, got, want)
	}
}

func (c checkedOut) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// TestRestore: the work tree gets the approved bytes, and nothing else changes.
func TestRestore(t *testing.T) {
	t.Parallel()
	const hook = "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n" +
		"    outcome = yield\n    outcome.get_result().outcome = 'passed'\n"
	main := with(adderMain(true), map[string]string{"tests/test_more.py": adderMore})
	main[recordAt] = record("adder", 1, map[string]string{adderAt: adderTests, "tests/test_more.py": adderMore})
	c := checkedOut{t, adderClone(t, main, map[string]string{adderAt: adderWeak, "src/adder.py": adderCode, "tests/conftest.py": hook})}
	c.must(os.Remove(c.at("tests/test_more.py")))
	c.must(os.WriteFile(c.at("untracked.txt"), []byte("mine\n"), 0o600))
	code, stdout, stderr := program(t, "restore", "--repo", c.dir)
	if code != 0 {
		t.Fatalf("exit status %d\n%s%s", code, stdout, stderr)
	}
	c.holds(adderAt, adderTests)
	c.holds("tests/test_more.py", adderMore)
	c.holds("src/adder.py", adderCode)
	c.holds("untracked.txt", "mine\n")
	c.holds("tests/conftest.py", hook)
	for _, want := range []string{
		"restored " + adderAt, "restored tests/test_more.py", "2 differed", "warning: tests/conftest.py:",
		"is not approved and stays",
	} {
		if strings.Contains(strings.ReplaceAll(stdout, "of which ", ""), want) {
			continue
		}
		t.Errorf("it does not say %q:\n%s", want, stdout)
	}
	if status := gitIn(t, c.dir, "status", "--porcelain"); strings.TrimSpace(status) != "M "+adderAt+"\n?? untracked.txt" {
		t.Errorf("the work tree differs in\n%s", status)
	}
	code, stdout, _ = program(t, "restore", "--repo", c.dir, "--feature", "adder")
	if code != 0 || !strings.Contains(stdout, "of which 0 differed") || strings.Contains(stdout, "restored "+adderAt) {
		t.Errorf("the second time: exit status %d\n%s", code, stdout)
	}
}

// TestRestoreLosesNoWork: changes that are not committed are named and kept, unless the user forces it.
func TestRestoreLosesNoWork(t *testing.T) {
	t.Parallel()
	const mine = adderTests + "# my work\n"
	for name, c := range map[string]struct {
		do   func(c checkedOut)
		says string // of the file; "" where nothing would be lost
	}{
		"an edit": {func(c checkedOut) { c.must(os.WriteFile(c.at(adderAt), []byte(mine), 0o600)) }, mine},
		"a staged edit": {func(c checkedOut) {
			c.must(os.WriteFile(c.at(adderAt), []byte(mine), 0o600))
			gitIn(c.t, c.dir, "add", adderAt)
		}, mine},
		"a file that git does not know": {func(c checkedOut) {
			gitIn(c.t, c.dir, "rm", "-q", "--cached", adderAt)
			gitIn(c.t, c.dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "Untrack")
			c.must(os.WriteFile(c.at(adderAt), []byte(mine), 0o600))
		}, mine},
		"a deletion": {func(c checkedOut) { c.must(os.Remove(c.at(adderAt))) }, ""},
		"an edit of another": {
			func(c checkedOut) { c.must(os.WriteFile(c.at("src/adder.py"), []byte(mine), 0o600)) }, "",
		},
		"a committed edit": {func(checkedOut) {}, ""},
		"a touch of the file": {
			func(c checkedOut) { c.must(os.Chtimes(c.at(adderAt), time.Time{}, time.Unix(1e9, 0))) }, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := with(adderMain(true), map[string]string{"tests/test_more.py": adderMore})
			main[recordAt] = record("adder", 1, map[string]string{adderAt: adderTests, "tests/test_more.py": adderMore})
			w := checkedOut{t, adderClone(t, main, map[string]string{
				adderAt: adderWeak, "tests/test_more.py": adderWeak, "src/adder.py": adderCode,
			})}
			c.do(w)
			restore := func(more ...string) (int, string) {
				code, stdout, stderr := program(t, append([]string{"restore", "--repo", w.dir, "--base", "origin/main"}, more...)...)
				return code, stdout + stderr
			}
			before := gitIn(t, w.dir, "status", "--porcelain")
			code, text := restore("--dry-run")
			if code != 0 || !strings.Contains(text, "would restore tests/test_more.py") ||
				strings.Contains(text, "warning: "+adderAt+" has changes") != (c.says != "") {
				t.Errorf("--dry-run: exit status %d\n%s", code, text)
			}
			if after := gitIn(t, w.dir, "status", "--porcelain"); after != before {
				t.Errorf("--dry-run changed the work tree:\n%s", after)
			}
			w.holds("tests/test_more.py", adderWeak)
			if c.says != "" {
				code, text := restore()
				if code != 2 || !strings.Contains(text, adderAt) || !strings.Contains(text, "--force") ||
					strings.Contains(text, "restored tests") {
					t.Errorf("exit status %d\n%s", code, text)
				}
				w.holds(adderAt, c.says)
				w.holds("tests/test_more.py", adderWeak)
				code, text = restore("--force")
				if code != 0 {
					t.Errorf("--force: exit status %d\n%s", code, text)
				}
			} else if code, text := restore(); code != 0 {
				t.Errorf("exit status %d\n%s", code, text)
			}
			w.holds(adderAt, adderTests)
			w.holds("tests/test_more.py", adderMore)
		})
	}
}

// TestRestoreFollowsNoLink: what a branch puts in the way of an approved file
// never leads a write elsewhere.
func TestRestoreFollowsNoLink(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(c checkedOut, outside string)
		code int
		says string
	}{
		"file is a link out": {func(c checkedOut, outside string) {
			c.must(os.Remove(c.at(adderAt)))
			c.must(os.Symlink(filepath.Join(outside, "victim"), c.at(adderAt)))
		}, 0, "restored " + adderAt},
		"file is a link within": {func(c checkedOut, _ string) {
			c.must(os.Remove(c.at(adderAt)))
			c.must(os.Symlink("../src/adder.py", c.at(adderAt)))
		}, 0, "restored " + adderAt},
		"folder is a link out": {func(c checkedOut, outside string) {
			c.must(os.RemoveAll(c.at("tests")))
			c.must(os.Symlink(outside, c.at("tests")))
		}, 2, `"tests" is not a folder`},
		"folder is a link within": {func(c checkedOut, _ string) {
			c.must(os.RemoveAll(c.at("tests")))
			c.must(os.Symlink("src", c.at("tests")))
		}, 2, `"tests" is not a folder`},
		"folder is a file": {func(c checkedOut, _ string) {
			c.must(os.RemoveAll(c.at("tests")))
			c.must(os.WriteFile(c.at("tests"), nil, 0o600))
		}, 2, `"tests" is not a folder`},
		"file is a folder": {func(c checkedOut, _ string) {
			c.must(os.Remove(c.at(adderAt)))
			c.must(os.Mkdir(c.at(adderAt), 0o700))
		}, 2, "a folder stands in its place"},
		"folder is gone": {
			func(c checkedOut, _ string) { c.must(os.RemoveAll(c.at("tests"))) }, 0, "restored " + adderAt,
		},
		"file runs": {
			func(c checkedOut, _ string) { c.must(os.Chmod(c.at(adderAt), 0o755)) }, 0, "restored " + adderAt,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := checkedOut{t, adderClone(t, adderMain(true), map[string]string{"src/adder.py": adderCode})}
			outside := t.TempDir()
			w.must(os.WriteFile(filepath.Join(outside, "victim"), []byte("victim\n"), 0o600))
			c.do(w, outside)
			code, stdout, stderr := program(t, "restore", "--repo", w.dir, "--base", "origin/main", "--force")
			if code != c.code || !strings.Contains(stdout+stderr, c.says) {
				t.Fatalf("exit status %d, want %d and %q\n%s%s", code, c.code, c.says, stdout, stderr)
			}
			if got := read(t, filepath.Join(outside, "victim")); got != "victim\n" {
				t.Errorf("a file outside was written: %q", got)
			}
			if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
				t.Errorf("outside there are %v, %v", entries, err)
			}
			w.holds("src/adder.py", adderCode)
			if code == 0 {
				w.holds(adderAt, adderTests)
				info, err := os.Lstat(w.at(adderAt))
				w.must(err)
				if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0 {
					t.Errorf("its mode is %v", info.Mode())
				}
			}
		})
	}
}

// TestRestoreNeedsApprovals: without any it did not run.
func TestRestoreNeedsApprovals(t *testing.T) {
	t.Parallel()
	dir := adderClone(t, adderMain(false), map[string]string{adderAt: adderWeak})
	for _, args := range [][]string{
		{"restore", "--repo", dir},
		{"restore", "--repo", dir, "--feature", "nothing"},
		{"restore", "--repo", dir, "--base", "nowhere"},
		{"restore", "x"},
	} {
		if code, stdout, stderr := program(t, args...); code != 2 || stderr == "" {
			t.Errorf("%v: exit status %d\n%s%s", args, code, stdout, stderr)
		}
	}
	if got := read(t, filepath.Join(dir, adderAt)); got != adderWeak {
		t.Errorf("something was written:\n%s", got)
	}
}

// TestRestoreOfTheBranchsOwnApproval: what was approved on the branch is
// restored, too, whatever was done to its record.
func TestRestoreOfTheBranchsOwnApproval(t *testing.T) {
	t.Parallel()
	dir := weakenedClone(t)
	code, stdout, stderr := program(t, "restore", "--repo", dir, "--base", "origin/main")
	if code != 0 || !strings.Contains(stdout, "restored "+adderAt) || !strings.Contains(stdout, "unauthenticated") ||
		!strings.Contains(stdout, "Approval record removed") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
	if got := read(t, filepath.Join(dir, adderAt)); got != adderTests {
		t.Errorf("the test is\n%s", got)
	}
}

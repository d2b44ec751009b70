package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRestoreSeams: what was approved is restored or it is said that it is not,
// and no byte is written anywhere else.
func TestRestoreSeams(t *testing.T) {
	t.Parallel()
	listing := func(p string) string { return record("adder", 1, map[string]string{p: "planted\n"}) }
	for name, c := range map[string]struct {
		record string // on the base, "" for the right one
		do     func(c checkedOut, outside string)
		code   int
		says   string
	}{
		"a hard link to a file outside": {"", func(c checkedOut, outside string) {
			c.must(os.Remove(c.at(adderAt)))
			c.must(os.Link(filepath.Join(outside, "victim"), c.at(adderAt)))
		}, 0, "restored " + adderAt},
		"a pipe in the file's place": {"", func(c checkedOut, _ string) {
			c.must(os.Remove(c.at(adderAt)))
			c.must(syscall.Mkfifo(c.at(adderAt), 0o600))
		}, 0, "restored " + adderAt},
		"a read-only file": {"", func(c checkedOut, _ string) {
			c.must(os.WriteFile(c.at(adderAt), []byte(adderWeak), 0o600))
			c.must(os.Chmod(c.at(adderAt), 0o400))
		}, 0, "restored " + adderAt},
		"a link to nothing": {"", func(c checkedOut, outside string) {
			c.must(os.Remove(c.at(adderAt)))
			c.must(os.Symlink(filepath.Join(outside, "new"), c.at(adderAt)))
		}, 0, "restored " + adderAt},
		"the record and the test deleted": {"", func(c checkedOut, _ string) {
			gitIn(c.t, c.dir, "rm", "-q", recordAt, adderAt)
			gitIn(c.t, c.dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "Clean up")
		}, 0, "restored " + adderAt},
		"an index that is locked": {"", func(c checkedOut, _ string) {
			c.must(os.WriteFile(c.at(adderAt), []byte(adderWeak), 0o600))
			c.must(os.WriteFile(c.at(".git/index.lock"), nil, 0o600))
		}, 0, "restored " + adderAt},
		"a record that names a file above": {listing("../victim"), nil, 2, "is no path inside the repository"},
		"a record with an absolute path":   {listing("/tmp/victim"), nil, 2, "is no path inside the repository"},
		"a record that names git's own":    {listing(".git/hooks/post-checkout"), nil, 2, "is no path inside the repository"},
		"a record cut short":               {listing(adderAt)[:100], nil, 2, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := adderMain(true)
			if c.record != "" {
				main[recordAt] = c.record
			}
			w := checkedOut{t, adderClone(t, main, map[string]string{"src/adder.py": adderCode})}
			outside := t.TempDir()
			w.must(os.WriteFile(filepath.Join(outside, "victim"), []byte("victim\n"), 0o600))
			if c.do != nil {
				c.do(w, outside)
			}
			code, stdout, stderr := program(t, "restore", "--repo", w.dir, "--base", "origin/main", "--force")
			if code != c.code || !strings.Contains(stdout+stderr, c.says) {
				t.Fatalf("exit status %d, want %d and %q\n%s%s", code, c.code, c.says, stdout, stderr)
			}
			w.holds(adderAt, adderTests)
			if got := read(t, filepath.Join(outside, "victim")); got != "victim\n" {
				t.Errorf("a file outside was written: %q", got)
			}
			for _, p := range []string{filepath.Join(outside, "new"), w.at(".git/hooks/post-checkout"), filepath.Join(w.dir, "../victim")} {
				if _, err := os.Lstat(p); err == nil {
					t.Errorf("%s was written", p)
				}
			}
		})
	}
}

// TestRestoreOnAFullDisk: what cannot be written whole stays as it is.
func TestRestoreOnAFullDisk(t *testing.T) {
	t.Parallel()
	main := adderMain(false)
	main[adderAt] = adderTests + strings.Repeat("# the end\n", 10_000)
	main[recordAt] = record("adder", 1, map[string]string{adderAt: main[adderAt]})
	w := checkedOut{t, adderClone(t, main, map[string]string{"src/adder.py": adderCode})}
	w.must(os.WriteFile(w.at(adderAt), []byte(adderWeak), 0o600))
	cmd := exec.CommandContext(t.Context(), "bash", "-c", `ulimit -f 16; exec "$0" "$@"`, binary, "restore", "--repo", w.dir,
		"--base", "origin/main", "--force")
	cmd.Env = []string{"PATH=/nonexistent", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "file too large") {
		t.Errorf("exit status %d, %v\n%s", code, err, out)
	}
	w.holds(adderAt, adderWeak)
	if left, err := filepath.Glob(w.at("tests/*")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

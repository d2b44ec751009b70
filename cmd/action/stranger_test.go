package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// firstFinding is how long it may take somebody who has nothing from the archive to what is wrong with their change.
const firstFinding = 60 * time.Second

// stranger is somebody on a machine with git, a shell and the archive of a release.
type stranger struct {
	t    *testing.T
	home string
	repo string
}

// newStranger packs an archive as scripts/archive.sh does, of the program under test.
func newStranger(t *testing.T) stranger {
	t.Helper()
	s := stranger{t: t, home: t.TempDir()}
	const name = "workflow-reviewer-1.2.3-linux-amd64"
	hook, err := os.ReadFile("../../examples/hooks/pre-push")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	s.write("release/"+name+"/workflow-reviewer", string(program), 0o755)
	s.write("release/"+name+"/hooks/pre-push", string(hook), 0o755)
	s.sh("cd release && tar -czf " + name + ".tar.gz " + name + " && rm -r " + name)
	archive, err := os.ReadFile(filepath.Join(s.home, "release", name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(archive)
	s.write("release/SHA256SUMS", hex.EncodeToString(sum[:])+"  "+name+".tar.gz\n", 0o644)
	return s
}

func (s stranger) write(name, text string, mode os.FileMode) {
	s.t.Helper()
	file := filepath.Join(s.home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
}

// try runs lines of a shell in the home folder.
func (s stranger) try(lines string) (string, int) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "sh", "-e", "-c", lines)
	cmd.Dir = s.home
	cmd.Env = []string{
		"PATH=" + s.home + "/.local/bin:/usr/bin:/bin", "HOME=" + s.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	out, _ := cmd.CombinedOutput() // its status tells
	return string(out), cmd.ProcessState.ExitCode()
}

func (s stranger) sh(lines string) string {
	s.t.Helper()
	out, code := s.try(lines)
	if code != 0 {
		s.t.Fatalf("%s: status %d\n%s", lines, code, out)
	}
	return out
}

// install is the block of README.md that installs the archive. In place of curl the release's folder is read.
func (s stranger) install() {
	s.t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, block := range strings.Split(string(readme), "```bash\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if strings.Contains(block, "SHA256SUMS") {
			s.write("bin/curl", "#!/bin/sh\nfile=$HOME/release/${2##*/}\ncase $1 in *O) cp \"$file\" . ;; *) cat \"$file\" ;; esac\n", 0o755)
			s.sh("PATH=$HOME/bin:$PATH\n" + strings.ReplaceAll(block, "VERSION", "1.2.3"))
			return
		}
	}
	s.t.Fatal("README.md does not say how to install an archive")
}

// project is a repository of their own, with a test that an agent weakens on a branch.
func (s stranger) project() {
	s.t.Helper()
	s.write("shop/cart.py", "def total(prices):\n    return sum(prices)\n", 0o644)
	s.write("shop/test_cart.py", "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n", 0o644)
	s.sh("cd shop && git init -q -b main && git add . && git commit -q -m Begin")
}

const weaken = `cd shop && git switch -q -c feature/discount && sed -i 's/ == 3/ > 0/' test_cart.py && git commit -q -a -m Discount`

// TestStrangersPath: from nothing but git and the archive to the first true finding in a minute.
func TestStrangersPath(t *testing.T) {
	t.Parallel()
	s := newStranger(t)
	s.project()
	begun := time.Now()
	s.install()
	if out := s.sh("cd shop && workflow-reviewer init"); !strings.Contains(out, "Tests     python -m pytest") {
		t.Errorf("init:\n%s", out)
	}
	s.sh("cd shop && git add . && git commit -q -m 'Review pull requests'")
	s.sh(weaken)
	out, code := s.try("cd shop && workflow-reviewer local")
	took := time.Since(begun)
	if code != 0 || !strings.Contains(out, "test_cart.py:5") || !strings.Contains(out, "assert total([1, 2]) > 0") {
		t.Errorf("local ends %d:\n%s", code, out)
	}
	if took > firstFinding {
		t.Errorf("it took %s", took)
	}
	t.Logf("archive → init → local: %s", took.Round(time.Millisecond))
}

// TestStrangersHook: the same with the hook, which refuses to push what demands less than was approved.
func TestStrangersHook(t *testing.T) {
	t.Parallel()
	s := newStranger(t)
	s.project()
	s.write("shop/.workflow/config.json", `{"features":{"cart":["**"]},"integrity":{"baseline":"enforce"}}`, 0o644)
	s.sh("git init -q --bare origin.git && cd shop && git add . && git commit -q -m Settings && git remote add origin ../origin.git && " +
		"git push -q origin main")
	begun := time.Now()
	s.install()
	s.sh("cd shop && cp ../.local/bin/hooks/pre-push .git/hooks/")
	s.sh(weaken)
	out, code := s.try("cd shop && git push -q origin feature/discount")
	took := time.Since(begun)
	if code == 0 || !strings.Contains(out, "Test integrity: breach") || !strings.Contains(out, "test_cart.py:5") {
		t.Errorf("push ends %d:\n%s", code, out)
	}
	if took > firstFinding {
		t.Errorf("it took %s", took)
	}
	t.Logf("archive → hook → push: %s", took.Round(time.Millisecond))
}

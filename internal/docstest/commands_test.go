package docstest

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/action"
	"workflow-reviewer/internal/programtest"
)

// TestCommands checks every line of every shell block: the subcommand and its
// flags, the make target, or the file must exist. Commands of the program run in
// an empty repository, with the program on the PATH; of a clone they need nothing.
func TestCommands(t *testing.T) {
	bin := t.TempDir()
	if _, err := programtest.Build(bin, "workflow-reviewer"); err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(t, "sh") {
		for line := range strings.Lines(strings.ReplaceAll(b.text, "\\\n", "")) {
			line, _, _ = strings.Cut(line, " #")
			words := strings.Fields(line)
			switch {
			case len(words) == 0 || strings.HasPrefix(words[0], "#"):
			case strings.TrimSpace(line) == "go run ./cmd/action demo": // the one that needs a clone
			case words[0] == "workflow-reviewer" && len(words) > 1:
				checkCommand(t, b.page, words[1:])
				runInEmptyRepository(t, bin, b.page, line)
			case words[0] == "make" && len(words) > 1:
				if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(words[1]) + `:`).Match(makefile) {
					t.Errorf("%s: make has no target %q", b.page, words[1])
				}
			case words[0] == "git":
			default:
				if _, err := os.Stat(filepath.Join(root, words[0])); err != nil {
					t.Errorf("%s: %q is neither a command of ours nor a file: %v", b.page, words[0], err)
				}
			}
		}
	}
}

// runInEmptyRepository runs a line as somebody does who tries it in a new project: it may find nothing, and says so with
// one of the documented statuses.
func runInEmptyRepository(t *testing.T, bin, page, line string) {
	t.Helper()
	repo := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "Begin"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = repo
	cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + repo, "TMPDIR=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code < 0 || code > 2 || regexp.MustCompile(`lists its flags|is not one of init|internal error`).Match(out) {
		t.Errorf("%s: %s: %v\n%s", page, strings.TrimSpace(line), err, out)
	}
}

func checkCommand(t *testing.T, page string, args []string) {
	t.Helper()
	out, code := run(t, args[0], "-h")
	if code != 0 {
		t.Errorf("%s: command %q is unknown: %s", page, args[0], out)
	}
	for _, a := range args[1:] {
		if a == "--" {
			break // what follows is a command of the user's
		}
		if name, ok := strings.CutPrefix(a, "--"); ok && !regexp.MustCompile(`(?m)^\s+-`+regexp.QuoteMeta(name)+`\b`).MatchString(out) {
			t.Errorf("%s: command %q has no flag %s", page, args[0], a)
		}
	}
}

// run executes the program in this process.
func run(t *testing.T, args ...string) (output string, code int) {
	t.Helper()
	var b bytes.Buffer
	code = action.Main(t.Context(), args, action.Env{
		Version: "test", Dir: t.TempDir(),
		Vars:  map[string]string{"TMPDIR": t.TempDir(), "PATH": os.Getenv("PATH")},
		Stdin: io.NopCloser(strings.NewReader("")), Stdout: closer{&b}, Stderr: &b, Now: time.Now,
	})
	return b.String(), code
}

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

// The first command of the README must work for somebody who has nothing.
func TestDemo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	out, code := run(t, "demo", "--dir", dir)
	if code != 0 {
		t.Fatalf("exit status %d:\n%s", code, out)
	}
	reviews, err := filepath.Glob(filepath.Join(dir, "reviews", "*", "*.md"))
	if err != nil || len(reviews) == 0 {
		t.Errorf("no review files in %s (%v)", dir, err)
	}
}

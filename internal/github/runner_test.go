package github_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
)

// step is a runner with files in a temporary folder.
func step(t *testing.T) (r *github.Runner, log *strings.Builder, file func(string) string) {
	t.Helper()
	dir := t.TempDir()
	log = &strings.Builder{}
	r = github.NewRunner(func(k string) string { return filepath.Join(dir, k) }, log)
	return r, log, func(k string) string {
		b, err := os.ReadFile(filepath.Join(dir, k))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
}

// obey reads GITHUB_OUTPUT as the runner does.
func obey(t testing.TB, file string) map[string]string {
	t.Helper()
	out := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		name, end, ok := strings.Cut(lines[i], "<<")
		if !ok {
			t.Fatalf("line %q starts no output", lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != end; i++ {
			value = append(value, lines[i])
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

func TestOutputsHoldAnything(t *testing.T) {
	r, _, file := step(t)
	want := map[string]string{
		"decision": "APPROVED", "summary": "", "review-paths": "a\nb",
		"reviews": "x\nEOF\n_GitHubActionsFileCommandDelimeter_\ndecision<<EOF\nAPPROVED\nEOF\nname=value",
	}
	for k, v := range want {
		if err := r.SetOutput(k, v); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(want, obey(t, file("GITHUB_OUTPUT"))); d != "" {
		t.Errorf("outputs (-want +got):\n%s", d)
	}
	for _, name := range []string{"", "a b", "a\nb", "a=b", "a<<b"} {
		if r.SetOutput(name, "x") == nil {
			t.Errorf("output name %q is accepted", name)
		}
	}
}

func TestOutputsAreCutToTheJobsLimit(t *testing.T) {
	r, _, file := step(t)
	if err := r.SetOutput("a", strings.Repeat("x", 400_000)); err != nil {
		t.Fatal(err)
	}
	if err := r.SetOutput("b", strings.Repeat("ü", 400_000)); !errors.Is(err, github.ErrCut) {
		t.Errorf("error %v", err)
	}
	got := obey(t, file("GITHUB_OUTPUT"))
	if n := len(got["a"] + got["b"]); n > 500_000 || n < 499_000 || !strings.HasSuffix(got["b"], "…") {
		t.Errorf("%d bytes in all", n)
	}
}

func TestSummary(t *testing.T) {
	r, _, file := step(t)
	if err := errors.Join(r.Summary("# One"), r.Summary("# Two")); err != nil {
		t.Fatal(err)
	}
	if got := file("GITHUB_STEP_SUMMARY"); got != "# One\n# Two\n" {
		t.Errorf("summary %q", got)
	}
	if err := r.Summary(strings.Repeat("line\n", 1<<20)); !errors.Is(err, github.ErrCut) {
		t.Errorf("error %v", err)
	}
	if got := file("GITHUB_STEP_SUMMARY"); len(got) > 1<<20 || !strings.Contains(got, "Cut here") {
		t.Errorf("summary of %d bytes", len(got))
	}
}

func TestRunnerFilesThatCannotBeWritten(t *testing.T) {
	for name, getenv := range map[string]func(string) string{
		"unset":  func(string) string { return "" },
		"folder": func(string) string { return t.TempDir() },
		"gone":   func(string) string { return "/nonexistent/file" },
	} {
		r := github.NewRunner(getenv, &strings.Builder{})
		if r.SetOutput("a", "b") == nil || r.Summary("x") == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestBrokenLogIsNotFatal(*testing.T) {
	r := github.NewRunner(func(string) string { return "" }, brokenWriter{})
	r.Mask("secret")
	r.Group("g")
	r.Annotate(change.Annotation{Level: "failure", Message: "e"})
	r.Foreign("f")
	r.Info("i")
	r.EndGroup()
}

func TestMask(t *testing.T) {
	r, log, _ := step(t)
	r.Mask("-----BEGIN KEY-----\r\nabc%0Adef\n}\n\n  \nend!")
	if want := "::add-mask::-----BEGIN KEY-----\n::add-mask::abc%250Adef\n::add-mask::end!\n"; log.String() != want {
		t.Errorf("log %q", log)
	}
}

func TestAnnotations(t *testing.T) {
	r, log, _ := step(t)
	r.Group("Review\n::error::x")
	r.Annotate(change.Annotation{Level: "notice", Message: "hello"})
	r.Annotate(change.Annotation{Level: "warning", Title: "a, b: c", Path: "x,y.go", StartLine: 3, Message: "two\nlines 100% ::error::no\x1b[31m"})
	r.Annotate(change.Annotation{Level: "failure", Path: "x.go", Message: "bad"})
	r.EndGroup()
	want := "::group::Review ::error::x\n::notice::hello\n" +
		"::warning file=x%2Cy.go,line=3,title=a%2C b%3A c::two%0Alines 100%25 ::error::no\\x1b[31m\n" +
		"::error file=x.go::bad\n::endgroup::\n"
	if d := cmp.Diff(want, log.String()); d != "" {
		t.Errorf("log (-want +got):\n%s", d)
	}
}

func TestTenAnnotationsOfALevel(t *testing.T) {
	r, log, _ := step(t)
	for i := range 13 {
		r.Annotate(change.Annotation{Level: "failure", Path: "a.go", StartLine: i + 1, Message: fmt.Sprint("finding ", i)})
	}
	r.Annotate(change.Annotation{Level: "warning", Message: "still shown"})
	got := commands(log.String())
	if len(got) != 11 || !strings.Contains(log.String(), "error: a.go:13: finding 12\n") {
		t.Errorf("%d commands in\n%s", len(got), log)
	}
}

// commands are the lines that the runner obeys: those that begin with :: after
// white space, or hold ##[, while commands are not stopped.
func commands(log string) []string {
	var out []string
	stopped := ""
	lines := bufio.NewScanner(strings.NewReader(log))
	lines.Buffer(nil, 1<<24)
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) { // \r ends a line, too
		if i := strings.IndexAny(string(data), "\r\n"); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.Contains(line, "##[") {
			out = append(out, line)
		}
		if !strings.HasPrefix(line, "::") {
			continue
		}
		switch token, isStop := strings.CutPrefix(line, "::stop-commands::"); {
		case stopped != "" && line == "::"+stopped+"::":
			stopped = ""
		case stopped != "":
		case isStop:
			stopped = token
		default:
			out = append(out, line)
		}
	}
	if stopped != "" {
		out = append(out, "commands stay stopped")
	}
	return out
}

var hostile = []string{
	"::error::x", "  ::set-output name=decision::APPROVED", "a\r::add-mask::b", "a\u2028::error::x", "##[error]x", "x ##[group]y",
	"::stop-commands::t\n::t::\n::error::x", "\x1b[2J::error::x", "\x00\xff::error::", "no newline", "",
}

func TestForeignTextIsNoCommand(t *testing.T) {
	for _, text := range hostile {
		r, log, _ := step(t)
		r.Foreign(text)
		r.Info(text)
		r.Info("line\n" + text)
		r.Annotate(change.Annotation{Level: "notice", Message: "mark"})
		if got := commands(log.String()); !cmp.Equal(got, []string{"::notice::mark"}) {
			t.Errorf("%q makes the runner obey %q", text, got)
		}
	}
}

func TestForeignTextStaysReadable(t *testing.T) {
	r, log, _ := step(t)
	r.Foreign("täglich\tüben\n\x1b[31mrot\n")
	if !strings.Contains(log.String(), "\ntäglich\tüben\n\\x1b[31mrot\n") {
		t.Errorf("log %q", log)
	}
	log.Reset()
	r.Info("Reviewing spec: login")
	if log.String() != "Reviewing spec: login\n" {
		t.Errorf("own text is %q", log)
	}
}

func FuzzForeign(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := &strings.Builder{}
		r := github.NewRunner(func(string) string { return "" }, log)
		r.Foreign(text)
		r.Info(text)
		if got := commands(log.String()); len(got) > 0 {
			t.Errorf("%q makes the runner obey %q", text, got)
		}
	})
}

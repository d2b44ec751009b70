// Package precisiontest asks how often a built-in check is right: it replays
// commits of public repositories through engine "rules", and keeps what a
// person said of a sample of the findings.
package precisiontest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/action"
)

var (
	commits = flag.String("commits", "", "file of commits to replay: lines of project, repository, base, head")
	hits    = flag.String("hits", "", "file that every finding is written to,")
)

// finding is what a check said of one place of a commit.
type finding struct {
	check, severity, project, commit, place, title string
}

func (f finding) row() string {
	return strings.Join([]string{f.check, f.severity, f.project, f.commit, f.place, f.title}, "\t")
}

// report is what the replay needs of report.json.
type report struct {
	Decision, Head string
	Reviews        []struct {
		Type, Decision string
		Issues         []struct {
			Rule, Severity, File, Title string
			Line                        int
		}
	}
	Violations []struct {
		Kind, File, Description string
		Line                    int
	}
}

// TestPrecision replays commits and writes down every finding (make precision).
func TestPrecision(t *testing.T) {
	if *commits == "" {
		t.Skip("run by make precision")
	}
	list, err := os.ReadFile(*commits)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(list)) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			t.Fatalf("%s: %q", *commits, line)
		}
		for _, f := range replay(t, fields) {
			out.WriteString(f.row() + "\n")
		}
	}
	if err := os.WriteFile(*hits, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// replay is what the built-in checks say of one commit.
func replay(t *testing.T, commit []string) []finding {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := action.Env{
		Version: "test", Vars: map[string]string{"TMPDIR": t.TempDir()}, Dir: t.TempDir(), Stdin: io.NopCloser(strings.NewReader("")),
		Stdout: nopCloser{&stdout}, Stderr: &stderr, Now: time.Now,
	}
	args := []string{"local", "--engine", "rules", "--json", "--repo", commit[1], "--base", commit[2], "--head", commit[3]}
	if code := action.Main(t.Context(), args, env); code > 1 {
		t.Logf("%s %s: exit %d: %s", commit[0], commit[3], code, last(stderr.String()))
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Errorf("%s %s: %v: %s", commit[0], commit[3], err, stderr.String())
	}
	var out []finding
	for _, review := range r.Reviews {
		for _, i := range review.Issues {
			place := i.File
			if i.Line > 0 {
				place = fmt.Sprintf("%s:%d", i.File, i.Line)
			}
			if i.Rule != "" {
				out = append(out, finding{i.Rule, i.Severity, commit[0], commit[3][:10], place, strings.Join(strings.Fields(i.Title), " ")})
			}
		}
	}
	for _, v := range r.Violations { // which block
		out = append(out, finding{
			"integrity/" + v.Kind, "High", commit[0], commit[3][:10], fmt.Sprintf("%s:%d", v.File, v.Line),
			strings.Join(strings.Fields(v.Description), " "),
		})
	}
	return out
}

func last(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

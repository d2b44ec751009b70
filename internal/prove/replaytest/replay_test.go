// Package replaytest asks whether prove says of real commits what the tests of the commit before say by themselves: it
// replays commits of public projects (make prove-history).
package replaytest_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/programtest"
	"workflow-reviewer/internal/testresult"
)

var (
	clones  = flag.String("clones", "", "folder of the clones, owner+name, which scripts/prove-history.sh makes")
	only    = flag.String("project", "", "replay this project alone")
	commits = flag.Int("commits", 20, "how many commits of each project")
	skip    = flag.Int("skip", 0, "how many of the newest to leave out, so that a run can be parted")
	table   = flag.String("table", "", "file for a line about each commit; the evidence of each lies beside it")
)

// project is one of testdata/projects.txt.
type project struct {
	name, from     string
	sources, tests *regexp.Regexp
	results        string
	prepare        string
	command        []string
	dir            string
	known          []string // commits of which prove says something else, for the reason that the data tell
}

func readProjects(t *testing.T) (out []*project) {
	t.Helper()
	f, err := os.Open("testdata/projects.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // read only
	var p *project
	for s := bufio.NewScanner(f); s.Scan(); {
		key, value, _ := strings.Cut(s.Text(), " ")
		switch key {
		case "", "#":
		case "project":
			p = &project{name: value, dir: filepath.Join(*clones, strings.ReplaceAll(value, "/", "+"))}
			out = append(out, p)
		case "from":
			p.from = value
		case "sources":
			p.sources = regexp.MustCompile(value)
		case "tests":
			p.tests = regexp.MustCompile(value)
		case "results":
			p.results = value
		case "prepare":
			p.prepare = value
		case "known":
			commit, _, _ := strings.Cut(value, " ")
			p.known = append(p.known, commit)
		case "run":
			p.command = append(p.command, value)
		default:
			t.Fatalf("projects.txt: %q", s.Text())
		}
	}
	return out
}

// TestReplay plays the newest commits of each project that change code. What the tests of the parent commit come to by
// themselves on the commit's code is found without prove; prove must come to the same.
func TestReplay(t *testing.T) {
	if *clones == "" {
		t.Skip("run by make prove-history")
	}
	binary, err := programtest.Build(t.TempDir(), "action")
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(*table, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close() //nolint:errcheck // each line is written as it is found
	for _, p := range readProjects(t) {
		if *only != "" && p.name != *only {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			p.git(t, "checkout", "-q", "-f", p.from)
			for _, commit := range p.changing(t) {
				r := p.replay(t, binary, commit)
				t.Log(r)
				fmt.Fprintln(out, r)
				if r.alone == "" || r.alone != r.prove && !slices.Contains(p.known, commit[:10]) {
					t.Errorf("%s: prove says something else:\n%s", commit, r.said)
				}
			}
		})
	}
}

// replayed is what one commit came to.
type replayed struct {
	project, commit string
	touchesTests    bool
	alone, prove    string // passes, fails, undecided: nothing tells which tests fail
	without, with   string // what integrity says without and with the evidence
	took            time.Duration
	said            string
}

func (r replayed) String() string {
	return fmt.Sprintf("%s\t%s\t%v\t%s\t%s\t%s\t%s\t%.0f s", r.project, r.commit[:10], r.touchesTests, r.alone, r.prove,
		r.without, r.with, r.took.Seconds())
}

func (p *project) git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", p.dir}, args...)...).Output()
	if err != nil {
		t.Fatalf("%s: git %v: %v", p.name, args, err)
	}
	return strings.TrimSpace(string(out))
}

// changing are the newest commits on the first parents' line that change code.
func (p *project) changing(t *testing.T) (out []string) {
	for _, commit := range strings.Fields(p.git(t, "rev-list", "--first-parent", "--max-count=1500", p.from)) {
		if len(out) == *skip+*commits {
			break
		}
		parents := strings.Fields(p.git(t, "log", "-1", "--format=%P", commit))
		if len(parents) == 0 {
			continue
		}
		for _, name := range strings.Split(p.git(t, "diff", "--name-only", parents[0], commit), "\n") {
			if p.sources.MatchString(name) && !p.tests.MatchString(name) {
				out = append(out, commit)
				break
			}
		}
	}
	return out[min(*skip, len(out)):]
}

// begin has the clone hold a commit, and nothing that a run left but what was prepared.
func (p *project) begin(t *testing.T, commit string) {
	p.git(t, "checkout", "-q", "-f", "--detach", commit)
	p.git(t, "clean", "-q", "-ffdx", "-e", "node_modules", "-e", "target")
}

// adopt returns a commit as it would be in a project that runs prove: with the workflow that does, on a parent that has
// it, too.
func (p *project) adopt(t *testing.T, commit string, parents ...string) string {
	p.git(t, "read-tree", "--reset", commit)
	workflow, err := filepath.Abs("../../../examples/workflows/with-test-results.yml")
	if err != nil {
		t.Fatal(err)
	}
	blob := p.git(t, "hash-object", "-w", workflow)
	p.git(t, "update-index", "--add", "--cacheinfo", "100644,"+blob+",.github/workflows/approved-tests.yml")
	args := []string{"-c", "user.name=A", "-c", "user.email=a@example.com", "commit-tree", "-m", "Adopt", p.git(t, "write-tree")}
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	return p.git(t, args...)
}

// prepared has what a commit needs be installed as of its day.
func (p *project) prepared(t *testing.T, commit string) {
	if p.prepare == "" {
		return
	}
	cmd := exec.Command("sh", "-c", p.prepare)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "DAY="+p.git(t, "log", "-1", "--format=%cI", commit))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", p.prepare, err, out)
	}
}

// outcome is what a run of the command came to.
type outcome struct {
	exit   int
	failed []string
	run    int
	said   string
}

func (p *project) run(t *testing.T) outcome {
	t.Helper()
	start := time.Now().Add(-time.Second)
	cmd := exec.Command("timeout", append([]string{"600"}, p.command...)...)
	cmd.Dir = p.dir
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	o := outcome{exit: cmd.ProcessState.ExitCode(), said: string(said[max(0, len(said)-3000):])}
	files, _ := filepath.Glob(filepath.Join(p.dir, filepath.FromSlash(p.results)))
	for _, name := range files {
		info, err := os.Stat(name)
		if p.results == "" || err != nil || info.IsDir() || info.ModTime().Before(start) {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := testresult.Parse(name, data)
		if err != nil {
			o.said += err.Error()
			continue
		}
		o.run += s.Passed + s.Failed + s.Errors
		for _, f := range s.Failures {
			o.failed = append(o.failed, f.Name)
		}
	}
	return o
}

// replay plays a commit.
func (p *project) replay(t *testing.T, binary, commit string) replayed {
	start := time.Now()
	parent := p.git(t, "rev-parse", commit+"^1")
	r := replayed{project: p.name, commit: commit}
	for _, name := range strings.Split(p.git(t, "diff", "--name-only", parent, commit), "\n") {
		r.touchesTests = r.touchesTests || p.tests.MatchString(name)
	}
	r.alone = p.alone(t, commit, parent)
	p.begin(t, commit)
	p.prepared(t, commit)
	parent = p.adopt(t, parent)
	commit = p.adopt(t, commit, parent)
	p.begin(t, commit)
	evidence := filepath.Join(filepath.Dir(*table), filepath.Base(p.dir)+"-"+r.commit[:10]+".json")
	if err := os.Remove(evidence); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	args := []string{"prove", "--approved", parent, "--out", evidence}
	if p.results != "" {
		args = append(args, "--results", p.results)
	}
	cmd := exec.Command(binary, append(append(args, "--"), p.command...)...)
	cmd.Dir = p.dir
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r.prove = []string{"passes", "fails", "undecided"}[cmd.ProcessState.ExitCode()]
	r.said = string(said[max(0, len(said)-6000):])
	r.without, r.with = p.verdict(t, binary, parent, commit), "-"
	if _, err := os.Stat(evidence); err == nil {
		r.with = p.verdict(t, binary, parent, commit, "--evidence", evidence)
	}
	r.took = time.Since(start)
	return r
}

// verdict is what integrity says of a commit, with the tests of its parent approved.
func (p *project) verdict(t *testing.T, binary, parent, commit string, more ...string) string {
	t.Helper()
	args := append([]string{"integrity", "--repo", p.dir, "--approved", parent, "--head", commit, "--json"}, more...)
	out, err := exec.Command(binary, args...).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var answer struct{ Verdict string }
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("integrity %v: %v\n%s", args, err, out)
	}
	return answer.Verdict
}

// alone is what the tests of the parent say of the commit's code: they are written over those of the commit by their
// place in the project, which the data tell.
func (p *project) alone(t *testing.T, commit, parent string) string {
	p.begin(t, commit)
	p.prepared(t, commit)
	for _, name := range strings.Split(p.git(t, "ls-files"), "\n") {
		if p.tests.MatchString(name) {
			if err := os.Remove(filepath.Join(p.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	for _, name := range strings.Split(p.git(t, "ls-tree", "-r", "--name-only", parent), "\n") {
		if p.tests.MatchString(name) {
			p.git(t, "checkout", "-q", parent, "--", name)
		}
	}
	now := p.run(t)
	if now.exit == 0 {
		return "passes"
	}
	p.begin(t, parent)
	p.prepared(t, parent)
	before := p.run(t)
	isNew := func(name string) bool { return !slices.Contains(before.failed, name) }
	t.Logf("%s: by themselves %v fail, before %v\n%s", commit, now.failed, before.failed, now.said)
	switch {
	case before.exit != 0 && before.run == 0:
		t.Logf("%s: cannot run: %s", commit, before.said)
		return "undecided"
	case slices.ContainsFunc(now.failed, isNew), before.exit == 0:
		return "fails"
	case len(now.failed) == 0:
		return "fails" // they did not run
	default:
		return "passes"
	}
}

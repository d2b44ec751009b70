package ghaction

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/programtest"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/shard"
	"workflow-reviewer/internal/workflow"
)

var (
	scaling  = flag.String("scaling", "12", "sizes to measure, in reviews, separated by commas")
	profiles = flag.String("profiles", "", "folder for profiles of -scaling, whose writes are not paced then")
)

// profiled names the variable that has the test's own binary stand for the program: it writes a
// profile of its CPU into the file, and its clock runs so fast that no write is paced.
const profiled = "SCALING_PROFILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(profiled); file != "" {
		os.Exit(runProfiled(file))
	}
	os.Exit(m.Run())
}

func runProfiled(file string) int {
	debug.SetGCPercent(50) // as the program
	f, err := os.Create(file)
	if err == nil {
		err = pprof.StartCPUProfile(f)
	}
	if err != nil {
		panic(err)
	}
	defer pprof.StopCPUProfile()
	env := process.Read("dev", "", "")
	began := time.Now()
	env.Now = func() time.Time { return began.Add(1000 * time.Since(began)) }
	return Run(context.Background(), env)
}

// TestScaling measures modes plan and report on generated pull requests, with the
// program itself and a GitHub that answers at once: `make scaling` prints the
// table of docs/scaling.md.
func TestScaling(t *testing.T) {
	binary, err := programtest.Build(t.TempDir(), "action")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("| reviews | plan: CPU s | peak MB | requests | report: CPU s | wall s | peak MB | reads | check runs | other writes |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for size := range strings.SplitSeq(*scaling, ",") {
		var n int
		if _, err := fmt.Sscan(size, &n); err != nil {
			t.Fatalf("-scaling %q: %v", *scaling, err)
		}
		measureScaling(t, binary, n)
	}
}

// limitMB is the most memory that report may take at 1,000 reviews, their push
// included.
const limitMB = 150

func measureScaling(t *testing.T, binary string, n int) {
	w := newScaled(t, n)
	plan := w.measure(t, binary, "plan", n, 0)
	requests := len(w.gh.Requests())
	w.fabricate(t, n)
	report := w.measure(t, binary, "report", n, 1)
	reads, checks, writes := count(w.gh.Requests()[requests:])
	fmt.Printf("| %d | %.1f | %d | %d | %.1f | %.0f | %d | %d | %d | %d |\n",
		n, plan.cpu.Seconds(), plan.mb, requests, report.cpu.Seconds(), report.wall.Seconds(), report.mb, reads, checks, writes)
	if n <= 1000 && report.mb > max(limitMB, report.floor) {
		t.Errorf("report of %d reviews took %d MB", n, report.mb)
	}
	if gates := 2 * (1 + 500/50); checks > 2*n+gates || checks > maxChecks+gates { // 500 annotations, 50 a request
		t.Errorf("%d check runs for %d reviews", checks, n)
	}
}

func count(rs []githubtest.Request) (reads, checks, writes int) {
	for _, r := range rs {
		switch {
		case strings.Contains(r.Path, "/info/refs"), strings.Contains(r.Path, "git-"):
		case r.Method == http.MethodGet, strings.Contains(string(r.Body), `"query":"query`):
			reads++
		case strings.Contains(r.Path, "/check-runs"):
			checks++
		default:
			writes++
		}
	}
	return reads, checks, writes
}

// scaled is a pull request of many artifacts.
type scaled struct {
	gh   *githubtest.Server
	vars map[string]string
}

func newScaled(t *testing.T, n int) *scaled {
	t.Helper()
	repo := githubtest.NewRepo(t)
	files := map[string]string{}
	for i := range n/3 + n%3 {
		f := fmt.Sprintf("feature_%04d", i)
		files["specs/proposed/"+f+".md"] = fmt.Sprintf("# Spec: %s\n\n## Purpose\n\nIt adds up.\n\n## Acceptance criteria\n\n"+
			"1. Given two numbers, when %s is called, then it returns their sum.\n2. Given text, then it raises TypeError.\n\n%s", f, f,
			strings.Repeat("What it is for is said here at some length.\n", 20))
		if i >= n/3 {
			continue // a spec alone
		}
		files[f+"/"+f+".py"] = fmt.Sprintf("def %s(a, b):\n    if isinstance(a, str):\n        raise TypeError(a)\n    return a + b\n", f) +
			strings.Repeat("\n\n# More of it.\n", 20)
		files[f+"/test_"+f+".py"] = fmt.Sprintf("import pytest\nfrom %s import %s\n\n\ndef test_sum():\n    assert %s(1, 2) == 3\n\n\n"+
			"def test_text():\n    with pytest.raises(TypeError):\n        %s('a', 'b')\n", f, f, f, f)
	}
	repo.Commit("main", "Begin", githubtest.Text(map[string]string{"README.md": "# It\n"}))
	repo.Branch("feature/all", "main")
	repo.Commit("feature/all", "Work", githubtest.Text(files))
	w := &scaled{gh: githubtest.New(t, githubtest.Options{Git: repo, Now: time.Now})}
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "All of it", Head: "feature/all"})
	workspace := filepath.Join(t.TempDir(), "workspace")
	if out, err := exec.Command("git", "clone", "-q", "--depth=1", "--branch=feature/all", "file://"+repo.Dir,
		workspace).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	w.vars = w.gh.Env(githubtest.Event{Name: "pull_request", Action: "opened", Number: 7})
	maps.Copy(w.vars, map[string]string{
		"GITHUB_WORKSPACE": workspace, "PATH": os.Getenv("PATH"), "HOME": t.TempDir(),
		"INPUT_CODEX-PATH": "/nowhere/codex", "INPUT_COMMIT": "push", "INPUT_RESULTS": "results",
	})
	return w
}

type cost struct {
	cpu, wall time.Duration
	mb        int64
	floor     int64 // what the starter itself takes, as under the race detector: no peak below it is seen
}

// measure runs one mode.
func (w *scaled) measure(t *testing.T, binary, mode string, n, code int) cost {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary)
	if *profiles != "" {
		cmd = exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s/%s-%d", profiled, *profiles, mode, n))
	}
	for k, v := range w.vars {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Env = append(cmd.Env, "INPUT_MODE="+mode)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &out, t.TempDir()
	floor := forgetPeak(t)
	start := time.Now()
	_ = cmd.Run()
	state := cmd.ProcessState
	if state.ExitCode() != code {
		t.Fatalf("%s ended %d\n%.5000s\n%.5000s", mode, state.ExitCode(), out.String(), out.String()[max(0, out.Len()-5000):])
	}
	used, _ := state.SysUsage().(*syscall.Rusage)
	return cost{state.UserTime() + state.SystemTime(), time.Since(start), used.Maxrss >> 10, floor}
}

// forgetPeak keeps this process' own peak out of what is measured: Linux counts
// the memory of who starts a program into the program's peak, see exec_mmap. What
// is left of it, in MB and with room for a little more, it returns.
func forgetPeak(t *testing.T) int64 {
	t.Helper()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Fatalf("reset the peak of memory, see proc(5): %v", err)
	}
	status, err := os.ReadFile("/proc/self/status")
	_, after, found := strings.Cut(string(status), "VmHWM:")
	var kb int64
	if _, scanErr := fmt.Sscan(after, &kb); err != nil || !found || scanErr != nil {
		t.Fatalf("read the peak of memory, see proc(5): %v, %v", err, scanErr)
	}
	return kb>>10 + 20
}

// fabricate writes the results that shards would, as if a model had answered:
// most documents are approved, most of the rest is not.
func (w *scaled) fabricate(t *testing.T, n int) {
	t.Helper()
	vars := maps.Clone(w.vars)
	maps.Copy(vars, map[string]string{
		"INPUT_MODE": "review", "INPUT_SHARD": "1", "INPUT_OPENAI-API-KEY": "none",
		"RUNNER_TEMP": t.TempDir(),
	})
	env := process.Env{Version: "dev", Vars: vars, Now: time.Now, Stdout: discard{}, Stderr: discard{}}
	r := &run{host: newHost(env), checks: newChecks(nil, &gate{}), opened: nothingBegun}
	defer r.close()
	_ = r.carryOut(context.Background()) // up to the start of codex, which is not there
	req := r.request(nil)
	plan, err := pipeline.Prepare(context.Background(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := plan.Shards(req)
	if p.Reviews() != n {
		t.Fatalf("%d of %d reviews", p.Reviews(), n)
	}
	for _, s := range p.Shards {
		var done []shard.Done
		for _, job := range s.Jobs {
			done = append(done, shard.Done{Artifact: job.Artifact, Request: job.Digest, Exchange: answered(t, job)})
		}
		data, err := p.Encode(s.Number, shard.Origin{Version: "dev", Engine: "codex " + codex.Pinned}, done,
			func(s string) string { return s })
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(w.vars["GITHUB_WORKSPACE"], "results", fmt.Sprintf("results-%d", s.Number))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, shard.FileName(s.Number)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// answered is a whole answer for a job.
func answered(t *testing.T, job review.Job) review.Exchange {
	t.Helper()
	decision := workflow.NeedsChanges
	if job.Artifact.Type == workflow.Spec {
		decision = workflow.Approved
	}
	long := strings.Repeat("It is said at length why. ", 20)
	request := codextest.Request{Schema: job.Request.Schema}
	var criteria []any
	for _, id := range codextest.Enumerated(request, "criteria") {
		criteria = append(criteria, map[string]any{
			"id": id, "result": "PASS", "finding": long, "evidence": "Line 1", "impact": "None",
		})
	}
	answer := map[string]any{
		"decision": decision.String(), "summary": long, "previous_findings": []any{}, "issues": []any{}, "criteria": criteria,
	}
	if decision == workflow.NeedsChanges {
		answer["issues"] = slices.Repeat([]any{map[string]any{
			"severity": "Medium", "category": "correctness", "title": "It may overflow", "file": job.Artifact.Path(),
			"line": 1, "end_line": nil,
			"description": long, "trigger": "", "recommendation": long, "suggestion": nil,
		}}, 3)
	}
	var entries []any
	for _, id := range codextest.Enumerated(request, "requirements") {
		entries = append(entries, map[string]any{"id": id, "status": string(workflow.CannotTell), "reason": long, "file": nil, "line": nil})
	}
	if entries != nil {
		answer["requirements"] = entries
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return review.Exchange{
		Replies: []review.Reply{{Text: string(text), Model: "gpt-5-codex"}}, Decision: decision,
		Tokens: workflow.Tokens{Input: 9000, Output: 900}, Date: time.Now().UTC().Truncate(time.Second), Duration: time.Minute,
	}
}

// discard is where a run's log goes that nobody reads.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

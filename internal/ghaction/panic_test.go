package ghaction

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
)

// TestPanicIsNoVerdict: a panic ends as status 2, with the folder of the report
// named in the log and the outputs set.
func TestPanicIsNoVerdict(t *testing.T) {
	env := closedPull(t)
	var log writeBuffer
	asked := 0
	env.Stdout, env.Stderr = &log, &log
	env.Now = func() time.Time {
		if asked++; asked == 2 { // in the middle of the run
			panic("::error::a defect")
		}
		return time.Unix(1769860800, 0)
	}
	code := Run(context.Background(), env)
	if code != 2 {
		t.Errorf("exit status %d", code)
	}
	outputs, err := os.ReadFile(env.Get("GITHUB_OUTPUT"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"internal error: ::error::a defect", "Report: " + env.Get("RUNNER_TEMP"), "panic_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "\n::error::a defect") || !strings.Contains(string(outputs), "\nERROR\n") {
		t.Errorf("outputs %s\nlog %s", outputs, log.String())
	}
	if saved, _ := filepath.Glob(filepath.Join(env.Get("RUNNER_TEMP"), "workflow-reviewer-*", "report.json")); len(saved) != 1 {
		t.Errorf("saved reports %q", saved)
	}
}

// TestPanicWhilePublishing: even then the status is 2 and the folder is named.
func TestPanicWhilePublishing(t *testing.T) {
	env := closedPull(t)
	log := &defectiveLog{on: "Report: "}
	env.Stdout, env.Stderr = log, log
	if code := Run(context.Background(), env); code != 2 {
		t.Errorf("exit status %d", code)
	}
	for _, want := range []string{"internal error: a defect", "Report: " + env.Get("RUNNER_TEMP")} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, log.String())
		}
	}
}

// TestACancelledRunIsSavedOnce: where seconds are left, the report is written when it is published.
func TestACancelledRunIsSavedOnce(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		env := closedPull(t)
		var log writeBuffer
		env.Stdout, env.Stderr = &log, &log
		r := &run{host: newHost(env), checks: newChecks(nil, &gate{}), opened: nothingBegun}
		ctx, stop := context.WithCancel(t.Context())
		if cancelled {
			stop()
		}
		if err := (round{run: r}).save(ctx, pipeline.Outcome{NewHead: "x"}); err != nil {
			t.Error(err)
		}
		_, err := os.Stat(filepath.Join(r.Dir.Here, "report.json"))
		if (err != nil) != cancelled || r.last.NewHead != "x" {
			t.Errorf("cancelled %t: report %v, %+v", cancelled, err, r.last)
		}
		stop()
		r.close()
	}
}

// closedPull is the environment of a run on an event that asks for no review.
func closedPull(t *testing.T) process.Env {
	t.Helper()
	dir := t.TempDir()
	event := filepath.Join(dir, "event.json")
	payload := `{"action":"closed","number":7,"repository":{"full_name":"octo/hello","default_branch":"main"},"sender":{"login":"ada"},
		"pull_request":{"number":7,"draft":true,
		"base":{"ref":"main","sha":"1111111111111111111111111111111111111111","repo":{"full_name":"octo/hello"}},
		"head":{"ref":"work","sha":"2222222222222222222222222222222222222222","repo":{"full_name":"octo/hello"}}}}`
	if err := os.WriteFile(event, []byte(payload), 0o600); err != nil {
		t.Fatal(err)
	}
	return process.Env{
		Vars: map[string]string{
			"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": event, "GITHUB_REPOSITORY": "octo/hello",
			"GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"),
			"RUNNER_TEMP": dir, "INPUT_ENGINE": "rules",
		},
		Now: func() time.Time { return time.Unix(1769860800, 0) },
	}
}

// defectiveLog panics at the first write of a text.
type defectiveLog struct {
	writeBuffer
	on string
}

func (l *defectiveLog) Write(p []byte) (int, error) {
	if l.on != "" && bytes.Contains(p, []byte(l.on)) {
		l.on = ""
		panic("a defect")
	}
	return l.writeBuffer.Write(p)
}

// writeBuffer is a buffer that can be closed.
type writeBuffer struct{ bytes.Buffer }

func (*writeBuffer) Close() error { return nil }

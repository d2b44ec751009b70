package main_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
)

// TestTestsAndCodeAtOnce: both are asked at the same time. Tests that are refused first end the
// review of the code, which approves nothing; the log and the report say so, and no check stays open.
func TestTestsAndCodeAtOnce(t *testing.T) {
	t.Parallel()
	codeIsAsked := make(chan struct{})
	w := newWorld(t, adderTodo(""), map[string]string{
		"tests/unit/test_adder.py": "def test_more():\n    assert add(2, 2) == 4\n",
		"src/adder.py":             adderCode,
	}, func(r codextest.Request) codextest.Response {
		if strings.Contains(r.Instructions+r.Prompt, "# Role: test reviewer") {
			<-codeIsAsked
			return answer("NEEDS-CHANGES", issue("High", "It asks nothing", "tests/unit/test_adder.py", 1))
		}
		close(codeIsAsked)
		return codextest.Hang()
	}).withCodex()
	began := time.Now()
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if took := time.Since(began); took > time.Minute {
		t.Errorf("the run waited for an answer that could approve nothing: %v", took)
	}
	for _, r := range o.reviews() {
		if r.Decision != "NEEDS-CHANGES" {
			t.Errorf("%s of %s", r.Decision, r.Type)
		}
	}
	report := o.saved("report.json")
	if !strings.Contains(report, "Its own review ended with theirs") {
		t.Errorf("the report does not say why the code was not read to its end:\n%.3000s", report)
	}
	w.allClosed()
}

// TestOneAtATimeTestsComeFirst: with max-parallel 1 the code is not asked about where its tests
// were refused.
func TestOneAtATimeTestsComeFirst(t *testing.T) {
	t.Parallel()
	var code atomic.Int32
	w := newWorld(t, adderTodo(""), map[string]string{
		"tests/unit/test_adder.py": "def test_more():\n    assert add(2, 2) == 4\n",
		"src/adder.py":             adderCode,
	}, func(r codextest.Request) codextest.Response {
		if strings.Contains(r.Instructions+r.Prompt, "# Role: test reviewer") {
			return answer("NEEDS-CHANGES", issue("High", "It asks nothing", "tests/unit/test_adder.py", 1))
		}
		code.Add(1)
		return answer("APPROVED")
	}).withCodex()
	w.inputs["max-parallel"] = "1"
	w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
	if n := code.Load(); n != 0 {
		t.Errorf("the code was asked about %d times", n)
	}
	w.allClosed()
}

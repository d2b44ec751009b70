package main_test

import (
	"strings"
	"testing"
)

// TestWorkaroundWithoutTests: where there are no tests, nothing works around them.
func TestWorkaroundWithoutTests(t *testing.T) {
	t.Parallel()
	main := adderTodo("")
	delete(main, adderAt)
	w := newWorld(t, main, map[string]string{"src/adder.py": adderTrick}, nil)
	w.inputs["test-results"], w.inputs["engine"] = "all passing", "rules"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	if !strings.Contains(o.saved("report.json"), "no tests are approved, so this does not block") {
		t.Error("the notice is missing")
	}
}

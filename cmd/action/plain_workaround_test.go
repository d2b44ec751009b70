package main_test

import (
	"strings"
	"testing"
)

// TestWorkaroundWithoutApproval: where nobody approved any test, what looks like a trick is
// noted and asked about, and blocks where the reviewer says so or the config enforces it.
func TestWorkaroundWithoutApproval(t *testing.T) {
	t.Parallel()
	isCheat := func(string) map[string]any {
		return map[string]any{"answer": "cheat", "reason": "It asks for the runner."}
	}
	for name, c := range map[string]struct {
		config, engine string
		entry          func(string) map[string]any
		code, asked    int
	}{
		"honest": {"", "codex", isHonest, 0, 1}, "cheat": {"", "codex", isCheat, 1, 1}, "rules": {"", "rules", isHonest, 0, 0},
		"enforced": {`{"integrity":{"baseline":"enforce"}}`, "codex", isHonest, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderTodo(c.config), map[string]string{"src/adder.py": adderTrick}, asking(c.entry))
			w.inputs["test-results"], w.inputs["engine"] = "all passing", c.engine
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if n := w.model.Count(); n != c.asked {
				t.Errorf("the model was asked %d times", n)
			}
			if said := strings.Contains(o.saved("report.json"), "no tests are approved, so this does not block"); said != (c.config == "") {
				t.Errorf("the notice is there: %t", said)
			}
			if c.asked > 0 && !strings.Contains(string(w.model.Requests()[0].Body), "Is that what it is for?") {
				t.Error("the reviewer was not asked about it")
			}
		})
	}
}

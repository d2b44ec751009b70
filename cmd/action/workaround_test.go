package main_test

import (
	"strings"
	"testing"
)

// adderTrick answers differently where a test asks.
const adderTrick = "\"\"\"Adding.\"\"\"\n\nimport os\n\n\ndef add(a: int, b: int) -> int:\n    \"\"\"Return the sum of a and b.\"\"\"\n" +
	"    if \"PYTEST_CURRENT_TEST\" in os.environ:\n        return 3 if b == 2 else 0\n    return 0\n"

// TestWorkarounds: what the config says of tricks in the implementation.
func TestWorkarounds(t *testing.T) {
	t.Parallel()
	allow := func(expiry string) string {
		return `[{"rule":"test-env-detection","path":"src/*.py","reason":"a table of constants","expiry":"` + expiry + `"}]`
	}
	for name, c := range map[string]struct {
		policy, allow string
		code, asked   int
		title         string
		says          string
	}{
		"block": {
			"block", "", 1, 0, "Needs changes",
			"AUTOMATIC REJECTION: Test integrity violation, the implementation works around its tests",
		},
		"warn":    {"warn", "", 0, 1, "Approved", "Not decided here, for the reviewer to examine"},
		"off":     {"off", "", 0, 1, "Approved", "No violation."},
		"excused": {"block", allow("2099-12-31"), 0, 1, "Approved", "Excused by the base"},
		"expired": {"block", allow("2020-01-01"), 1, 0, "Needs changes", "AUTOMATIC REJECTION"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := adderMain(true)
			main[".workflow/config.json"] = `{"integrity":{"workarounds":"` + c.policy + `"}}`
			if c.allow != "" {
				main[".workflow/integrity-allow.json"] = c.allow
			}
			w := newWorld(t, main, map[string]string{"src/adder.py": adderTrick}, asking(isHonest))
			w.inputs["test-results"] = "all passing"
			head := w.head()
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if n := w.model.Count(); n != c.asked {
				t.Errorf("the model was asked %d times", n)
			}
			if g := w.check(head, "workflow-reviewer"); g.Title != c.title {
				t.Errorf("gate %q", g.Title)
			}
			if text := o.saved(o.of("implementation").Path); !strings.Contains(text, c.says) {
				t.Errorf("the review lacks %q:\n%s", c.says, text)
			}
			if blocked := o.kinds() == "test_env_detection"; blocked != (c.code == 1) {
				t.Errorf("violations %+v", o.violations())
			}
			if c.policy == "warn" && !strings.Contains(string(w.model.Requests()[0].Body), "## Test integrity") {
				t.Error("the reviewer was not asked about it")
			}
		})
	}
}

package main_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestModelFaults says for each failure of the model's side how the run ends.
// Whatever it is: no green check, nothing moved, and the ERROR review is saved.
func TestModelFaults(t *testing.T) {
	brokenOff := []string{"no headers", "truncated stream", "empty"} // what codex itself makes of it counts
	for name, c := range map[string]struct {
		answer func(codextest.Request) codextest.Response
		says   string // in the saved review
		most   int    // model requests
		inputs map[string]string
	}{
		"401":   {codextest.Always(codextest.Unauthorized()), "authentication", 1, nil},
		"quota": {codextest.Always(codextest.Quota()), "quota", 1, nil},
		"400":   {codextest.Always(codextest.Error(400, "invalid_request_error", "bad model")), "bad model", 1, nil},
		"another region": {
			codextest.Always(codextest.Error(401, "incorrect_hostname", "Attempted to access resource with incorrect regional hostname.")),
			"another region", 1, nil,
		},
		"address": {
			codextest.Always(codextest.Error(401, "ip_not_authorized", "Your IP address is not authorized.")),
			"the account's allow list", 1, nil,
		},
		"context": {
			codextest.Always(codextest.Failed("context_length_exceeded", "Your input exceeds the context window of this model.")),
			"review fewer or smaller files at once", 1, nil,
		},
		"filter": {codextest.Always(codextest.Error(400, "content_filter", "It was filtered.")), "have the filter eased", 1, nil},
		"413":    {codextest.Always(codextest.Error(413, "", "")), "no request of this size", 1, nil},
		"too large": {
			codextest.Always(codextest.Error(429, "rate_limit_exceeded", "Request too large for x.")), "tokens per minute raised", 1, nil,
		},
		"usage limit": {
			codextest.Always(codextest.Error(429, "usage_limit_reached", "The usage limit has been reached").With("Retry-After", "7200")),
			"(2h0m0s from now)", 1, nil,
		},
		"no reason":               {codextest.Always(codextest.Raw(noReason)), "it gave no reason", 4, nil},
		"429":                     {codextest.Always(codextest.RateLimited("")), "rate", 4, nil},
		"429 with Retry-After":    {codextest.Always(codextest.RateLimited("1")), "rate", 4, nil},
		"429 longer than timeout": {codextest.Always(codextest.RateLimited("3600")), "rate", 4, map[string]string{"timeout": "20"}},
		"500":                     {codextest.Always(codextest.Error(500, "server_error", "boom")), "Codex API failed", 4, nil},
		"truncated stream":        {codextest.Always(codextest.Truncated(`{"decision":"APPROVED"`)), "Codex API failed", 4, nil},
		"no headers":              {codextest.Always(codextest.Hang()), "timeout", 4, map[string]string{"timeout": "12"}},
		"refusal":                 {codextest.Always(codextest.Refusal("I cannot help with that.")), "refus", 4, nil},
		"empty":                   {codextest.Always(codextest.Empty()), "empty", 4, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, c.answer)
			if slices.Contains(brokenOff, name) {
				w.withCodex()
			}
			for k, v := range c.inputs {
				w.inputs[k] = v
			}
			head := w.head()
			o := w.run(w.pull("opened"))
			o.ends(2, "ERROR")
			if n := w.model.Count(); n == 0 || n > c.most {
				t.Errorf("%d model requests, want 1 to %d", n, c.most)
			}
			if w.head() != head {
				t.Error("an error was committed")
			}
			w.allClosed()
			gate := w.check(head, "workflow-reviewer")
			if gate.Conclusion != "failure" || gate.Title != "Review did not run" {
				t.Errorf("gate %s %q", gate.Conclusion, gate.Title)
			}
			rs := o.reviews()
			if len(rs) != 1 || !strings.HasSuffix(rs[0].Path, "-login-ERROR.md") {
				t.Fatalf("reviews %+v", rs)
			}
			if text := o.saved(rs[0].Path); !strings.Contains(strings.ToLower(text), strings.ToLower(c.says)) ||
				!strings.Contains(text, "Artifact not moved") {
				t.Errorf("the review does not say %q:\n%s", c.says, text)
			}
		})
	}
}

// TestAnswersThatAreNoVerdict says what becomes of answers that do not fit.
func TestAnswersThatAreNoVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		answer   func(codextest.Request) codextest.Response
		code     int
		decision string
		warning  string
		asked    int
	}{
		"prose without a decision": {
			codextest.Always(codextest.Message("It looks nice.")), 1, "NEEDS-CHANGES",
			"Could not determine decision from review", 2,
		},
		"wrong schema": {
			codextest.Always(codextest.Message(`{"verdict":"fine"}`)), 1, "NEEDS-CHANGES",
			"Could not determine decision from review", 2,
		},
		"repaired": {codextest.Script(codextest.Message(`{"verdict":"fine"}`), answer("APPROVED")), 0, "APPROVED", "", 2},
		"approved beside a High": {
			codextest.Always(answer("APPROVED", issue("High", "Hole", "specs/proposed/login.md", 3))), 1,
			"NEEDS-CHANGES", "High", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, c.answer)
			o := w.run(w.pull("opened"))
			o.ends(c.code, c.decision)
			if n := w.model.Count(); n != c.asked {
				t.Errorf("%d model requests, want %d", n, c.asked)
			}
			if text := o.saved(o.reviews()[0].Path); !strings.Contains(text, c.warning) {
				t.Errorf("the review lacks the warning %q:\n%s", c.warning, text)
			}
			w.allClosed()
		})
	}
}

func TestTokenBudget(t *testing.T) {
	w := newWorld(t, map[string]string{".workflow/config.json": config, "ROADMAP.md": roadmap},
		map[string]string{"specs/proposed/login.md": goodSpec, "specs/proposed/other.md": goodSpec, "specs/proposed/third.md": goodSpec},
		codextest.Always(answer("APPROVED").Using(900, 200)))
	w.inputs["max-tokens"], w.inputs["max-parallel"] = "1000", "1"
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if n := w.model.Count(); n != 1 {
		t.Errorf("%d model requests after the budget was spent, want 1", n)
	}
	count := map[string]int{}
	for _, r := range o.reviews() {
		count[r.Decision]++
	}
	if count["APPROVED"] != 1 || count["ERROR"] != 2 {
		t.Errorf("decisions %v", count)
	}
}

// noReason is a stream that fails without saying why.
const noReason = `data: {"type":"response.failed","response":{"error":null}}` + "\n\n"

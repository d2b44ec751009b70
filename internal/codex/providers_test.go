package codex_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/review"
)

// onResponse changes the object "response" of all events.
func onResponse(change func(map[string]any)) func(map[string]any) map[string]any {
	return func(ev map[string]any) map[string]any {
		if r, ok := ev["response"].(map[string]any); ok {
			change(r)
		}
		return ev
	}
}

func set(field string, value any) func(map[string]any) map[string]any {
	return onResponse(func(r map[string]any) { r[field] = value })
}

// TestIncompleteAnswers: what other servers leave out of an answer, or add to
// it, is either harmless or said.
func TestIncompleteAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		provider codextest.Provider
		budget   int64
		class    review.Class // "" for an answer
		says     string
	}{
		"comments and [DONE]": {provider: codextest.Provider{Comments: true}},
		"no model":            {provider: codextest.Provider{Event: codextest.Without("model")}},
		"no status":           {provider: codextest.Provider{Event: codextest.Without("status")}},
		"no response.created": {provider: codextest.Provider{Event: codextest.WithoutEvent("response.created")}},
		"no usage": {
			provider: codextest.Provider{Event: codextest.Without("usage")}, says: "does not say how many tokens",
		},
		"usage null": {
			provider: codextest.Provider{Event: set("usage", nil)}, says: "does not say how many tokens",
		},
		"no usage with a budget": {
			codextest.Provider{Event: codextest.Without("usage")}, 1000, review.Budget, "the budget cannot be kept",
		},
		"usage without details": {
			provider: codextest.Provider{Event: set("usage", map[string]any{"input_tokens": 3, "output_tokens": 4, "total_tokens": 7})},
		},
		"usage without total": {
			codextest.Provider{Event: set("usage", map[string]any{"input_tokens": 3, "output_tokens": 4})},
			0, review.BadRequest, "total_tokens",
		},
		"no id": {
			codextest.Provider{Event: codextest.Without("id")}, 0, review.BadRequest, "response.id",
		},
		"a number for an id": {
			codextest.Provider{Event: set("id", 5)}, 0, review.BadRequest, "another form than codex reads",
		},
		"no output item": {
			codextest.Provider{Event: codextest.WithoutEvent("response.output_item.done")}, 0, review.Answer, "empty",
		},
		"no response.completed": {
			codextest.Provider{Event: codextest.WithoutEvent("response.completed")}, 0, review.Transport, "broke off",
		},
		"a number for an error": {
			codextest.Provider{Event: failing(map[string]any{"code": 402, "message": "Insufficient credits"})},
			0, review.Quota, "Insufficient credits",
		},
		"a number for a limit": {
			codextest.Provider{Event: failing(map[string]any{"code": 429, "message": "slow down"})}, 0, review.RateLimit, "slow down",
		},
		"a number for a bad gate": {
			codextest.Provider{Event: failing(map[string]any{"code": 502, "message": "Provider returned error"})},
			0, review.Transport, "Provider returned error",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := codextest.New(t, codextest.Always(approved))
			o := options(t, s)
			c.provider.Path = "/v1/responses"
			o.Endpoint, o.Budget = c.provider.Serve(t, canary, s)+"/v1/responses", c.budget
			reply, err := engine(t, o).Review(t.Context(), request())
			if c.class == "" {
				notes := strings.Join(reply.Notes, "\n")
				if err != nil || reply.Text == "" || !strings.Contains(notes, c.says) || (c.says == "") != (notes == "") {
					t.Errorf("%v, answer %q, notes %q", err, reply.Text, reply.Notes)
				}
				return
			}
			if e := failed(t, err, c.class); !strings.Contains(e.Message, c.says) {
				t.Errorf("message %q does not say %q", e.Message, c.says)
			}
			if s.Count() != 1 {
				t.Errorf("%d requests, want 1", s.Count())
			}
		})
	}
}

// failing ends the stream with an event "error".
func failing(e map[string]any) func(map[string]any) map[string]any {
	return func(ev map[string]any) map[string]any {
		if ev["type"] == "response.completed" {
			return map[string]any{"type": "error", "error": e}
		}
		return ev
	}
}

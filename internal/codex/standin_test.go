package codex_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/review"
)

// TestStandInIsTakenForCodex: whatever a model without tools answers, the model's
// side is asked the same, and a review ends the same, with codextest.StandIn as
// with codex.
func TestStandInIsTakenForCodex(t *testing.T) {
	t.Parallel()
	standIn, err := codextest.StandIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plain, other := request(), request()
	plain.Model, plain.Effort = "", ""
	other.Model, other.Prompt = "gpt-unknown", "Ä \"quoted\"\n\x01"
	for name, c := range map[string]struct {
		req  review.Request
		resp codextest.Response
	}{
		"approved":      {request(), approved},
		"default model": {plain, codextest.Message("default").Using(1000, 7)},
		"unknown model": {other, approved},
		"two messages":  {request(), codextest.Message("first").And(codextest.Message("second"))},
		"refusal":       {request(), codextest.Refusal("No.")},
		"empty":         {request(), codextest.Empty()},
		"incomplete":    {request(), codextest.Incomplete("half", "max_output_tokens")},
		"failed":        {request(), codextest.Failed("server_error", "oops")},
		"truncated":     {request(), codextest.Truncated("half")},
		"raw":           {request(), codextest.Raw("data: nothing\n\n")},
		"400":           {request(), codextest.Error(400, "invalid_request_error", "Unsupported value")},
		"401":           {request(), codextest.Unauthorized()},
		"404":           {request(), codextest.Error(404, "model_not_found", "There is none")},
		"quota":         {request(), codextest.Quota()},
		"429":           {request(), codextest.RateLimited("9999")},
		"500":           {request(), codextest.Error(500, "server_error", "oops")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := seenFrom(t, codextest.Binary(t), c.req, c.resp)
			if d := cmp.Diff(want, seenFrom(t, standIn, c.req, c.resp), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("codex -, stand-in +:\n%s", d)
			}
		})
	}
}

// view is what can be seen of a review from both sides of an engine.
type view struct {
	Name, DefaultModel string
	Warnings           []string
	Reply              review.Reply
	Failure            *review.EngineError
	Asked              []asked
}

type asked struct {
	Model, Effort, Instructions, Prompt, Schema, Method, Path, Key string
}

func seenFrom(t *testing.T, path string, req review.Request, resp codextest.Response) view {
	t.Helper()
	s := codextest.New(t, codextest.Always(resp))
	o := options(t, s)
	o.Path = path
	e := engine(t, o)
	v := view{Name: e.Name(), DefaultModel: e.DefaultModel(), Warnings: e.Warnings()}
	var err error
	if v.Reply, err = e.Review(t.Context(), req); err != nil && !errors.As(err, &v.Failure) {
		t.Fatal(err)
	}
	for _, r := range s.Requests() {
		own, _, _ := strings.Cut(r.Instructions, "<tools>") // codex lists its tools at the end
		v.Asked = append(v.Asked, asked{
			r.Model, r.Effort, strings.TrimSpace(own), r.Prompt, string(r.Schema), r.Method, r.Path, r.Header.Get("Authorization"),
		})
	}
	if e.Usage() != v.Reply.Tokens && v.Failure == nil {
		t.Errorf("used %+v, reply %+v", e.Usage(), v.Reply)
	}
	return v
}

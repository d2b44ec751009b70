package codex_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

func TestReview(t *testing.T) {
	s := codextest.New(t, codextest.Always(approved))
	e := engine(t, options(t, s))
	if w := e.Warnings(); len(w) > 0 {
		t.Errorf("warnings: %v", w)
	}
	got, err := e.Review(t.Context(), request())
	if err != nil {
		t.Fatal(err)
	}
	want := review.Reply{
		Text: `{"decision":"APPROVED"}`, Model: "gpt-5.5",
		Tokens: workflow.Tokens{Input: 100, Cached: 40, Output: 20, Reasoning: 5},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("reply (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want.Tokens, e.Usage()); d != "" {
		t.Errorf("usage (-want +got):\n%s", d)
	}
	if e.Name() != "codex "+codex.Pinned || e.Version() != codex.Pinned {
		t.Errorf("name %q, version %q", e.Name(), e.Version())
	}
}

func TestModelReceives(t *testing.T) {
	s := codextest.New(t, codextest.Always(approved))
	e := engine(t, options(t, s))
	if _, err := e.Review(t.Context(), request()); err != nil {
		t.Fatal(err)
	}
	if s.Count() != 1 {
		t.Fatalf("%d requests, want 1", s.Count())
	}
	r := s.Requests()[0]
	req := request()
	for _, c := range []struct{ name, got, want string }{
		{"authorization", r.Header.Get("Authorization"), "Bearer " + canary},
		{"model", r.Model, req.Model},
		{"effort", r.Effort, req.Effort},
		{"prompt", r.Prompt, req.Prompt},
	} {
		if c.got != c.want {
			t.Errorf("%s = %q, want %q", c.name, c.got, c.want)
		}
	}
	// Behind the fixed part codex tells some models of the tools.
	if !strings.HasPrefix(r.Instructions, strings.TrimSpace(req.Instructions)) {
		t.Errorf("instructions = %q", r.Instructions)
	}
	if !strings.Contains(string(r.Schema), `"decision"`) {
		t.Errorf("schema = %s", r.Schema)
	}
}

// The models differ in how codex offers tools to them: gpt-5-codex is unknown
// to codex, gpt-5.5 finds them by a search, later ones call them from
// JavaScript in codex-code-mode-host.
func TestModelsReadThroughTheTools(t *testing.T) {
	for _, model := range []string{"gpt-5-codex", "gpt-5.5", "gpt-5.6-sol", ""} {
		t.Run("model "+model, func(t *testing.T) {
			t.Parallel()
			s := codextest.New(t, codextest.Explore(approved,
				codextest.Call("read_file", map[string]string{"path": "secret/plan.md"}),
				codextest.Call("list_files", map[string]string{"side": "base"})))
			e := engine(t, options(t, s))
			req := request()
			req.Model = model
			reply, err := e.Review(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if reply.Text != `{"decision":"APPROVED"}` || reply.Tokens.Input != 300 {
				t.Errorf("reply = %+v", reply)
			}
			out := strings.Join(s.Requests()[2].Outputs, "\n")
			if !strings.Contains(out, "the word is mellon") || !strings.Contains(out, "README.md (4 bytes)") {
				t.Errorf("the tools answered %q", out)
			}
			if want := strings.Count(model, "gpt-5-codex"); len(reply.Notes) != want {
				t.Errorf("notes = %q, want %d", reply.Notes, want)
			}
			if model == "" && reply.Model != e.DefaultModel() {
				t.Errorf("model = %q, want the default %q", reply.Model, e.DefaultModel())
			}
		})
	}
}

func TestUnknownModelIsNoted(t *testing.T) {
	s := codextest.New(t, codextest.Always(approved))
	e := engine(t, options(t, s))
	req := request()
	req.Model = "gpt-5-codex"
	reply, err := e.Review(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"codex 0.169.0 does not know the model gpt-5-codex and runs it with fallback settings"}
	if d := cmp.Diff(want, reply.Notes); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
}

// What the answer holds is the caller's business.
func TestAnyAnswerIsHandedOn(t *testing.T) {
	for _, text := range []string{"I approve of this.", `{"verdict":1}`, "```json\n{}\n```"} {
		s := codextest.New(t, codextest.Always(codextest.Message(text)))
		reply, err := engine(t, options(t, s)).Review(t.Context(), request())
		if err != nil || reply.Text != text {
			t.Errorf("reply %q, %v; want %q", reply.Text, err, text)
		}
	}
}

func TestParallelReviews(t *testing.T) {
	s := codextest.New(t, func(r codextest.Request) codextest.Response {
		return codextest.Message("echo " + r.Prompt)
	})
	e := engine(t, options(t, s))
	type end struct {
		reply review.Reply
		err   error
	}
	ends := make([]chan end, 8)
	for i := range ends {
		ends[i] = make(chan end, 1)
		req := request()
		req.Prompt = strings.Repeat("x", i+1)
		go func() {
			reply, err := e.Review(context.Background(), req)
			ends[i] <- end{reply, err}
		}()
	}
	for i, c := range ends {
		got := <-c
		if want := "echo " + strings.Repeat("x", i+1); got.err != nil || got.reply.Text != want {
			t.Errorf("review %d: %q, %v", i, got.reply.Text, got.err)
		}
	}
	if got := e.Usage(); got.Input != 800 || got.Output != 160 {
		t.Errorf("usage = %+v", got)
	}
}

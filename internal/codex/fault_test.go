package codex_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/review"
)

// Each fault of the model's side, what it is called, what the user reads, and
// how many requests it costs: codex itself must never retry.
func TestFaults(t *testing.T) {
	noServer, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = noServer.Close() // nobody listens there from now on

	for _, c := range []struct {
		name  string
		resp  codextest.Response
		class review.Class
		says  string
		after time.Duration
	}{
		{name: "401", resp: codextest.Unauthorized(), class: review.Authentication, says: "Codex API refused the key (401)"},
		{
			name: "403", resp: codextest.Error(403, "unsupported_country", "Country not supported"), class: review.Authentication,
			says: "Country not supported",
		},
		{name: "quota", resp: codextest.Quota(), class: review.Quota, says: "exceeded your current quota"},
		{name: "429", resp: codextest.RateLimited(""), class: review.RateLimit, says: "rate limit"},
		{
			name: "429 with Retry-After", resp: codextest.RateLimited("600"), class: review.RateLimit, says: "rate limit",
			after: 10 * time.Minute,
		},
		{
			name: "429 with milliseconds", resp: codextest.RateLimited("").With("Retry-After-Ms", "1500"), class: review.RateLimit,
			says: "rate limit", after: 1500 * time.Millisecond,
		},
		{
			name: "rate limit in the stream", resp: codextest.Failed("rate_limit_exceeded", "Please try again in 300s."),
			class: review.RateLimit, says: "try again in 300s", after: 5 * time.Minute,
		},
		{
			name: "400", resp: codextest.Error(400, "invalid_request_error", "Unsupported value:\n'extreme'"), class: review.BadRequest,
			says: "(400): Unsupported value: 'extreme'",
		},
		{
			name: "404", resp: codextest.Error(404, "model_not_found", "The model does not exist"), class: review.BadRequest,
			says: "(404): The model does not exist",
		},
		{
			name: "too long for the model", resp: codextest.Failed("context_length_exceeded", "Your input exceeds the context window"),
			class: review.BadRequest, says: "exceeds the context window",
		},
		{
			name: "500", resp: codextest.Error(500, "server_error", "oops"), class: review.Transport,
			says: "Codex API failed (500): oops",
		},
		{name: "502 without JSON", resp: codextest.Error(502, "", ""), class: review.Transport, says: "Codex API failed (502)"},
		{
			name: "server error in the stream", resp: codextest.Failed("server_error", "oops"), class: review.Transport,
			says: "Codex API failed: oops",
		},
		{
			name: "redirect", resp: codextest.Error(307, "", "").With("Location", "http://127.0.0.1:1/"), class: review.BadRequest,
			says: "redirect, which is not followed (307)",
		},
		{
			name: "truncated", resp: codextest.Truncated(`{"decision":"APPROVED"}`), class: review.Transport,
			says: "Codex API failed: the answer broke off",
		},
		{
			name: "not a stream", resp: codextest.Raw("<html>Welcome to the hotel's network</html>\n"),
			class: review.Transport, says: "broke off",
		},
		{
			name: "malformed events", resp: codextest.Raw("data: {\"type\":\"response.completed\"\n\ndata: [1,\n\n"),
			class: review.Transport, says: "broke off",
		},
		{
			name: "refusal", resp: codextest.Refusal("I cannot help with that."), class: review.Answer,
			says: "the model refused to answer: I cannot help with that.",
		},
		{name: "empty", resp: codextest.Empty(), class: review.Answer, says: "the model's answer is empty"},
		{name: "blank", resp: codextest.Message(" \n"), class: review.Answer, says: "the model's answer is empty"},
		{
			name: "21 MB", resp: codextest.Message(strings.Repeat("x", 21<<20)), class: review.Answer,
			says: "the model's answer is too large",
		},
		{
			name: "cut", resp: codextest.Incomplete(`{"decision":`, "max_output_tokens"), class: review.Answer,
			says: "the model's answer was cut: max_output_tokens",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := codextest.New(t, codextest.Always(c.resp))
			_, err := engine(t, options(t, s)).Review(t.Context(), request())
			e := failed(t, err, c.class)
			if !strings.Contains(e.Message, c.says) {
				t.Errorf("message %q does not say %q", e.Message, c.says)
			}
			if e.RetryAfter != c.after {
				t.Errorf("retry after %v, want %v", e.RetryAfter, c.after)
			}
			if s.Count() != 1 {
				t.Errorf("%d requests, want 1", s.Count())
			}
		})
	}

	t.Run("connection refused", func(t *testing.T) {
		o := options(t, codextest.New(t, codextest.Always(approved)))
		o.Endpoint = "http://" + noServer.Addr().String() + "/v1/responses"
		_, err := engine(t, o).Review(t.Context(), request())
		if e := failed(t, err, review.Transport); !strings.Contains(e.Message, "connection refused") {
			t.Errorf("message %q", e.Message)
		}
	})
}

// A model that is silent before its headers is noticed by the gate, whatever
// time the review still has.
func TestSilentEndpoint(t *testing.T) {
	s := codextest.New(t, codextest.Always(codextest.Hang()))
	o := options(t, s)
	o.HeaderTimeout = 50 * time.Millisecond
	_, err := engine(t, o).Review(t.Context(), request())
	e := failed(t, err, review.Transport)
	if !strings.Contains(e.Message, "Codex API failed") || s.Count() != 1 {
		t.Errorf("%q after %d requests", e.Message, s.Count())
	}
}

func TestTimeout(t *testing.T) {
	s := codextest.New(t, codextest.Always(codextest.Hang()))
	e := engine(t, options(t, s))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := e.Review(ctx, request())
	if f := failed(t, err, review.Timeout); f.Message != "Codex API timeout" {
		t.Errorf("message %q", f.Message)
	}
}

// A failure after tools were called costs what they used; it is told.
func TestFailureTellsItsTokens(t *testing.T) {
	s := codextest.New(t, codextest.Script(
		codextest.Call("list_files", map[string]string{}), codextest.Error(500, "server_error", "oops")))
	_, err := engine(t, options(t, s)).Review(t.Context(), request())
	if e := failed(t, err, review.Transport); e.Tokens.Input != 100 || e.Tokens.Output != 20 {
		t.Errorf("tokens = %+v", e.Tokens)
	}
}

func TestCancellation(t *testing.T) {
	for _, mode := range []string{"serve", "hang"} {
		t.Run("tools "+mode, func(t *testing.T) {
			asked := make(chan struct{}, 1)
			s := codextest.New(t, func(codextest.Request) codextest.Response {
				asked <- struct{}{}
				return codextest.Hang()
			})
			o := options(t, s)
			o.StoreDir = store(t, mode)
			e := engine(t, o)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := e.Review(ctx, request())
				done <- err
			}()
			if mode == "serve" {
				<-asked
			} else {
				await(t, func() bool { return len(processes(o.StoreDir)) >= 2 }) // codex and the server
			}
			cancelled := time.Now()
			cancel()
			_ = failed(t, <-done, review.Cancelled)
			// On an idle machine it takes a tenth of a second; the bound leaves
			// room for a busy one, and is what the end of a job allows.
			if d := time.Since(cancelled); d > 4*time.Second {
				t.Errorf("the review ended %v after it was cancelled", d)
			}
			if left := processes(o.StoreDir); len(left) > 0 {
				t.Errorf("still running: %q", left)
			}
		})
	}
}

// await polls for something that another process does.
func await(t testing.TB, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-time.After(20 * time.Second):
			t.Fatal("waited in vain")
		}
	}
}

func TestToolsThatCannotStart(t *testing.T) {
	for _, self := range []string{"", "/nonexistent/workflow-reviewer"} {
		s := codextest.New(t, codextest.Always(approved))
		o := options(t, s)
		o.StoreDir = store(t, "broken")
		if self != "" {
			o.Self = self
		}
		_, err := engine(t, o).Review(t.Context(), request())
		e := failed(t, err, review.Setup)
		if !strings.Contains(e.Message, "reading tools") {
			t.Errorf("message %q", e.Message)
		}
		if s.Count() != 0 {
			t.Errorf("the model was asked %d times", s.Count())
		}
	}
}

func TestBudget(t *testing.T) {
	s := codextest.New(t, codextest.Always(approved))
	o := options(t, s)
	o.Budget = 200 // a review uses 120
	e := engine(t, o)
	for range 2 {
		if _, err := e.Review(t.Context(), request()); err != nil {
			t.Fatal(err)
		}
	}
	_, err := e.Review(t.Context(), request())
	f := failed(t, err, review.Budget)
	if !strings.Contains(f.Message, "240 of 200 tokens") || !strings.Contains(f.Action, "max-tokens") {
		t.Errorf("%q, %q", f.Message, f.Action)
	}
	if s.Count() != 2 {
		t.Errorf("%d requests, want 2", s.Count())
	}
}

// A review under way is held to the budget too, else a loop of tool calls
// could spend without end.
func TestBudgetWithinAReview(t *testing.T) {
	s := codextest.New(t, codextest.Always(codextest.Call("list_files", map[string]string{})))
	o := options(t, s)
	o.Budget = 300
	_, err := engine(t, o).Review(t.Context(), request())
	if e := failed(t, err, review.Budget); s.Count() != 3 || e.Tokens.Total() != 360 {
		t.Errorf("%d requests, %d tokens", s.Count(), e.Tokens.Total())
	}
}

func TestEndlessToolCalls(t *testing.T) {
	s := codextest.New(t, codextest.Always(codextest.Call("list_files", map[string]string{})))
	o := options(t, s)
	o.MaxRequests = 4
	_, err := engine(t, o).Review(t.Context(), request())
	if e := failed(t, err, review.Answer); !strings.Contains(e.Message, "4 requests") || s.Count() != 4 {
		t.Errorf("%q after %d requests", e.Message, s.Count())
	}
}

func TestRequestsThatCodexWouldRefuse(t *testing.T) {
	s := codextest.New(t, codextest.Always(approved))
	e := engine(t, options(t, s))
	for _, c := range []struct {
		name  string
		edit  func(*review.Request)
		class review.Class
	}{
		{"too long", func(r *review.Request) { r.Prompt = strings.Repeat("é", review.MaxPrompt+1) }, review.BadRequest},
		{"not UTF-8", func(r *review.Request) { r.Prompt = "caf\xe9" }, review.Internal},
		{"no prompt", func(r *review.Request) { r.Prompt = "\n" }, review.Internal},
		{"no instructions", func(r *review.Request) { r.Instructions = "" }, review.Internal},
		{"NUL in the model", func(r *review.Request) { r.Model = "a\x00b" }, review.BadRequest},
		{"schema is not JSON", func(r *review.Request) { r.Schema = []byte("{") }, review.Setup},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := request()
			c.edit(&req)
			_, err := e.Review(t.Context(), req)
			_ = failed(t, err, c.class)
			if s.Count() != 0 {
				t.Errorf("the model was asked")
			}
		})
	}
}

// Odd but allowed: the longest prompt, control characters, a model's name that
// looks like an option or like TOML.
func TestOddRequestsPass(t *testing.T) {
	s := codextest.New(t, codextest.Always(approved))
	e := engine(t, options(t, s))
	for _, edit := range []func(*review.Request){
		func(r *review.Request) { r.Prompt = strings.Repeat("é", review.MaxPrompt) },
		func(r *review.Request) { r.Prompt = "a\x00\x1b[31m$skill\x7f" },
		func(r *review.Request) { r.Model = "--help" },
		func(r *review.Request) { r.Effort = "hi\"gh\x7f" },
		func(r *review.Request) { r.Instructions = "\x1bodd" },
	} {
		req := request()
		edit(&req)
		if _, err := e.Review(t.Context(), req); err != nil {
			t.Error(err)
			continue
		}
		all := s.Requests()
		if got := all[len(all)-1]; got.Prompt != req.Prompt || got.Model != req.Model || got.Effort != req.Effort {
			t.Errorf("arrived as %.40q, %q, %q", got.Prompt, got.Model, got.Effort)
		}
	}
}

func TestNew(t *testing.T) {
	s := codextest.New(t, codextest.Always(approved))
	script := func(t *testing.T, text string) string {
		p := filepath.Join(t.TempDir(), "codex")
		if err := os.WriteFile(p, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		name string
		edit func(*testing.T, *codex.Options)
		says string
	}{
		{"no codex", func(_ *testing.T, o *codex.Options) { o.Path = "/nonexistent/codex" }, `codex was not found at "/nonexistent/codex"`},
		{"no codex in PATH", func(_ *testing.T, o *codex.Options) {
			o.Path = "codex-of-nobody"
		}, `"codex-of-nobody" was not found in PATH`},
		{"codex that fails", func(t *testing.T, o *codex.Options) { o.Path = script(t, "exit 1\n") }, "does not run"},
		{"no key", func(_ *testing.T, o *codex.Options) { o.APIKey = "" }, "no API key"},
		{"plain http", func(_ *testing.T, o *codex.Options) {
			o.Endpoint = "http://example.com/v1/responses"
		}, "http://example.com is not https"},
		{"password", func(_ *testing.T, o *codex.Options) {
			o.Endpoint = "https://me:pass@example.com/v1/responses"
		}, "user name or password"},
		{"no URL", func(_ *testing.T, o *codex.Options) { o.Endpoint = "example" }, "not a URL"},
		{"no folder", func(_ *testing.T, o *codex.Options) { o.TempDir = "/nonexistent" }, "temporary folder"},
		{"inside a repository", func(t *testing.T, o *codex.Options) {
			if err := os.Mkdir(filepath.Join(o.TempDir, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			o.TempDir = filepath.Join(o.TempDir, "deep")
		}, "lies inside the repository"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t, s)
			c.edit(t, &o)
			_, err := codex.New(t.Context(), o)
			e := failed(t, err, review.Setup)
			if !strings.Contains(e.Message, c.says) || strings.Contains(e.Message, "pass@") {
				t.Errorf("message %q does not say %q", e.Message, c.says)
			}
		})
	}

	t.Run("another version", func(t *testing.T) {
		o := options(t, s)
		o.Path = script(t, "echo codex-cli 0.99.1\n")
		e := engine(t, o)
		if w := strings.Join(e.Warnings(), "\n"); !strings.Contains(w, "0.99.1") || !strings.Contains(w, codex.Pinned) {
			t.Errorf("warnings %q do not name both versions", w)
		}
	})
}

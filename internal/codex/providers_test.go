package codex_test

import (
	"maps"
	"net/http"
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

// TestRefusalsOfOtherServers: in whatever shape a server says no, the reader
// learns what to do.
func TestRefusalsOfOtherServers(t *testing.T) {
	const path = "no Responses API at /v1/responses"
	for name, c := range map[string]struct {
		status int
		body   string
		kind   string
		class  review.Class
		says   string
	}{
		"OpenAI, wrong path": {
			404, `{"error":{"message":"Invalid URL (POST /v1/response)","type":"invalid_request_error"}}`, "", review.BadRequest, path,
		},
		"Azure, wrong path": {
			404, `{"error":{"code":"404","message":"Resource not found"}}`, "", review.BadRequest, path,
		},
		"Azure, no deployment": {
			404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`,
			"", review.BadRequest, "rejected the request (404): The API deployment",
		},
		"Azure, key": {
			401, `{"statusCode":401,"message":"Access denied due to invalid subscription key"}`,
			"", review.Authentication, "refused the key",
		},
		"Azure, filter": {
			400, `{"error":{"code":"content_filter","message":"The response was filtered"}}`,
			"", review.BadRequest, "The response was filtered",
		},
		"OpenRouter, credits": {
			402, `{"error":{"code":402,"message":"Insufficient credits"}}`, "", review.Quota, "Insufficient credits",
		},
		"OpenRouter, no provider": {
			404, `{"error":{"code":404,"message":"No endpoints found for x/y."}}`,
			"", review.BadRequest, "rejected the request (404): No endpoints found",
		},
		"OpenRouter, moderation": {
			403, `{"error":{"code":403,"message":"Input flagged"},"metadata":null}`, "", review.Authentication, "Input flagged",
		},
		"llama.cpp, old": {
			404, `{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}`, "", review.BadRequest, path,
		},
		"llama.cpp, tools": {
			400, `{"error":{"code":400,"message":"'type' of tool must be 'function'","type":"invalid_request_error"}}`,
			"", review.BadRequest, "'type' of tool must be 'function'",
		},
		"Ollama, old": {404, "404 page not found", "text/plain", review.BadRequest, path},
		"Ollama, no model": {
			404, `{"error":"model 'x' not found"}`, "", review.BadRequest, "rejected the request (404): model 'x' not found",
		},
		"vLLM, wrong path": {404, `{"detail":"Not Found"}`, "", review.BadRequest, path},
		"vLLM, validation": {
			422, `{"detail":[{"loc":["body","input"],"msg":"field required"}]}`, "", review.BadRequest, "field required",
		},
		"vLLM, no model": {
			404, `{"object":"error","message":"The model x does not exist.","type":"NotFoundError","code":404}`,
			"", review.BadRequest, "(404): The model x does not exist.",
		},
		"LM Studio, wrong path": {
			200, `{"error":"Unexpected endpoint or method. (POST /v1/responses)"}`, "", review.BadRequest, path,
		},
		"no stream": {
			200, `{"id":"resp_1","object":"response","output":[]}`, "", review.BadRequest, "a document, not with a stream",
		},
		"a page": {
			200, `<html>Sign in</html>`, "text/html; charset=utf-8", review.BadRequest, "a document, not with a stream",
		},
		"an error as a document": {
			200, `{"error":{"code":"rate_limit_exceeded","message":"later"}}`, "", review.RateLimit, "later",
		},
		"method":           {405, `{"detail":"Method Not Allowed"}`, "", review.BadRequest, path},
		"not JSON":         {400, `<html>`, "text/html", review.BadRequest, "rejected the request (400)"},
		"the key repeated": {400, `{"detail":"bad key ` + canary + `"}`, "", review.BadRequest, "bad key ***"},
		"a message that is a list": {
			400, `{"error":{"message":["x"]},"message":7}`, "", review.BadRequest, "rejected the request (400)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := codextest.New(t, codextest.Always(approved))
			refuse := func(codextest.Request) (int, string) { return c.status, c.body }
			p := codextest.Provider{Path: "/v1/responses", Refuse: refuse, ContentType: c.kind}
			o := options(t, s)
			o.Endpoint = p.Serve(t, canary, s) + "/v1/responses"
			_, err := engine(t, o).Review(t.Context(), request())
			if e := failed(t, err, c.class); !strings.Contains(e.Message, c.says) || e.Action == "" {
				t.Errorf("message %q does not say %q; action %q", e.Message, c.says, e.Action)
			}
			if s.Count() != 1 {
				t.Errorf("%d requests, want 1", s.Count())
			}
		})
	}
}

// TestKeyHeader: Azure takes a key in a header of its own, and an access token
// where others take the key.
func TestKeyHeader(t *testing.T) {
	const token = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJ4In0.c2lnbmF0dXJl"
	for name, c := range map[string]struct {
		endpoint string // "" for the stand-in's
		query    string
		key      string
		want     map[string]string
	}{
		"others": {"", "", canary, map[string]string{"Authorization": "Bearer " + canary, "Api-Key": ""}},
		"another query": {
			"", "?version=1", canary, map[string]string{"Authorization": "Bearer " + canary, "Api-Key": ""},
		},
		"a dated version": {
			"", "?api-version=2025-04-01-preview", canary, map[string]string{"Authorization": "", "Api-Key": canary},
		},
		"a token": {
			"", "?api-version=2025-04-01-preview", token, map[string]string{"Authorization": "Bearer " + token, "Api-Key": ""},
		},
		"Azure's host": {
			"https://acme.openai.azure.com/openai/v1/responses", "", canary, map[string]string{"Authorization": "", "Api-Key": canary},
		},
		"a host that ends so": {
			"https://evil-openai.azure.com.example/openai/v1/responses", "", canary,
			map[string]string{"Authorization": "Bearer " + canary, "Api-Key": ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := codextest.New(t, codextest.Always(approved))
			o := options(t, s)
			o.APIKey = c.key
			if c.endpoint == "" {
				c.endpoint = s.Endpoint()
			} else {
				o.Transport = redirected(s.Endpoint())
			}
			o.Endpoint = c.endpoint + c.query
			if _, err := engine(t, o).Review(t.Context(), request()); err != nil {
				t.Fatal(err)
			}
			r := s.Requests()[0]
			got := map[string]string{"Authorization": r.Header.Get("Authorization"), "Api-Key": r.Header.Get("Api-Key")}
			if !maps.Equal(got, c.want) {
				t.Errorf("headers %q, want %q", got, c.want)
			}
		})
	}
}

// redirected sends all requests to one address.
type redirected string

func (to redirected) RoundTrip(r *http.Request) (*http.Response, error) {
	u, err := r.URL.Parse(string(to))
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL, r.Host = u, u.Host
	return http.DefaultTransport.RoundTrip(r)
}

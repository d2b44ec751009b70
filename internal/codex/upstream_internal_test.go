package codex

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"

	"workflow-reviewer/internal/review"
)

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
		"the key repeated": {400, `{"detail":"bad key ` + secret + `"}`, "", review.BadRequest, "bad key ***"},
		"a message that is a list": {
			400, `{"error":{"message":["x"]},"message":7}`, "", review.BadRequest, "rejected the request (400)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := open(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", cmp.Or(c.kind, "application/json"))
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			asked, base := g.open()
			status, _ := send(t, http.MethodPost, base+"/responses", nil)
			e := asked.seen().failure
			if told := e != nil && strings.Contains(e.Action, "namespace"); told != strings.Contains(name, "tools") {
				t.Errorf("told of the type of tools: %v", told)
			}
			if status != http.StatusBadRequest || e == nil || e.Class != c.class || !strings.Contains(e.Message, c.says) || e.Action == "" {
				t.Errorf("%d for codex, failure %+v, which should say %q", status, e, c.says)
			}
		})
	}
}

// TestKeyHeader: Azure takes a key in a header of its own, and an access token
// where others take the key.
func TestKeyHeader(t *testing.T) {
	const token = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJ4In0.c2lnbmF0dXJl"
	for name, c := range map[string]struct {
		endpoint string
		key      string
		want     map[string]string
	}{
		"others": {"https://api.example.com/v1/responses", secret, map[string]string{"Authorization": "Bearer " + secret, "Api-Key": ""}},
		"another query": {
			"https://api.example.com/v1/responses?version=1", secret, map[string]string{"Authorization": "Bearer " + secret, "Api-Key": ""},
		},
		"a dated version": {
			"https://api.example.com/v1/responses?api-version=2025-04-01-preview", secret,
			map[string]string{"Authorization": "", "Api-Key": secret},
		},
		"a token": {
			"https://api.example.com/v1/responses?api-version=2025-04-01-preview", token,
			map[string]string{"Authorization": "Bearer " + token, "Api-Key": ""},
		},
		"Azure's host": {
			"https://acme.openai.azure.com/openai/v1/responses", secret, map[string]string{"Authorization": "", "Api-Key": secret},
		},
		"a host that ends so": {
			"https://evil-openai.azure.com.example/openai/v1/responses", secret,
			map[string]string{"Authorization": "Bearer " + secret, "Api-Key": ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, err := checkEndpoint(c.endpoint)
			if err != nil {
				t.Fatal(err)
			}
			in := httptest.NewRequest(http.MethodPost, "/", nil)
			in.Header.Set("Authorization", "Bearer of-codex")
			in.Header.Set("Api-Key", "of-codex")
			p := &httputil.ProxyRequest{In: in, Out: in.Clone(t.Context())}
			(&gate{key: c.key, endpoint: endpoint}).rewrite(p)
			if p.Out.URL.String() != c.endpoint {
				t.Errorf("sent to %s", p.Out.URL)
			}
			r := p.Out
			got := map[string]string{"Authorization": r.Header.Get("Authorization"), "Api-Key": r.Header.Get("Api-Key")}
			if !maps.Equal(got, c.want) {
				t.Errorf("headers %q, want %q", got, c.want)
			}
		})
	}
}

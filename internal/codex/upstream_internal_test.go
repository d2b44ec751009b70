package codex

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strconv"
	"strings"
	"testing"
	"time"

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
			"", review.BadRequest, "does not know the model (404): The API deployment",
		},
		"Azure, key": {
			401, `{"statusCode":401,"message":"Access denied due to invalid subscription key"}`,
			"", review.Authentication, "refused the key",
		},
		"Azure, filter": {
			400, `{"error":{"code":"content_filter","message":"The response was filtered"}}`,
			"", review.Answer, "content filter of the model's side refused the review (400): The response was filtered",
		},
		"OpenRouter, credits": {
			402, `{"error":{"code":402,"message":"Insufficient credits"}}`, "", review.Quota, "Insufficient credits",
		},
		"OpenRouter, no provider": {
			404, `{"error":{"code":404,"message":"No endpoints found for x/y."}}`,
			"", review.BadRequest, "does not know the model (404): No endpoints found",
		},
		"OpenRouter, moderation": {
			403, `{"error":{"code":403,"message":"Input flagged"},"metadata":null}`, "", review.Answer, "Input flagged",
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
			404, `{"error":"model 'x' not found"}`, "", review.BadRequest, "does not know the model (404): model 'x' not found",
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
			if status != http.StatusBadRequest || e == nil || e.Class != c.class ||
				!strings.Contains(e.Message, c.says) ||
				e.Action == "" {
				t.Errorf("%d for codex, failure %+v, which should say %q", status, e, c.says)
			}
		})
	}
}

// TestReasons: what the other side gives as its reason decides what is said, whether it is tried again, and until when
// to wait.
func TestReasons(t *testing.T) {
	const openAI = `{"error":{"message":%q,"type":%q,"param":null,"code":%q},"status":401}`
	in := func(d time.Duration) string { return strconv.FormatInt(time.Now().Add(d).UnixMilli(), 10) }
	for name, c := range map[string]struct {
		status int
		body   string
		header map[string]string
		class  review.Class
		says   string
		advice string
		after  time.Duration // within a minute
	}{
		"region": {
			status: 401, class: review.Authentication, says: "belongs to another region (401): Attempted",
			advice: "us.api.openai.com/v1/responses",
			body: fmt.Sprintf(openAI,
				"Attempted to access resource with incorrect regional hostname. Please make your request to us.api.openai.com",
				"invalid_request_error", "incorrect_hostname"),
		},
		"address": {
			status: 401, class: review.Authentication, says: "this runner's address", advice: "allow list",
			body: fmt.Sprintf(openAI, "Your IP is not allowed here", "invalid_request_error", "ip_not_authorized"),
		},
		"Azure's firewall": {
			status: 403, class: review.Authentication, says: "this runner's address", advice: "allow list",
			body: `{"error":{"code":"403","message":"Access denied due to Virtual Network/Firewall rules."}}`,
		},
		"scopes": {
			status: 401, class: review.Authentication, says: "lacks a permission", advice: "Responses, write",
			body: fmt.Sprintf(openAI, "You have insufficient permissions for this operation. Missing scopes: api.responses.write.",
				"invalid_request_error", ""),
		},
		"country": {
			status: 403, class: review.Authentication, says: "not offered where the runner stands", advice: "another country",
			body: fmt.Sprintf(openAI, "Country, region, or territory not supported", "request_forbidden",
				"unsupported_country_region_territory"),
		},
		"an account that is gone": {
			status: 401, class: review.Authentication, says: "not there any more", advice: "make a key",
			body: fmt.Sprintf(openAI, "The OpenAI account associated with this API key has been deactivated.", "invalid_request_error",
				"account_deactivated"),
		},
		"the key's ends": {
			status: 401, class: review.Authentication, says: "refused the key (401)", advice: "openai-api-key",
			body: fmt.Sprintf(openAI, "Incorrect API key provided: sk-abcd****wxyz.", "invalid_request_error", "invalid_api_key"),
		},
		"context": {
			status: 400, class: review.BadRequest, says: "too long for the model (400)", advice: "fewer or smaller files",
			body: fmt.Sprintf(openAI, "Your input exceeds the context window of this model.", "invalid_request_error",
				"context_length_exceeded"),
		},
		"vLLM's context": {
			status: 400, class: review.BadRequest, says: "too long for the model (400)", advice: "fewer or smaller files",
			body: `{"object":"error","message":"This model's maximum context length is 8192 tokens. However, you requested 9000.","code":400}`,
		},
		"Azure's filter": {
			status: 400, class: review.Answer, says: "content filter", advice: "what may have caused it",
			body: `{"error":{"code":"content_filter","message":"The response was filtered due to the prompt triggering it.","innererror":{}}}`,
		},
		"flagged": {
			status: 400, class: review.Answer, says: "content filter", advice: "what may have caused it",
			body: fmt.Sprintf(openAI, "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
				"invalid_request_error", "invalid_prompt"),
		},
		"nginx": {
			status: 413, class: review.BadRequest, says: "no request of this size (413)", advice: "client_max_body_size",
			body: "<html><title>413 Request Entity Too Large</title>", header: map[string]string{"Content-Type": "text/html"},
		},
		"too large for a minute": {
			status: 429, class: review.BadRequest, says: "more tokens than the account may use in a minute", advice: "tokens per minute raised",
			body: fmt.Sprintf(openAI, "Request too large for gpt-5.5 on tokens per min (TPM): Limit 30000, Requested 45210.", "tokens",
				"rate_limit_exceeded"),
		},
		"rate limit in words": {
			status: 429, class: review.RateLimit, says: "rate limit reached (429)", advice: "max-parallel", after: 90 * time.Second,
			body: fmt.Sprintf(openAI, "Rate limit reached for gpt-5.5. Please try again in 1m30s.", "tokens", "rate_limit_exceeded"),
		},
		"Azure's rate limit": {
			status: 429, class: review.RateLimit, says: "rate limit reached (429)", advice: "max-parallel", after: 26 * time.Second,
			body: `{"error":{"code":"429","message":"Requests have exceeded token rate limit of your S0 tier. Please retry after 26 seconds."}}`,
		},
		"usage limit": {
			status: 429, class: review.Quota, says: "usage limit is reached (429), until ", advice: "after the reset",
			after: 602705 * time.Second,
			body:  `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_in_seconds":602705}}`,
		},
		"usage limit by date": {
			status: 429, class: review.Quota, says: "UTC (24h0m0s from now)", advice: "after the reset",
			header: map[string]string{"Date": "Sat, 31 Jan 2026 12:00:00 GMT"}, after: 24 * time.Hour,
			body: `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_at":1769947200}}`,
		},
		"OpenRouter's day": {
			status: 429, class: review.Quota, says: "the day's requests are spent (429), until ", advice: "higher limit", after: 5 * time.Hour,
			body:   `{"error":{"code":429,"message":"Rate limit exceeded: free-models-per-day."}}`,
			header: map[string]string{"X-RateLimit-Reset": in(5 * time.Hour)},
		},
		"LiteLLM's budget": {
			status: 400, class: review.Quota, says: "budget of this key is spent", advice: "whoever gave it",
			body: `{"error":{"message":"Budget has been exceeded!","type":"budget_exceeded","param":null,"code":"400"}}`,
		},
		"effort": {
			status: 400, class: review.BadRequest, says: "does not take this effort (400): Unsupported value", advice: "input effort",
			body: `{"error":{"message":"Unsupported value: 'xhigh' is not supported.","param":"reasoning.effort","code":"unsupported_value"}}`,
		},
		"schema": {
			status: 400, class: review.BadRequest, says: "no schema for its answer (400)", advice: "structured outputs",
			body: `{"error":{"message":"Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.","code":null}}`,
		},
		"verification": {
			status: 404, class: review.BadRequest, says: "verified organizations alone", advice: "verify the organization",
			body: fmt.Sprintf(openAI, "Your organization must be verified to use the model `gpt-5.5`.", "invalid_request_error",
				"model_not_found"),
		},
		"no access to the model": {
			status: 403, class: review.BadRequest, says: "may not use this model (403)", advice: "let the key's project use",
			body: fmt.Sprintf(openAI, "Project `proj_x` does not have access to model `gpt-5.5`", "invalid_request_error", ""),
		},
		"a firewall's page": {
			status: 403, class: review.BadRequest, says: "a page came in place of the endpoint's answer", advice: "NO_PROXY",
			body: "<html>Attention Required! | Cloudflare</html>", header: map[string]string{"Content-Type": "text/html"},
		},
		"overloaded": {
			status: 503, class: review.Transport, says: "overloaded (503)", advice: "later",
			body: fmt.Sprintf(openAI, "Our servers are currently overloaded. Please try again later.", "service_unavailable_error",
				"server_is_overloaded"),
		},
		"Envoy": {
			status: 503, class: review.Transport, says: "failed (503): upstream connect error", advice: "endpoint's status",
			body: "upstream connect error or disconnect/reset before headers", header: map[string]string{"Content-Type": "text/plain"},
		},
		"no reason": {
			status: 200, class: review.Transport, says: "Codex API failed: it gave no reason", advice: "endpoint's status",
			body: sse(`{"type":"response.failed","response":{"error":null}}`),
		},
		"context in the stream": {
			status: 200, class: review.BadRequest, says: "too long for the model: Your input", advice: "fewer or smaller files",
			body: sse(`{"type":"response.failed","response":{"error":{"code":"context_length_exceeded","message":"Your input exceeds it."}}}`),
		},
		"OpenRouter in the stream": {
			status: 200, class: review.Transport, says: "failed (502): Provider returned error", advice: "endpoint's status",
			body: sse(`{"type":"error","error":{"code":502,"message":"Provider returned error"}}`),
		},
		"filtered half way": {
			status: 200, class: review.Answer, says: "content filter", advice: "what may have caused it",
			body: sse(`{"type":"response.incomplete","response":{"incomplete_details":{"reason":"content_filter"}}}`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := open(t, func(w http.ResponseWriter, _ *http.Request) {
				kind := "application/json"
				if c.status == http.StatusOK {
					kind = "text/event-stream"
				}
				w.Header().Set("Content-Type", kind)
				for k, v := range c.header {
					w.Header().Set(k, v)
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			asked, base := g.open()
			send(t, http.MethodPost, base+"/responses", nil)
			e := asked.seen().failure
			if e == nil || e.Class != c.class || !strings.Contains(e.Message, c.says) ||
				!strings.Contains(e.Action, c.advice) {
				t.Fatalf("failure %+v, which should say %q and advise %q", e, c.says, c.advice)
			}
			if d := e.RetryAfter - c.after; d < -time.Minute || d > time.Minute {
				t.Errorf("to wait %v, want %v", e.RetryAfter, c.after)
			}
			if strings.Contains(e.Message, "wxyz") {
				t.Errorf("a part of the key is repeated: %s", e.Message)
			}
		})
	}
}

func sse(event string) string { return "data: " + event + "\n\n" }

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

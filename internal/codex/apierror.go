package codex

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// apiError is the error object of the Responses API.
type apiError struct {
	Code    any    `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

// is tells whether the error has this code, or this type where it has no code.
func (a apiError) is(codes ...string) bool {
	return slices.ContainsFunc(codes, func(c string) bool { return a.Code == c || a.Type == c })
}

// parseError finds the error in an answer, in the shapes that servers give it: an object or a text "error", or
// a text "message" or anything as "detail" at the top. The zero value if there is none.
func parseError(body []byte) apiError {
	var b struct {
		Error, Message, Detail json.RawMessage
	}
	_ = json.Unmarshal(body, &b) // whatever is there; the status decides
	var e apiError
	if json.Unmarshal(b.Error, &e) == nil && e.Message != "" {
		return e
	}
	for _, raw := range []json.RawMessage{b.Error, b.Message, b.Detail} {
		if json.Unmarshal(raw, &e.Message) == nil && e.Message != "" {
			return e
		}
	}
	if len(b.Detail) > 0 {
		e.Message = string(b.Detail)
	}
	return e
}

// isDocument reports whether an answer is no stream of events, although its status says that all is well.
func isDocument(h http.Header) bool {
	kind, _, _ := strings.Cut(strings.ToLower(h.Get("Content-Type")), ";")
	return strings.TrimSpace(kind) == "application/json" || strings.TrimSpace(kind) == "text/html"
}

func quotaSpent(a apiError) bool {
	return a.is("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "credits_exhausted")
}

// noSuchPath are words by which servers refuse a path, as against a model, which is not found either: OpenAI,
// Azure, llama.cpp, LM Studio, FastAPI (vLLM), Go (Ollama), Express.
var noSuchPath = regexp.MustCompile(`(?i)^$|invalid url|^(?:file |resource )?not found|page not found|unexpected endpoint|cannot post`)

// aboutTools tells errors of servers that take functions alone for tools.
var aboutTools = regexp.MustCompile(`(?i)\btools?\b`)

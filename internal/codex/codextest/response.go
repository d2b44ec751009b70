package codextest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Usage is what every completed answer claims to have used.
var usage = map[string]any{
	"input_tokens": 100, "input_tokens_details": map[string]any{"cached_tokens": 40},
	"output_tokens": 20, "output_tokens_details": map[string]any{"reasoning_tokens": 5},
	"total_tokens": 120,
}

// Response is one scripted answer.
type Response struct {
	status int // 0 is 200
	header map[string]string
	body   string // of a status other than 200

	items     []item
	failure   map[string]any // ends the stream with response.failed
	part      string         // ends it with response.incomplete for this reason
	raw       string         // sent as the stream's body as it is
	truncated bool           // the connection breaks before response.completed
	hang      bool           // nothing is sent, not even headers
	after     <-chan struct{}
	usage     map[string]any
}

// item makes an output item for a request.
type item func(Request) map[string]any

// Message is a final answer.
func Message(text string) Response {
	return Response{items: []item{message("output_text", "text", text)}}
}

// JSON is a final answer of v's JSON.
func JSON(v any) Response {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return Message(string(b))
}

// Refusal is a model's refusal, in the API's own form.
func Refusal(text string) Response {
	return Response{items: []item{message("refusal", "refusal", text)}}
}

// Empty is a completed answer without any output.
func Empty() Response { return Response{} }

// Incomplete is an answer that the API cut, for example for max_output_tokens.
func Incomplete(text, reason string) Response {
	r := Message(text)
	r.part = reason
	return r
}

// Failed is an answer that ends in response.failed.
func Failed(code, msg string) Response {
	return Response{failure: map[string]any{"code": code, "message": msg}}
}

// Truncated is a stream that breaks off after the text, before the answer is completed.
func Truncated(text string) Response {
	r := Message(text)
	r.truncated = true
	return r
}

// Raw is a stream with this body.
func Raw(body string) Response { return Response{raw: body} }

// Hang never answers, not even with headers.
func Hang() Response { return Response{hang: true} }

// Error is an answer with another status than 200 and the API's error object.
func Error(status int, code, msg string) Response {
	b, err := json.Marshal(
		map[string]any{"error": map[string]any{"code": code, "type": code, "message": msg}},
	)
	if err != nil {
		panic(err)
	}
	return Response{status: status, body: string(b)}
}

// Unauthorized is what a wrong key gets; the API repeats the key's ends.
func Unauthorized() Response {
	return Error(
		http.StatusUnauthorized,
		"invalid_api_key",
		"Incorrect API key provided: sk-cana************key1.",
	)
}

// Quota is what an account without credit gets.
func Quota() Response {
	return Error(http.StatusTooManyRequests, "insufficient_quota",
		"You exceeded your current quota, please check your plan and billing details.")
}

// RateLimited is a 429; retryAfter is the header's value, "" for none.
func RateLimited(retryAfter string) Response {
	r := Error(
		http.StatusTooManyRequests, "rate_limit_exceeded", "Rate limit reached for requests.",
	)
	if retryAfter != "" {
		r = r.With("Retry-After", retryAfter)
	}
	return r
}

// With returns the response with a header.
func (r Response) With(name, value string) Response {
	h := map[string]string{name: value}
	for k, v := range r.header {
		h[k] = v
	}
	r.header = h
	return r
}

// After returns the response held back until the channel is closed.
func (r Response) After(c <-chan struct{}) Response {
	r.after = c
	return r
}

// Using returns the response with the tokens that it claims to have used.
func (r Response) Using(input, output int64) Response {
	r.usage = map[string]any{
		"input_tokens":  input,
		"output_tokens": output,
		"total_tokens":  input + output,
	}
	return r
}

func message(kind, field, text string) item {
	return func(Request) map[string]any {
		return map[string]any{
			"type": "message", "role": "assistant", "id": "msg_1",
			"content": []any{map[string]any{"type": kind, field: text}},
		}
	}
}

// Server and namespace under which codex offers the program's own tools.
const namespace = "mcp__repo"

// Call is a call of one of the program's own tools, in the way that the
// request offers it: as a function, or from JavaScript.
func Call(tool string, args any) Response {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return Response{items: []item{func(r Request) map[string]any {
		if r.CodeMode {
			js := fmt.Sprintf("const r = await tools.%s__%s(%s); text(r);", namespace, tool, b)
			return custom("exec", js)
		}
		return function(namespace, tool, string(b))
	}}}
}

// Function is a call of any function, offered or not. ns may be empty.
func Function(ns, name, args string) Response {
	return Response{items: []item{func(Request) map[string]any { return function(ns, name, args) }}}
}

// Custom is a call of any free-form tool, offered or not.
func Custom(name, input string) Response {
	return Response{items: []item{func(Request) map[string]any { return custom(name, input) }}}
}

// Item is any other output item, such as a call of a tool that the API itself brings.
func Item(fields map[string]any) Response {
	return Response{items: []item{func(Request) map[string]any { return maps.Clone(fields) }}}
}

// And returns the response with the output of another after its own.
func (r Response) And(more Response) Response {
	r.items = slices.Concat(r.items, more.items)
	return r
}

func function(ns, name, args string) map[string]any {
	m := map[string]any{
		"type":      "function_call",
		"id":        "fc_1",
		"call_id":   "call_1",
		"name":      name,
		"arguments": args,
	}
	if ns != "" {
		m["namespace"] = ns
	}
	return m
}

func custom(name, input string) map[string]any {
	return map[string]any{
		"type": "custom_tool_call", "id": "ct_1", "call_id": "call_1", "name": name,
		"input": input, "status": "completed",
	}
}

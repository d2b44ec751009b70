package codextest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Request is what the model's side received.
type Request struct {
	N      int // counted from 0 over the server's life
	Method string
	Path   string
	Header http.Header
	Body   []byte

	Model        string
	Effort       string
	Instructions string          // the text of all developer messages and the instructions field
	Prompt       string          // the text of all user messages
	Schema       json.RawMessage // of the answer
	Tools        string          // JSON of all tools offered, in whatever way
	Outputs      []string        // what the tools answered so far, in order
	CodeMode     bool            // tools are called from JavaScript through a tool exec
}

// body is the part of a Responses request that tests look at.
type body struct {
	Model        string          `json:"model"`
	Instructions string          `json:"instructions"`
	Tools        json.RawMessage `json:"tools"`
	Reasoning    struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
	Text struct {
		Format struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"text"`
	Input []inputItem `json:"input"`
}

type inputItem struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Output  json.RawMessage `json:"output"`
	Tools   json.RawMessage `json:"tools"`
}

// parse reads a request; of a body that is not JSON only the raw fields are set.
func parse(r *http.Request, raw []byte) Request {
	req := Request{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Body: raw}
	var b body
	if json.Unmarshal(raw, &b) != nil {
		return req
	}
	req.Model, req.Effort, req.Schema = b.Model, b.Reasoning.Effort, b.Text.Format.Schema
	req.Instructions, req.Tools = b.Instructions, string(b.Tools)
	for _, in := range b.Input {
		req.take(in)
	}
	return req
}

func (r *Request) take(in inputItem) {
	switch {
	case in.Type == "additional_tools":
		r.Tools += string(in.Tools)
		r.CodeMode = true
	case strings.HasSuffix(in.Type, "_output"):
		r.Outputs = append(r.Outputs, text(in.Output))
	case in.Role == "user":
		r.Prompt += text(in.Content)
	case in.Role == "developer" || in.Role == "system":
		r.Instructions += text(in.Content)
	}
}

// text joins the texts of content that is a string or a list of parts.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	for _, p := range parts {
		s += p.Text
	}
	return s
}

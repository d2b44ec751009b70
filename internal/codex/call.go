package codex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// call is what the gate knows of one review.
type call struct {
	path string

	mu       sync.Mutex
	requests int
	failure  *review.EngineError // of the last request that failed
	tokens   workflow.Tokens
	model    string // that answered last
	refusal  string
}

// begin counts a request and returns how many there were.
func (c *call) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	return c.requests
}

// fail keeps why the call cannot succeed. It is safe for concurrent use, as all of call is.
func (c *call) fail(e *review.EngineError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failure = e
}

// seen is a call's state at one moment.
type seen struct {
	requests int
	failure  *review.EngineError
	tokens   workflow.Tokens
	model    string
	refusal  string
}

// seen is what the gate saw of the call until now.
func (c *call) seen() seen {
	c.mu.Lock()
	defer c.mu.Unlock()
	return seen{c.requests, c.failure, c.tokens, c.model, c.refusal}
}

// watch returns the stream unchanged and reads along.
func (g *gate) watch(body io.ReadCloser, c *call) io.ReadCloser {
	return &watched{ReadCloser: body, gate: g, call: c}
}

// How large an answer may be, in bytes: one of its events, the last of which repeats all of its
// text, and the whole stream. What is more is cut off, as codex takes minutes over it.
const (
	maxStreamLine = 8 << 20
	maxStream     = 64 << 20
)

var errTooLarge = errors.New("the model's answer is too large")

// watched reads along a stream of server-sent events.
type watched struct {
	io.ReadCloser
	gate *gate
	call *call
	line []byte
	size int  // of what came so far
	done bool // the answer ended, one way or another
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if !w.feed(p[:n]) && !w.done {
		w.done = true
		w.call.fail(answerError(errTooLarge.Error()))
		return 0, errTooLarge
	}
	if err != nil && !w.done && !errors.Is(err, context.Canceled) { // else codex has ended
		w.done = true
		w.call.fail(transportError("the answer broke off"))
	}
	return n, err
}

// feed takes in a part of the stream; false if the answer is too large.
func (w *watched) feed(p []byte) bool {
	if w.size += len(p); w.size > maxStream {
		return false
	}
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		end := i >= 0
		part := p
		if end {
			part, p = p[:i], p[i+1:]
		} else {
			p = nil
		}
		if len(w.line)+len(part) > maxStreamLine {
			return false
		}
		w.line = append(w.line, part...)
		if end {
			w.take(w.line)
			w.line = w.line[:0]
		}
	}
	return true
}

// streamEvent is the part of an event that the gate looks at.
type streamEvent struct {
	Type string `json:"type"`
	Item struct {
		Content []struct {
			Type    string `json:"type"`
			Refusal string `json:"refusal"`
		} `json:"content"`
	} `json:"item"`
	Response struct {
		ID         *string  `json:"id"`
		Model      string   `json:"model"`
		Error      apiError `json:"error"`
		Incomplete struct {
			Reason string `json:"reason"`
		} `json:"incomplete_details"`
		Usage *struct {
			Input        int64 `json:"input_tokens"`
			InputDetails struct {
				Cached int64 `json:"cached_tokens"`
			} `json:"input_tokens_details"`
			Output        int64 `json:"output_tokens"`
			OutputDetails struct {
				Reasoning int64 `json:"reasoning_tokens"`
			} `json:"output_tokens_details"`
			Total *int64 `json:"total_tokens"`
		} `json:"usage"`
	} `json:"response"`
	Error apiError `json:"error"`
	apiErrorFields
}

// apiErrorFields are the fields of an event "error", which has them at its top.
type apiErrorFields struct {
	Code    any    `json:"code"`
	Message string `json:"message"`
}

// take reads one line; only the events that end something are of interest.
func (w *watched) take(line []byte) {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	if !ok || !interesting(data) {
		return
	}
	var ev streamEvent
	if err := json.Unmarshal(data, &ev); err != nil {
		if ev.Type == "response.completed" {
			why := oneLine(err.Error(), w.gate.key)
			w.end(
				streamEvent{},
				incompatible("the end of the endpoint's answer has another form than codex reads: "+why),
			)
		}
		return
	}
	switch ev.Type {
	case "response.output_item.done":
		w.refused(ev)
	case "response.completed":
		w.end(ev, w.gate.lacks(ev))
	case "response.incomplete":
		reason := ev.Response.Incomplete.Reason
		w.end(ev, w.gate.stream(apiError{Code: reason, Type: "cut", Message: reason}))
	case "response.failed":
		w.end(ev, w.gate.stream(ev.Response.Error))
	case "error":
		if ev.Error.Message == "" {
			ev.Error = apiError{Code: ev.Code, Message: ev.Message}
		}
		w.end(ev, w.gate.stream(ev.Error))
	}
}

// interesting reports whether an event may say anything that is read. It saves parsing the others.
func interesting(data []byte) bool {
	for _, s := range []string{`"response.completed"`, `"response.incomplete"`, `"response.failed"`, `"error"`, `"refusal"`} {
		if bytes.Contains(data, []byte(s)) {
			return true
		}
	}
	return false
}

// refused keeps the model's words of refusal.
func (w *watched) refused(ev streamEvent) {
	for _, part := range ev.Item.Content {
		if part.Type == "refusal" {
			w.call.mu.Lock()
			w.call.refusal = part.Refusal
			w.call.mu.Unlock()
		}
	}
}

// lacks says what the end of an answer is without and codex or the budget needs.
func (g *gate) lacks(ev streamEvent) *review.EngineError {
	switch u := ev.Response.Usage; {
	case ev.Response.ID == nil:
		return incompatible("the end of the endpoint's answer has no response.id, which codex needs")
	case u != nil && u.Total == nil:
		return incompatible("the end of the endpoint's answer has a usage without total_tokens, which codex needs")
	case u == nil && g.budget > 0:
		return &review.EngineError{
			Class: review.Budget, Message: "the endpoint does not say how many tokens it used, so that the budget cannot be kept",
			Action: "set the input max-tokens to 0, or use an endpoint that reports usage",
		}
	}
	return nil
}

// end takes in how a request ended and what it used.
func (w *watched) end(ev streamEvent, failure *review.EngineError) {
	if w.done {
		return
	}
	w.done = true
	var used workflow.Tokens
	if u := ev.Response.Usage; u != nil {
		used = workflow.Tokens{
			Input: max(u.Input, 0), Cached: max(u.InputDetails.Cached, 0),
			Output: max(u.Output, 0), Reasoning: max(u.OutputDetails.Reasoning, 0),
		}
	}
	w.gate.count(used)
	c := w.call
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens = c.tokens.Add(used)
	c.failure = failure
	if ev.Response.Model != "" {
		c.model = ev.Response.Model
	}
}

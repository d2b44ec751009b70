package codex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// How large an answer may be, in bytes: one of its events, the last of which repeats all of its
// text, and the whole stream. What is more is cut off, as codex takes minutes over it.
const (
	maxStreamLine = 8 << 20
	maxStream     = 64 << 20
)

var errTooLarge = errors.New("the model's answer is too large")

// watched reads along a stream of server-sent events, which it passes on unchanged.
type watched struct {
	io.ReadCloser
	gate  *gate
	call  *call
	lines lines
	size  int  // of what came so far
	done  bool // the answer ended, one way or another
}

// watch returns a stream that the gate reads along.
func (g *gate) watch(body io.ReadCloser, c *call) io.ReadCloser {
	w := &watched{ReadCloser: body, gate: g, call: c, lines: lines{max: maxStreamLine}}
	w.lines.take = w.take
	return w
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	_, _ = w.lines.Write(p[:n]) // never fails
	w.size += n
	switch {
	case w.done:
	case w.size > maxStream || w.lines.isOver:
		w.done, n, err = true, 0, errTooLarge
		w.call.fail(answerError(errTooLarge.Error()))
	case err != nil && !errors.Is(err, context.Canceled): // else codex has ended
		w.done = true
		w.call.fail(transportError("the answer broke off"))
	}
	return n, err
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
		Usage *usage `json:"usage"`
	} `json:"response"`
	Error apiError `json:"error"`
	// An event "error" has the fields of the error at its top.
	Code    any    `json:"code"`
	Message string `json:"message"`
}

// usage is what an endpoint says that a request used.
type usage struct {
	Input        int64 `json:"input_tokens"`
	InputDetails struct {
		Cached int64 `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	Output        int64 `json:"output_tokens"`
	OutputDetails struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
	Total *int64 `json:"total_tokens"`
}

// tokens are what was used, none if nothing is said.
func (u *usage) tokens() workflow.Tokens {
	if u == nil {
		return workflow.Tokens{}
	}
	return workflow.Tokens{
		Input: max(u.Input, 0), Cached: max(u.InputDetails.Cached, 0),
		Output: max(u.Output, 0), Reasoning: max(u.OutputDetails.Reasoning, 0),
	}
}

// take reads one line; only the events that end something are of interest.
func (w *watched) take(line []byte) {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	if !ok || !isOfInterest(data) {
		return
	}
	var ev streamEvent
	if err := json.Unmarshal(data, &ev); err != nil {
		if ev.Type == "response.completed" {
			why := "the end of the endpoint's answer has another form than codex reads: "
			w.end(streamEvent{}, incompatible(why+oneLine(err.Error(), w.gate.key)))
		}
		return
	}
	switch ev.Type {
	case "response.output_item.done":
		for _, part := range ev.Item.Content {
			if part.Type == "refusal" {
				w.call.update(func(s *seen) { s.refusal = part.Refusal })
			}
		}
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

// isOfInterest reports whether an event may say anything that is read. It saves parsing the others.
func isOfInterest(data []byte) bool {
	marks := []string{
		`"response.completed"`, `"response.incomplete"`, `"response.failed"`, `"error"`, `"refusal"`,
	}
	isIn := func(mark string) bool { return bytes.Contains(data, []byte(mark)) }
	return slices.ContainsFunc(marks, isIn)
}

// lacks says what the end of an answer is without and codex or the budget needs.
func (g *gate) lacks(ev streamEvent) *review.EngineError {
	const end = "the end of the endpoint's answer has "
	switch u := ev.Response.Usage; {
	case ev.Response.ID == nil:
		return incompatible(end + "no response.id, which codex needs")
	case u != nil && u.Total == nil:
		return incompatible(end + "a usage without total_tokens, which codex needs")
	case u == nil && g.budget > 0:
		return failed(
			review.Budget,
			"the endpoint does not say how many tokens it used, so that the "+
				"budget cannot be kept",
			"set the input max-tokens to 0, or use an endpoint that reports usage",
		)
	}
	return nil
}

// end takes in how a request ended and what it used.
func (w *watched) end(ev streamEvent, failure *review.EngineError) {
	if w.done {
		return
	}
	w.done = true
	used := ev.Response.Usage.tokens()
	w.gate.count(used)
	w.call.update(func(s *seen) {
		s.tokens, s.failure = s.tokens.Add(used), failure
		if ev.Response.Model != "" {
			s.model = ev.Response.Model
		}
	})
}

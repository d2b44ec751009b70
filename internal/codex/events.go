package codex

import (
	"bytes"
	"encoding/json"
)

// The caps on what codex prints.
const (
	maxEvent = 1 << 20 // bytes of a line; a longer one is passed over
	maxNotes = 10
)

// events reads the lines that codex prints with --json. It is an io.Writer that never fails.
type events struct {
	line      []byte
	skip      bool // the rest of an overlong line
	completed bool // turn.completed was seen
	failure   string
	notes     []string // warnings that codex shows its user
}

// Write implements io.Writer.
func (e *events) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			e.keep(p)
			return n, nil
		}
		e.keep(p[:i])
		if !e.skip {
			e.take(e.line)
		}
		e.line, e.skip = e.line[:0], false
		p = p[i+1:]
	}
}

// keep adds to the line that is being read. One of more than maxEvent bytes is skipped to its end.
func (e *events) keep(p []byte) {
	if len(e.line)+len(p) > maxEvent {
		e.skip = true
	}
	if !e.skip {
		e.line = append(e.line, p...)
	}
}

// take reads one event. What is not understood is passed over: what counts is
// the exit status, the completed turn, and the answer's file.
func (e *events) take(line []byte) {
	var ev struct {
		Type    string
		Message string
		Error   struct{ Message string }
		Item    struct{ Type, Message string }
	}
	if json.Unmarshal(line, &ev) != nil {
		return
	}
	switch ev.Type {
	case "turn.completed":
		e.completed = true
	case "turn.failed":
		e.failure = ev.Error.Message
	case "error":
		e.failure = ev.Message
	case "item.completed":
		if ev.Item.Type == "error" && len(e.notes) < maxNotes {
			e.notes = append(e.notes, ev.Item.Message)
		}
	}
}

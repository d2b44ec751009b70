package codex

import "encoding/json"

// The caps on what codex prints.
const (
	maxEvent = 1 << 20 // bytes of a line; a longer one is passed over
	maxNotes = 10
)

// events are what codex prints with --json, as far as it matters.
type events struct {
	lines
	completed bool // turn.completed was seen
	failure   string
	notes     []string // warnings that codex shows its user
}

func newEvents() *events {
	e := &events{lines: lines{max: maxEvent}}
	e.lines.take = e.read
	return e
}

// read takes one event in. What is not understood is passed over: what counts is the exit status,
// the completed turn, and the answer's file.
func (e *events) read(line []byte) {
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

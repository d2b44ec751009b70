// Package events is what happens in a run, told once: to the file events.jsonl for programs, and to
// a log for people.
package events

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// File is the name of the file of events in the report's folder.
const File = "events.jsonl"

// Kind says what happened.
type Kind string

// The kinds, in the order in which a run comes to them. Those of a review come
// for each, and all from Planned on again for a branch that moved.
const (
	RunStarted      Kind = "run_started"
	Planned         Kind = "planned"
	Integrity       Kind = "integrity"
	ReviewStarted   Kind = "review_started"
	ReviewProgress  Kind = "review_progress"
	ReviewRetried   Kind = "review_retried"
	ReviewCompleted Kind = "review_completed"
	Committed       Kind = "committed"
	Published       Kind = "published"
	RunCompleted    Kind = "run_completed"
)

// Event is one line of events.jsonl. A field that says nothing of an event is
// left out. schema/events.schema.json describes it; fields are only ever added.
type Event struct {
	// When it happened, UTC.
	Time time.Time `json:"time"`
	// What happened.
	Event Kind `json:"event"`
	// The reviewed commit; of committed the branch's new head.
	Head string `json:"head,omitempty"`
	// The merge base, of planned.
	Base string `json:"base,omitempty"`
	// The review that it speaks of, as "spec: login".
	Review string `json:"review,omitempty"`
	// The reviews that are to be made, of planned.
	Reviews []string `json:"reviews,omitempty"`
	// How many files the change touches, of planned.
	Files int `json:"files,omitempty"`
	// What it came to, of review_completed and run_completed.
	Decision string `json:"decision,omitempty"`
	// Whether an earlier run's verdict was taken, of review_completed.
	Cached bool `json:"cached,omitempty"`
	// Tokens of the review or of the run.
	Tokens *workflow.Tokens `json:"tokens,omitempty"`
	// How long the review or the run took, in milliseconds.
	DurationMS int64 `json:"duration_ms,omitempty"`
	// The verdict on test integrity.
	Verdict string `json:"verdict,omitempty"`
	// How many violations of test integrity there are.
	Violations int `json:"violations,omitempty"`
	// Subjects of the commits that were written, of committed.
	Commits []string `json:"commits,omitempty"`
	// Exit status of the process, of run_completed.
	ExitCode *int `json:"exit_code,omitempty"`
	// One line for people, without secrets.
	Message string `json:"message,omitempty"`
}

// maxMessage bounds a message, in bytes.
const maxMessage = 1000

// Stream hands each event to the log and to the file, one at a time. The zero Stream needs Now; the
// rest may be nil.
type Stream struct {
	Now    func() time.Time
	Redact func(string) string // takes secrets out of a message
	Log    func(line string)

	mu   sync.Mutex
	held []byte // lines that no file holds yet
	file io.Writer
}

// Tell says that something happened; the stream sets the time. What cannot be
// written is left out: the report tells the same.
func (s *Stream) Tell(e Event) {
	if s.Redact != nil {
		e.Message = s.Redact(e.Message)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.Time = s.Now().UTC().Truncate(time.Millisecond)
	e.Message = markdown.Line(e.Message, maxMessage)
	if line := Line(e); line != "" && s.Log != nil {
		s.Log(markdown.Line(line, 0))
	}
	out, err := json.Marshal(e)
	if err != nil {
		return
	}
	s.held = append(append(s.held, out...), '\n')
	s.flush()
}

// Attach has all events, those told before too, written to w.
func (s *Stream) Attach(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file = w
	s.flush()
}

// flush writes the lines that were held until there was a file. What cannot be written is dropped.
func (s *Stream) flush() {
	if s.file == nil {
		return
	}
	_, _ = s.file.Write(s.held)
	s.held = nil
}

// Line says in one line what happened, "" if a log need not have it.
func Line(e Event) string {
	switch e.Event {
	case Planned:
		reviews := workflow.Count(len(e.Reviews), "artifact")
		files := workflow.Count(e.Files, "changed file")
		return fmt.Sprintf("What to review: %s among %s", reviews, files)
	case ReviewStarted:
		return e.Review + ": reviewing …"
	case ReviewProgress:
		return e.Review + ": " + e.Message
	case ReviewRetried:
		return e.Review + ": trying again: " + e.Message
	case ReviewCompleted:
		return e.Review + ": " + completed(e)
	case Integrity:
		return "test integrity: " + strings.ReplaceAll(e.Verdict, "-", " ")
	case Committed:
		return fmt.Sprintf("committed %s to the branch", workflow.Count(len(e.Commits), "commit"))
	default:
		return ""
	}
}

// completed is the end of a review in words, with its seconds and tokens where a model was asked.
func completed(e Event) string {
	if e.Cached {
		return e.Decision + " (recorded earlier, nothing changed since)"
	}
	s := fmt.Sprintf("%s in %.1f s", e.Decision, float64(e.DurationMS)/1000)
	if t := e.Tokens; t != nil && t.Total() > 0 {
		s += fmt.Sprintf(", %d tokens in (%d cached), %d out", t.Input, t.Cached, t.Output)
	}
	return s
}

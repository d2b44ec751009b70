// Package stophook speaks with the Stop hooks of coding agents: Claude Code and codex write JSON on
// standard input when the agent wants to stop, and read JSON on standard output that says whether
// it may.
package stophook

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// maxInput is the longest input that is read; what is longer is of no agent that is known.
const maxInput = 1 << 20

// Event is what the agent says of its stop.
type Event struct {
	Active bool   `json:"stop_hook_active"` // it goes on because a hook asked for it already
	Dir    string `json:"cwd"`
}

// Read reads an event. What cannot be read is the zero Event: the hook then looks at the working
// folder.
func Read(r io.Reader) (e Event) {
	data, err := io.ReadAll(io.LimitReader(r, maxInput))
	if err != nil || json.Unmarshal(data, &e) != nil || !filepath.IsAbs(e.Dir) {
		e.Dir = ""
	}
	return e
}

// Answer is what to print: "" lets the agent stop, and so does whatever is no breach, as a hook
// must not block for what it cannot read. It is three lines for the agent: what was weakened, how
// to take it back, and whom to ask instead.
func Answer(r report.Integrity) string {
	found := r.Breaches()
	if r.ExitCode() != 1 || len(found) == 0 {
		return ""
	}
	v := found[0]
	what := fmt.Sprintf(
		"Approved tests must stay as they were approved: %s:%d: %s",
		v.File,
		v.Line,
		v.Text,
	)
	if more := len(found) - 1; more > 0 {
		what += fmt.Sprintf(", and %s", workflow.Count(more, "more violation"))
	}
	reason := strings.Join([]string{
		markdown.Clean(what) + ".",
		`Take it back with "workflow-reviewer restore --force", and change the code instead.`,
		"If the test is wrong, leave it and call request_immediate_test_review: only a " +
			"maintainer's " +
			"label re-review:tests permits the change.",
	}, "\n")
	data, err := json.Marshal(struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}{"block", reason})
	if err != nil {
		return ""
	}
	return string(data) + "\n"
}

package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/internal/workflow"
)

const (
	dataStart = "<!-- workflow-reviewer:data "
	dataEnd   = " -->"
)

// data is the machine's part of a review file: what the front matter does not hold and the Markdown
// says only in words. It is read as a part of a result, whose JSON has the same words.
type data struct {
	Summary      string                 `json:"summary"`
	Warnings     []string               `json:"warnings,omitempty"`
	Requirements []workflow.Requirement `json:"requirements,omitempty"`
	Questions    workflow.Questions     `json:"questions,omitempty"`
	Criteria     []workflow.Criterion   `json:"criteria,omitempty"`
	Issues       []workflow.Finding     `json:"issues,omitempty"`
	Previous     []workflow.Previous    `json:"previous,omitempty"`
	Checks       []workflow.Check       `json:"checks,omitempty"`
	Violations   workflow.Violations    `json:"violations,omitempty"`
	Integrity    *workflow.Integrity    `json:"integrity,omitempty"`
	Omitted      []string               `json:"omitted,omitempty"`
	Failure      *workflow.Failure      `json:"failure,omitempty"`

	// Date is the time in the file's name, so that a renamed file is told.
	Date          time.Time            `json:"date,omitzero"`
	MaxIterations int                  `json:"max_iterations,omitempty"`
	Unasked       workflow.Unasked     `json:"unasked,omitempty"`
	Override      *workflow.Override   `json:"override,omitempty"`
	Dismissed     []workflow.Dismissal `json:"dismissed,omitempty"`
	Amends        string               `json:"amends,omitempty"`
	MustBeReadBy  workflow.Reader      `json:"must_be_read_by,omitempty"`
}

// dataLine is the last line of a review file. The JSON encoder spells "<" and ">" as escapes, so
// nothing in it can end the comment. What is in it was bounded before: it is written whole.
func dataLine(r workflow.Result) string {
	out, err := json.Marshal(data{
		r.Summary, r.Warnings, r.Requirements, r.Questions, r.Criteria, r.Issues, r.Previous,
		r.Checks, r.Violations,
		r.Integrity, r.Omitted, r.Failure,
		r.Date.UTC().Truncate(time.Second), r.MaxIterations, r.Unasked,
		r.Override, r.Dismissed, r.Amends, r.MustBeReadBy,
	})
	if err != nil {
		panic(fmt.Sprintf("encode review data: %v", err)) // strings and numbers always encode
	}
	return dataStart + string(out) + dataEnd + "\n"
}

// cutData takes the data block off the end of a file, and reads of it what a result holds. Only the
// last line counts: what looks like one further up is somebody's text. What stands in front of it
// is the Markdown, as people read it.
func cutData(body []byte) (text []byte, r workflow.Result, err error) {
	trimmed := bytes.TrimRight(body, " \r\n\t")
	line := trimmed[bytes.LastIndexByte(trimmed, '\n')+1:]
	raw, ok := bytes.CutPrefix(line, []byte(dataStart))
	if ok {
		raw, ok = bytes.CutSuffix(raw, []byte(dataEnd))
	}
	if !ok {
		return body, r, fmt.Errorf("the data block at the end of the file is missing")
	}
	if err := strictjson.Unmarshal(raw, &r); err != nil {
		return body, r, fmt.Errorf("data block: %w", err)
	}
	r.Cached, r.MovedTo, r.Bundle = false, "", nil // are of a run
	return bytes.TrimRight(trimmed[:len(trimmed)-len(line)], "\n"), r, validate(r)
}

// validate refuses words that no review of ours holds. A block that fails is not believed, whoever
// vouches for its file.
func validate(r workflow.Result) error {
	if o := r.Override; o != nil && (o.By == "" || o.Reason == "" || r.Amends == "") {
		return fmt.Errorf("data block: an override names who, why, and the review that it is about")
	}
	for _, i := range r.Issues {
		switch i.Level {
		case workflow.Block, workflow.Warn, workflow.Note:
		default:
			return fmt.Errorf("data block: severity %q is not High, Medium or Low", i.Level)
		}
	}
	for _, c := range r.Criteria {
		switch c.Grade {
		case workflow.Pass, workflow.Concern, workflow.Fail:
		default:
			return fmt.Errorf("data block: result %q is not PASS, CONCERN or FAIL", c.Grade)
		}
	}
	for _, q := range r.Requirements {
		switch q.Status {
		case workflow.Met, workflow.NotMet, workflow.CannotTell, "":
		default:
			return fmt.Errorf("data block: status %q is not met, not met or cannot tell", q.Status)
		}
	}
	return nil
}

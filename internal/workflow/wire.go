package workflow

import (
	"bytes"
	"encoding/json"
)

// These are findings that outputs, report.json and records spell in other words than issues. The
// words are published: they are only added to.
type (
	// Violations are breaches of test integrity, or what might be one.
	Violations = listOf[violation]
	// Questions are what a reviewer must answer.
	Questions = listOf[question]
	// Notices explain decisions of the program.
	Notices = listOf[notice]
)

// listOf is a list of findings whose JSON is a list of W.
type listOf[W spelling[W]] []Finding

// spelling is the JSON of a finding.
type spelling[W any] interface {
	of(Finding) W
	finding() Finding
}

// MarshalJSON implements json.Marshaler. It leaves it to the encoder of the whole which characters
// are escaped.
func (l listOf[W]) MarshalJSON() ([]byte, error) {
	var out []W
	if l != nil {
		out = make([]W, len(l))
	}
	for i, f := range l {
		out[i] = out[i].of(f)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return b.Bytes(), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *listOf[W]) UnmarshalJSON(data []byte) error {
	var in []W
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*l = nil
	if in != nil {
		*l = make(listOf[W], len(in))
	}
	for i, w := range in {
		(*l)[i] = w.finding()
	}
	return nil
}

// JSONSchemaAlias is the type that a schema describes.
func (listOf[W]) JSONSchemaAlias() any { return []W{} }

// violation is a breach of test integrity, or what might be one.
type violation struct {
	// test_modification, test_weakening, workaround, approval_tampering
	Type        string `json:"type"`
	Kind        string `json:"kind"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Side        string `json:"side"` // before, after
	Feature     string `json:"feature"`
	Description string `json:"description"`
	Evidence    string `json:"evidence"`
	Why         string `json:"why,omitempty"` // it does not decide
}

func (violation) of(f Finding) violation {
	return violation{
		string(f.Category), f.Kind, f.File, f.Line, f.Side, f.Feature, f.Text,
		f.Evidence, f.Reason,
	}
}

func (v violation) finding() Finding {
	return Finding{
		Category: Category(v.Type), Kind: v.Kind, File: v.File, Line: v.Line, Side: v.Side,
		Feature: v.Feature,
		Text:    v.Description, Evidence: v.Evidence, Reason: v.Why,
	}
}

// question is what a reviewer must answer.
type question struct {
	ID string `json:"id"` // eight hex digits, the same while the finding is
	// echo, marks, deaf, unread, gained, failed_before, shadowing; check; else that of a violation
	Kind     string         `json:"kind"`
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Question string         `json:"question"`
	Evidence string         `json:"evidence"`
	Answer   QuestionAnswer `json:"answer,omitempty"`
	Reason   string         `json:"reason,omitempty"`
}

func (question) of(f Finding) question {
	return question{f.Key, f.Kind, f.File, f.Line, f.Text, f.Evidence, f.Answer, f.Reason}
}

func (q question) finding() Finding {
	return Finding{
		Key: q.ID, Level: Ask, Kind: q.Kind, File: q.File, Line: q.Line, Text: q.Question,
		Evidence: q.Evidence,
		Answer:   q.Answer, Reason: q.Reason,
	}
}

// notice explains a decision of the program that a user may wonder about.
type notice struct {
	Warning bool   `json:"warning,omitempty"` // else it is only information
	Path    string `json:"path,omitempty"`    // the file it speaks of, if any
	Text    string `json:"text"`
}

func (notice) of(f Finding) notice { return notice{f.Warns(), f.File, f.Text} }

func (n notice) finding() Finding {
	f := Finding{Level: Note, File: n.Path, Text: n.Text}
	if n.Warning {
		f.Level = Warn
	}
	return f
}

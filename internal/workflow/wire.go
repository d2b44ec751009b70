package workflow

import (
	"bytes"
	"encoding/json"
)

// Violations, Questions and Notices are findings that outputs, report.json and records spell in
// other words than issues. These words are published: they are only added to.
type (
	Violations []Finding
	Questions  []Finding
	Notices    []Finding
)

// violation is a breach of test integrity, or what might be one.
type violation struct {
	Type        string `json:"type"` // test_modification, test_weakening, workaround, approval_tampering
	Kind        string `json:"kind"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Side        string `json:"side"` // before, after
	Feature     string `json:"feature"`
	Description string `json:"description"`
	Evidence    string `json:"evidence"`
	Why         string `json:"why,omitempty"` // it does not decide
}

func spellViolation(f Finding) violation {
	return violation{string(f.Category), f.Kind, f.File, f.Line, f.Side, f.Feature, f.Text, f.Evidence, f.Reason}
}

func (v violation) finding() Finding {
	return Finding{
		Category: Category(v.Type), Kind: v.Kind, File: v.File, Line: v.Line, Side: v.Side, Feature: v.Feature,
		Text: v.Description, Evidence: v.Evidence, Reason: v.Why,
	}
}

// question is what a reviewer must answer.
type question struct {
	ID       string         `json:"id"`   // eight hex digits, the same while the finding is
	Kind     string         `json:"kind"` // echo, marks, deaf, unread, gained, failed_before, shadowing; check; else that of a violation
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Question string         `json:"question"`
	Evidence string         `json:"evidence"`
	Answer   QuestionAnswer `json:"answer,omitempty"`
	Reason   string         `json:"reason,omitempty"`
}

func spellQuestion(f Finding) question {
	return question{f.Key, f.Kind, f.File, f.Line, f.Text, f.Evidence, f.Answer, f.Reason}
}

func (q question) finding() Finding {
	return Finding{
		Key: q.ID, Level: Ask, Kind: q.Kind, File: q.File, Line: q.Line, Text: q.Question, Evidence: q.Evidence,
		Answer: q.Answer, Reason: q.Reason,
	}
}

// notice explains a decision of the program that a user may wonder about.
type notice struct {
	Warning bool   `json:"warning,omitempty"` // else it is only information
	Path    string `json:"path,omitempty"`    // the file it speaks of, if any
	Text    string `json:"text"`
}

func spellNotice(f Finding) notice { return notice{f.Warns(), f.File, f.Text} }

// MarshalJSON implements json.Marshaler.
func (l Violations) MarshalJSON() ([]byte, error) { return encode(l, spellViolation) }

// UnmarshalJSON implements json.Unmarshaler.
func (l *Violations) UnmarshalJSON(data []byte) error {
	return decode(data, (*[]Finding)(l), violation.finding)
}

// JSONSchemaAlias is the type that the schema describes.
func (Violations) JSONSchemaAlias() any { return []violation{} }

// MarshalJSON implements json.Marshaler.
func (l Questions) MarshalJSON() ([]byte, error) { return encode(l, spellQuestion) }

// UnmarshalJSON implements json.Unmarshaler.
func (l *Questions) UnmarshalJSON(data []byte) error {
	return decode(data, (*[]Finding)(l), question.finding)
}

// JSONSchemaAlias is the type that the schema describes.
func (Questions) JSONSchemaAlias() any { return []question{} }

// MarshalJSON implements json.Marshaler. Notices are not read back.
func (l Notices) MarshalJSON() ([]byte, error) { return encode(l, spellNotice) }

// JSONSchemaAlias is the type that the schema describes.
func (Notices) JSONSchemaAlias() any { return []notice{} }

// encode leaves it to the encoder of the whole which characters are escaped.
func encode[T any](list []Finding, spell func(Finding) T) ([]byte, error) {
	var out []T
	if list != nil {
		out = make([]T, len(list))
	}
	for i, f := range list {
		out[i] = spell(f)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return b.Bytes(), err
}

func decode[T any](data []byte, list *[]Finding, finding func(T) Finding) error {
	var in []T
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*list = nil
	if in != nil {
		*list = make([]Finding, len(in))
	}
	for i, one := range in {
		(*list)[i] = finding(one)
	}
	return nil
}

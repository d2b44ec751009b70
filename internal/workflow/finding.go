package workflow

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
)

// Level is what a finding does to the gate. The words of the first, the third and the last are
// those that reviews and outputs publish as severities.
type Level string

// The levels, the gravest first.
const (
	Block Level = "High"   // forbids an approval
	Ask   Level = "Ask"    // waits for a reviewer's answer
	Warn  Level = "Medium" // worth a look
	Note  Level = "Low"
)

// Rank orders levels, the gravest 0.
func (l Level) Rank() int {
	switch l {
	case Block:
		return 0
	case Warn:
		return 1
	}
	return 2
}

// Finding is one thing that a check, a reviewer or the program found: an issue of a review, a
// violation of test integrity, a question to the reviewer, or a notice on what the program decided.
// All its texts are hostile. Its JSON is an issue's; lists of the other sorts have types of their
// own, by which outputs and records spell them.
type Finding struct {
	// Key is eight hex digits, the same while kind, place and code are; unique in its review.
	Key string `json:"id,omitempty" jsonschema:"pattern=^[0-9a-f]{8}$"`
	// Level is "" where the list decides in which a finding stands.
	Level    Level    `json:"severity"`
	Category Category `json:"category"` // of a violation its type, as test_weakening
	Title    string   `json:"title"`
	File     string   `json:"file,omitempty"`
	// Line counts from 1 in the head's file, or in the approved one if Side is "before"; 0 is the
	// whole file.
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"` // 0 = Line
	Text    string `json:"description"`
	Trigger string `json:"trigger,omitempty"` // the input or state that shows it
	Fix     string `json:"recommendation,omitempty"`
	// Suggestion replaces lines Line to EndLine; nil if there is none, empty to delete them.
	Suggestion *string `json:"suggestion,omitempty"`
	// Kind is the id of the built-in check, of a violation or a question what exactly it is; "" for
	// a model's issue and for a notice.
	Kind string `json:"rule,omitempty"`
	// Subject is what an issue stands on: the code of its line, or what it names. With kind and
	// file it makes the key.
	Subject string `json:"-"`
	// State is how it relates to earlier reviews, "" in the first.
	State FindingState `json:"state,omitempty"`

	Side     string `json:"-"` // before, after: of which version Line is, for violations
	Feature  string `json:"-"` // whose approved tests a violation is about, "" without an approval
	Evidence string `json:"-"` // the lines, as a diff
	// Answer is the reviewer's to a question, "" as long as there is none that counts. Reason is
	// why, or why a violation does not decide.
	Answer QuestionAnswer `json:"-"`
	Reason string         `json:"-"`
	// Shown is set on a question where the change itself shows that tests demand less than in the
	// merge base, and nobody approved them. It is not written down.
	Shown bool `json:"-"`
}

// Warns reports whether a notice is a warning, and no mere information.
func (f Finding) Warns() bool { return f.Level == Warn }

// Identity stays the same while a violation's kind, place and code do: the line's number and the
// wording have no part in it.
func (f Finding) Identity() string {
	return Fingerprint(string(f.Category), f.Kind, f.File, f.Side, f.Feature, f.Evidence)
}

// Distinct are the violations in their order, each once.
func Distinct(all []Finding) (out []Finding) {
	seen := map[Finding]bool{}
	for _, v := range all {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// FindingState is how a finding relates to the earlier reviews of its artifact.
type FindingState string

// The states; "" in a review without earlier ones.
const (
	Found  FindingState = "new"    // on lines that changed since the last review
	Open   FindingState = "open"   // found before
	Advice FindingState = "advice" // new, on lines that an earlier review saw: blocks nothing
)

// Identify gives every issue of the result that has none its id: eight hex digits from what stays
// the same while the finding does, which are artifact, kind, file and the code it stands on, never
// its wording. Of several alike each gets its own. A reviewer's finding about a whole file has no
// code: there its title counts, so that setting one aside sets no other aside.
func (r *Result) Identify() {
	taken := map[string]bool{}
	for _, i := range r.Issues {
		taken[i.Key] = true
	}
	issues := append([]Finding{}, r.Issues...)
	for k := range issues {
		for n := 0; issues[k].Key == ""; n++ {
			a, i := r.Artifact, issues[k]
			id := Fingerprint(string(a.Type), a.Feature, i.kind(), a.Lasting(i.File), i.stands(),
				fmt.Sprint(n))
			if !taken[id] {
				issues[k].Key, taken[id] = id, true
			}
		}
	}
	r.Issues = issues
}

// Blocks reports whether an issue keeps the review from approving: a High one, and of a model that
// refused every one that is neither Low nor advice.
func (r Result) Blocks(i Finding) bool {
	if r.Decision != NeedsChanges || i.State == Advice {
		return false
	}
	return i.Level == Block || i.Level != Note && r.MustBeReadBy == "" &&
		ReaderOf(r.Engine) == ByModel
}

// kind is the check's id, or the category of a reviewer's finding.
func (f Finding) kind() string { return cmp.Or(f.Kind, "review/"+string(f.Category)) }

// stands is what the finding stands on.
func (f Finding) stands() string {
	if f.Subject == "" && f.Kind == "" {
		return PlainWords(f.Title)
	}
	return strings.Join(strings.Fields(f.Subject), " ")
}

// Fingerprint is eight hex digits that stand for the parts in their order.
func Fingerprint(parts ...string) string {
	h := sha256.New()
	for _, s := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// PlainWords is a text's letters and digits in lower case, words apart by a space.
func PlainWords(s string) string {
	fields := strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(fields, " ")
}

// Alike reports whether two findings of reviews of one artifact are the same, if both name files by
// where they are now. Ids that earlier versions made of titles do not equal those of today; their
// findings are known by rule, file and title.
func (f Finding) Alike(o Finding) bool {
	return f.Key != "" && f.Key == o.Key || f.Kind == o.Kind && f.File == o.File &&
		PlainWords(f.Title) == PlainWords(o.Title)
}

// IsFindingID reports whether a text is a finding's id, as reviews show it.
func IsFindingID(s string) bool {
	return len(s) == 8 && strings.Trim(s, "0123456789abcdef") == ""
}

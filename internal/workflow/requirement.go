package workflow

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Requirement is one acceptance criterion of a spec with what the review says of it.
type Requirement struct {
	ID   string `json:"id"` // unique in its review
	Text string `json:"text"`
	Spec string `json:"spec"` // "path:line" that states it
	// Changed says how the pull request removes, weakens or changes what the base
	// demands, "" if it does not; Text is then the base's.
	Changed string            `json:"changed,omitempty"`
	Status  RequirementStatus `json:"status"`
	File    string            `json:"file,omitempty"` // in the head, what shows the status
	Line    int               `json:"line,omitempty"` // from 1; 0 = the whole file
	Reason  string            `json:"reason"`
	// Tests and Code are places, "path:line", that name it by its id or its words; found without a
	// model.
	Tests []string `json:"tests"`
	Code  []string `json:"code"`
}

// UnmetRule is the rule of the issue that follows from a requirement that is not met.
const UnmetRule = "requirements/not-met"

// UnmetTitle begins the title of that issue.
func (r Requirement) UnmetTitle() string { return "Requirement " + r.ID + " is not met: " }

// IsTold reports whether a High issue says that the requirement is not met: by its id, if that is
// more than a number, at its place, or as the issue that follows from it.
func (r Requirement) IsTold(issues []Finding) bool {
	isName := strings.ContainsFunc(r.ID, unicode.IsUpper)
	return slices.ContainsFunc(issues, func(i Finding) bool {
		isNamed := isName && hasWord(i.Title+" "+i.Text, r.ID)
		isThere := i.File != "" && i.File == r.File && i.Line == r.Line
		follows := i.Kind == UnmetRule && strings.HasPrefix(i.Title, r.UnmetTitle())
		return i.Level == Block && (isNamed || isThere || follows)
	})
}

// hasWord reports whether a text has a word that is no part of a longer one.
func hasWord(text, word string) bool {
	isPart := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for {
		before, after, ok := strings.Cut(text, word)
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !ok || !isPart(last) && !isPart(next) {
			return ok
		}
		text = after
	}
}

// RequirementStatus is how a requirement stands.
type RequirementStatus string

// The statuses. Where no model was asked there is none: "".
const (
	Met        RequirementStatus = "met"
	NotMet     RequirementStatus = "not met"
	CannotTell RequirementStatus = "cannot tell"
)

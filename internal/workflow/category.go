package workflow

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

// Category is what an issue is about.
type Category string

// The categories, a closed list.
const (
	Compliance      Category = "compliance"
	Correctness     Category = "correctness"
	Security        Category = "security"
	Reliability     Category = "reliability"
	Performance     Category = "performance"
	Maintainability Category = "maintainability"
	Testing         Category = "testing"
	Documentation   Category = "documentation"
	ScopeCategory   Category = "scope"
	Clarity         Category = "clarity"
)

// Categories lists all of them.
func Categories() []Category {
	return []Category{
		Compliance, Correctness, Security, Reliability, Performance, Maintainability, Testing,
		Documentation, ScopeCategory, Clarity,
	}
}

// categoryWords are, a line for each category, its name and the words that reviews used
// before the list was closed, and those of the seeds' reviewers, in lower case.
//
//go:embed categories.txt
var categoryWords string

// ParseCategory understands a category, or another word for one, in any letter
// case. Of several words the first that is known counts.
func ParseCategory(s string) (Category, bool) {
	for _, word := range strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) }) {
		for line := range strings.Lines(categoryWords) {
			if words := strings.Fields(line); slices.Contains(words, word) {
				return Category(words[0]), true
			}
		}
	}
	return "", false
}

// UnmarshalText reads what earlier reviews wrote, whatever word it is. One that
// nobody knows counts as correctness, which blocks in every iteration.
func (c *Category) UnmarshalText(text []byte) error {
	known, ok := ParseCategory(string(text))
	if !ok && len(text) > 0 {
		known = Correctness
	}
	*c = known
	return nil
}

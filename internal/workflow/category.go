package workflow

import (
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
		Compliance, Correctness, Security, Reliability, Performance, Maintainability, Testing, Documentation, ScopeCategory, Clarity,
	}
}

// categoryWords are the words that reviews used before the list was closed, and
// those of the seeds' reviewers, in lower case.
var categoryWords = map[string]Category{
	"spec": Compliance, "specification": Compliance, "requirement": Compliance, "requirements": Compliance, "conformance": Compliance,
	"completeness": Compliance, "traceability": Compliance, "integrity": Compliance, "alignment": Compliance,
	"bug": Correctness, "bugs": Correctness, "logic": Correctness, "functional": Correctness, "functionality": Correctness,
	"behavior": Correctness, "behaviour": Correctness,
	"vulnerability": Security, "privacy": Security, "authentication": Security, "authorization": Security,
	"injection": Security, "secrets": Security,
	"error": Reliability, "errors": Reliability, "robustness": Reliability, "concurrency": Reliability, "resilience": Reliability,
	"stability": Reliability, "compatibility": Reliability,
	"efficiency": Performance, "speed": Performance, "scalability": Performance, "memory": Performance,
	"style": Maintainability, "quality": Maintainability, "architecture": Maintainability, "design": Maintainability,
	"structure": Maintainability, "naming": Maintainability,
	"duplication": Maintainability, "hygiene": Maintainability, "readability": Maintainability, "complexity": Maintainability,
	"configuration": Maintainability,
	"test":          Testing, "tests": Testing, "testability": Testing, "coverage": Testing, "assertions": Testing,
	"docs": Documentation, "comments": Documentation, "doc": Documentation,
	"boundaries": ScopeCategory, "feasibility": ScopeCategory, "priority": ScopeCategory,
	"consistency": Clarity, "ambiguity": Clarity, "wording": Clarity, "reviewability": Clarity, "depth": Clarity, "usability": Clarity,
}

// ParseCategory understands a category, or another word for one, in any letter
// case. Of several words the first that is known counts.
func ParseCategory(s string) (Category, bool) {
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, c := range Categories() {
			if word == string(c) {
				return c, true
			}
		}
		if c, ok := categoryWords[word]; ok {
			return c, true
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

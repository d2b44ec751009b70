// Package workflow is the vocabulary of the product: artifact types and their lifecycle, decisions,
// issues, checks, violations, and the result of a review. It holds data and the few rules that
// belong to the words themselves.
package workflow

import "strings"

// Type is a kind of workflow artifact.
type Type string

// The eight types, in the order in which their reviews are listed.
const (
	Vision         Type = "vision"
	Scope          Type = "scope"
	Roadmap        Type = "roadmap"
	Spec           Type = "spec"
	Skeleton       Type = "skeleton"
	Tests          Type = "tests"
	Implementation Type = "implementation"
	BugFix         Type = "bug-fix"
)

// Types lists all types in their order.
func Types() []Type {
	return []Type{Vision, Scope, Roadmap, Spec, Skeleton, Tests, Implementation, BugFix}
}

// ParseType reads a type's name in singular or plural, in any letter case, with "-", "_" or nothing
// in bug-fix.
func ParseType(s string) (Type, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	s = strings.ReplaceAll(s, "_", "-")
	for _, t := range Types() {
		if s == string(t) || s == t.Plural() ||
			strings.ReplaceAll(s, "-", "") == strings.ReplaceAll(string(t), "-", "") {
			return t, true
		}
	}
	switch s {
	case "test":
		return Tests, true
	case "bugfixes":
		return BugFix, true
	}
	return "", false
}

// Plural is the plural of the type's name, as some configs spell it.
func (t Type) Plural() string {
	switch t {
	case Tests:
		return "tests"
	case BugFix:
		return "bug-fixes"
	default:
		return string(t) + "s"
	}
}

// Folder is the type's folder under reviews/.
func (t Type) Folder() string {
	switch t {
	case Vision, Scope, Roadmap:
		return string(t)
	default:
		return t.Plural()
	}
}

// Title is the type's name for headings: "Spec", "Bug fix".
func (t Type) Title() string {
	if t == BugFix {
		return "Bug fix"
	}
	return strings.ToUpper(string(t[:1])) + string(t[1:])
}

// Single reports whether the type's artifact is one document (vision, scope,
// roadmap, spec) rather than a set of source files.
func (t Type) Single() bool {
	switch t {
	case Vision, Scope, Roadmap, Spec:
		return true
	default:
		return false
	}
}

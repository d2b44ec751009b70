package workflow

import (
	"slices"
	"strings"
)

// Reader says who read what a review is of.
type Reader string

// The readers, in the order of what their word counts.
const (
	ByRules  Reader = "rules"
	ByModel  Reader = "model"
	ByPerson Reader = "person"
)

// Readers lists all of them, the least first.
func Readers() []Reader { return []Reader{ByRules, ByModel, ByPerson} }

// Less reports whether a reader falls short of another; whoever is unknown does.
func (r Reader) Less(o Reader) bool {
	return slices.Index(Readers(), r) < slices.Index(Readers(), o)
}

// ReaderOf is who reads with an engine, by its name with or without a version.
func ReaderOf(engine string) Reader {
	name, _, _ := strings.Cut(engine, " ")
	if name == "" || name == string(ByRules) {
		return ByRules
	}
	return ByModel
}

// ReviewedBy is who read what a result is of: a person who answers for it, a model that was asked,
// or nobody but the built-in checks.
func (r Result) ReviewedBy() Reader {
	switch {
	case r.Override != nil:
		return ByPerson
	case r.Unasked == ByChecks || r.Unasked == ByIntegrity:
		return ByRules
	default:
		return ReaderOf(r.Engine)
	}
}

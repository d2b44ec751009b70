package runner

import "workflow-reviewer/internal/integrity/violation"

// effect is what a setting does to the outcome of tests, and so which changes
// of it matter.
type effect int

const (
	changed   effect = iota // not known to be harmless: any difference counts
	harmless                // never matters
	include                 // a list of what is run: losing an entry narrows
	exclude                 // a list of what is not: gaining an entry narrows
	filter                  // picks tests by name: setting or changing it narrows
	strict                  // makes a run fail that else passes: turning it off narrows
	loose                   // makes a run pass that else fails: turning it on narrows
	threshold               // a number that must be reached
	ceiling                 // a number that must not be passed
	retries                 // how often a failing test is run again
	loads                   // code that is loaded around the tests or in place of something
	arguments               // command line of a tool
	commands                // shell commands
)

// rule says what the settings that its key matches do.
type rule struct {
	key    string // a doublestar glob over option.key
	effect effect
	// kind of violations, "" for that which the effect suggests.
	kind violation.Kind
	// defaults are what counts while an include or exclude is not set; an
	// include without defaults takes everything then. For strict: "true" if
	// it is on unless it is turned off.
	defaults []string
	tool     *tool  // whose command line arguments are
	prefix   bool   // entries without wildcard match names that begin so
	none     bool   // an include that is not set takes nothing
	split    string // what separates the entries of a value, instead of white space and commas
	braces   bool   // entries are written as py{38,39}-{a,b}
	// known tells values that never matter: loaders that only translate, paths
	// of sources, aliases of folders. The key is option.key.
	known func(key string, v value) bool
}

// kindOf is the kind of violation that an effect is unless the rule names one.
func (r rule) kindOf() violation.Kind {
	switch {
	case r.kind != "":
		return r.kind
	case r.effect == changed:
		return violation.ConfigChanged
	case r.effect == threshold || r.effect == ceiling:
		return violation.ThresholdLowered
	case r.effect == retries:
		return violation.RetriesAdded
	case r.effect == commands:
		return violation.TestScriptNeutered
	default:
		return violation.ConfigNarrowed
	}
}

package workaround

import (
	"bytes"

	"workflow-reviewer/internal/integrity/workaround/literal"
)

// knowledge is what the rules know besides the file.
type knowledge struct {
	tests  *literal.Tests
	isTest func(string) bool
	// markers are names that changed files give to the answer whether a test is
	// running, by name: the file.
	markers map[string]string
	// tables are names of lookup tables that pair tests' inputs with outputs.
	tables map[string]*table
	second bool // markers and tables are complete
}

// foreign reports whether a file mentions a name that another file gave to the
// rules to know.
func (k *knowledge) foreign(c Changed) bool {
	for name, from := range k.markers {
		if from != c.Path && bytes.Contains(c.After, []byte(name)) {
			return true
		}
	}
	for name, t := range k.tables {
		if t.path != c.Path && bytes.Contains(c.After, []byte(name)) {
			return true
		}
	}
	return false
}

func newKnowledge(in Input) *knowledge {
	k := &knowledge{tests: in.Tests, isTest: in.IsTest, markers: map[string]string{}, tables: map[string]*table{}}
	if k.isTest == nil {
		k.isTest = func(string) bool { return false }
	}
	return k
}

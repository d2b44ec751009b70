package workaround

import (
	"bytes"
	"context"
	"path"
)

// knowledge is what the rules know besides the file.
type knowledge struct {
	tests  *literals
	isTest func(string) bool
	paths  map[string]bool // of the approved tests
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

func newKnowledge(ctx context.Context, in Input) (*knowledge, error) {
	k := &knowledge{isTest: in.IsTest, paths: map[string]bool{}, markers: map[string]string{}, tables: map[string]*table{}}
	for _, t := range in.Tests {
		k.paths[path.Clean(t.Path)] = true
	}
	if k.isTest == nil {
		k.isTest = func(p string) bool { return k.paths[path.Clean(p)] }
	}
	var err error
	k.tests, err = readLiterals(ctx, in.Tests)
	return k, err
}

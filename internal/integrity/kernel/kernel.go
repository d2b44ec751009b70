// Package kernel decides whether an approved test file still demands what was approved. It compares concrete syntax
// trees in order, and knows a closed list of reasons why a difference is harmless; everything else is a difference.
//
// It holds no words of projects, no scores and no thresholds. Each rule that forgives stands in a file of its
// own, rule_*.go, with the reason why it cannot weaken; its counter-examples are in testdata/rules. What a
// language looks like is data (data/*.txt), and so are the assertions of the frameworks (package catalogue). A
// node kind that no table names is compared as it is.
package kernel

import (
	"workflow-reviewer/internal/syntax"
)

// Node is one node of a canonical tree: what is left of a syntax node when the
// language's normal form has been taken. A leaf has no Kids.
type Node struct {
	Kind  string
	Field string // of the parent, "" if it is in none
	Text  string // of a leaf
	Kids  []*Node
	Up    *Node
	Line  int // first line, from 1
	End   int // last line

	start, stop int    // bytes of the source
	hash        uint64 // of kinds, fields and texts
	shape       uint64 // the same with all names of variables taken for one
	variable    bool   // a name that may stand for a local
	shorthand   bool   // a name that is a variable and a key at once
	bound       *local // what a variable is bound to, nil for a free name
}

// Tree is the canonical form of one file.
type Tree struct {
	Root   *Node
	Lang   syntax.Language
	Source []byte
	reader
	names  map[string]int // every name of the file, with how often it stands there
	fixed  map[string]bool
	parsed *syntax.Tree
}

// Difference is one place where a file is not proved to demand what was
// approved. Old or New is nil if there is nothing on that side.
type Difference struct {
	Old, New *Node // the smallest nodes that differ
	// OldStatement and NewStatement are what stands in a block around them.
	OldStatement, NewStatement *Node
}

// Result is what a comparison found.
type Result struct {
	Old, New    *Tree
	Differences []Difference
	// Forgiven names the rules that were needed, each once, in alphabetical
	// order; none if the files differ in their normal form's terms only.
	Forgiven []string
}

// Same reports whether nothing differs.
func (r Result) Same() bool { return len(r.Differences) == 0 }

// Options tell what one file cannot.
type Options struct {
	// Used reports whether another approved file mentions a name; nil: none does.
	Used func(name string) bool
	// Chosen reports whether something that runs tests may take one of two names
	// of a test and not the other; nil: nothing does.
	Chosen func(old, now string) bool
	// OldPath and NewPath are where the two versions stand in the repository.
	OldPath, NewPath string
	// Additions is false for files of which every addition counts.
	Additions bool
}

// Compare compares two versions of a file. Both trees must be of one language.
func Compare(old, now *syntax.Tree, opt Options) Result {
	a, b := canonical(old), canonical(now)
	c := &comparer{old: a, new: b, reader: a.reader, opt: opt, forgiven: map[string]bool{}}
	c.units, c.to, c.from = map[*Node]unitFacts{}, map[*local]*local{}, map[*local]*local{}
	c.same(a.Root, b.Root)
	return Result{Old: a, New: b, Differences: c.found, Forgiven: c.rules()}
}

// Package kernel compares two versions of a test file: their concrete syntax trees, in order.
//
// A file is the same if nothing but its layout differs: white space, comments, quotes, trailing
// commas, type annotations that call nothing. It gained something if all that was approved stands
// there as it was, in its order, and whole members under fresh names stand between it. Everything
// else is a difference. What a language looks like is data (data/*.txt), and so is what frameworks
// call their tests (package catalogue).
package kernel

import (
	"slices"

	"workflow-reviewer/internal/integrity/catalogue"
	"workflow-reviewer/internal/proof"
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

	hash uint64 // of kinds, fields and texts
}

// Tree is the canonical form of one file.
type Tree struct {
	Root   *Node
	Lang   syntax.Language
	Source []byte
	table  *table
	File   catalogue.File  // what is known of the frameworks that the file uses
	own    map[string]bool // functions that the file defines outside of all others
}

// Difference is one place where a file does not stand as it was approved. Old
// or New is nil if there is nothing on that side.
type Difference struct {
	Old, New *Node // the smallest nodes that differ
	// OldStatement and NewStatement are what stands in a block around them.
	OldStatement, NewStatement *Node
}

// Gain is a member that the head's file has besides what was approved.
type Gain struct {
	Node *Node
	What string // "test test_b", "import os"
	Acts string // how it acts on others, "" if it does not
}

// Result is what a comparison found.
type Result struct {
	Old, New    *Tree
	Differences []Difference
	Gains       []Gain
}

// Standing is the worst of what was found.
func (r Result) Standing() proof.Standing {
	switch {
	case len(r.Differences) > 0:
		return proof.Changed
	case slices.ContainsFunc(r.Gains, func(g Gain) bool { return g.Acts != "" }):
		return proof.Acts
	case len(r.Gains) > 0:
		return proof.Gained
	}
	return proof.Same
}

// Options tell what one file cannot.
type Options struct {
	// Used reports whether another approved file mentions a name; nil: none does.
	Used func(name string) bool
	Path string // of the file
	// Loose takes a changed statement that acts on others for a gain as well: nobody approved what
	// stood there.
	Loose bool
}

// Compare compares two versions of a file. Both trees must be of one language.
func Compare(old, now *syntax.Tree, opt Options) Result {
	a, b := Read(old), Read(now)
	c := &comparer{Tree: b, old: a, opt: opt}
	c.compare(a.Root, b.Root)
	return Result{Old: a, New: b, Differences: c.found, Gains: c.gains}
}

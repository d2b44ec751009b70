// Package build holds what the extractors of several languages share: putting
// units, statements and marks together, and bringing assertions that say the
// same into one form.
package build

import (
	"strconv"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// MaxDepth is how deep statements are taken apart; what is nested deeper stays
// tokens, so that hostile sources cannot exhaust the stack.
const MaxDepth = 60

// Builder puts the model of one file together.
type Builder struct {
	lines testmodel.Lines
	file  testmodel.File
	seen  map[unitKey]int
}

type unitKey struct {
	role testmodel.Role
	name string
}

// New starts the model of a tree.
func New(t *syntax.Tree, path string) *Builder {
	return &Builder{
		lines: testmodel.LinesOf(t.Source()),
		file:  testmodel.File{Path: path},
		seen:  map[unitKey]int{},
	}
}

// Open adds a unit of the lines of a node and returns its number; the name is
// made unique among those of its role. Units of a number lower than another's
// stand before it in the model.
func (b *Builder) Open(role testmodel.Role, name string, n syntax.Node) int {
	k := unitKey{role, name}
	b.seen[k]++
	for count := b.seen[k]; count > 1; count = b.seen[k] {
		unique := unitKey{role, name + " #" + strconv.Itoa(count)}
		if b.seen[unique] == 0 {
			b.seen[unique]++
			name = unique.name
			break
		}
		b.seen[k]++
	}
	line := n.StartLine()
	b.file.Units = append(b.file.Units, testmodel.Unit{
		Role: role, Name: name, Line: line, End: n.EndLine(), Text: b.lines.At(line),
	})
	return len(b.file.Units) - 1
}

// Unit is the unit of a number; the pointer holds until the next Open.
func (b *Builder) Unit(i int) *testmodel.Unit { return &b.file.Units[i] }

// Count is the number of units.
func (b *Builder) Count() int { return len(b.file.Units) }

// Import adds an import.
func (b *Builder) Import(n syntax.Node, local, source string) {
	line := n.StartLine()
	b.file.Imports = append(b.file.Imports, testmodel.Import{Local: local, Source: source, Line: line, Text: b.lines.At(line)})
}

// File is the finished model.
func (b *Builder) File() testmodel.File { return b.file }

// Stmt is a statement of the lines of a node.
func (b *Builder) Stmt(kind testmodel.Kind, n syntax.Node, head []string) testmodel.Stmt {
	line := n.StartLine()
	return testmodel.Stmt{Kind: kind, Line: line, End: n.EndLine(), Text: b.lines.At(line), Head: head}
}

// Mark is a mark of the lines of a node.
func (b *Builder) Mark(effect testmodel.Effect, n syntax.Node, tokens []string) testmodel.Mark {
	line := n.StartLine()
	return testmodel.Mark{Effect: effect, Tokens: tokens, Line: line, Text: b.lines.At(line)}
}

// Row is a row of the lines of a node.
func (b *Builder) Row(n syntax.Node, tokens []string) testmodel.Row {
	line := n.StartLine()
	return testmodel.Row{Tokens: tokens, Line: line, Text: b.lines.At(line)}
}

// Assert is a statement of the lines of a node that makes an assertion, in its
// settled form.
func (b *Builder) Assert(n syntax.Node, head []string, a testmodel.Assert) testmodel.Stmt {
	s := b.Stmt(testmodel.Asserts, n, head)
	a = Settle(a)
	s.Assert = &a
	return s
}

// Qualify joins the names of suites and what is in them.
func Qualify(suite, name string) string {
	if suite == "" {
		return name
	}
	return suite + " › " + name
}

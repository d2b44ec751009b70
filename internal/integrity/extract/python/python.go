// Package python models test files that are written in Python.
package python

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the test file at path demands. It never fails: what it does
// not understand stays in the model as plain statements.
func Model(t *syntax.Tree, path string) testmodel.File {
	lines := testmodel.LinesOf(t.Source())
	f := testmodel.File{Path: path}
	module := testmodel.Unit{Role: testmodel.Module, Line: 1, End: len(lines), Text: lines.At(1)}
	for _, n := range t.Root().Named() {
		module.Body = append(module.Body, testmodel.Stmt{
			Kind: testmodel.Plain, Line: n.StartLine(), End: n.EndLine(), Text: lines.At(n.StartLine()),
			Head: testmodel.Canon(n, testmodel.Options{Quotes: true}),
		})
	}
	f.Units = append(f.Units, module)
	return f
}

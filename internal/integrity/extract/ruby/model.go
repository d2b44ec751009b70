// Package ruby models what a test file in Ruby demands.
package ruby

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the file demands. It answers for any tree, with tokens where
// it does not understand; path is copied into the answer.
func Model(t *syntax.Tree, path string) testmodel.File {
	lines := testmodel.LinesOf(t.Source())
	module := testmodel.Unit{Role: testmodel.Module, Line: 1, End: len(lines)}
	for _, n := range t.Root().Named() {
		module.Body = append(module.Body, testmodel.Stmt{
			Kind: testmodel.Plain, Line: n.StartLine(), End: n.EndLine(), Text: lines.At(n.StartLine()),
			Head: testmodel.Canon(n, testmodel.Options{}),
		})
	}
	return testmodel.File{Path: path, Units: []testmodel.Unit{module}}
}

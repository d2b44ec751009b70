package testdiff

import (
	"workflow-reviewer/internal/integrity/extract/csharp"
	"workflow-reviewer/internal/integrity/extract/golang"
	"workflow-reviewer/internal/integrity/extract/java"
	"workflow-reviewer/internal/integrity/extract/javascript"
	"workflow-reviewer/internal/integrity/extract/python"
	"workflow-reviewer/internal/integrity/extract/ruby"
	"workflow-reviewer/internal/integrity/extract/rust"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// extractor makes a model of a syntax tree. It never fails.
type extractor func(t *syntax.Tree, path string) testmodel.File

// extractorOf is the extractor of a language, nil if there is none.
func extractorOf(l syntax.Language) extractor {
	switch l {
	case syntax.Python:
		return python.Model
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return javascript.Model
	case syntax.Go:
		return golang.Model
	case syntax.Java:
		return java.Model
	case syntax.Ruby:
		return ruby.Model
	case syntax.Rust:
		return rust.Model
	case syntax.CSharp:
		return csharp.Model
	default:
		return nil
	}
}

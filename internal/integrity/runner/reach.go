package runner

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// CompareTest judges a test file that nobody approved, new or changed: whether
// it reaches into other tests or into the framework that they share with it. A
// runner loads it in the same process.
func CompareTest(p string, before, after []byte) Result {
	c := newComparison(p, before, after)
	var in func(*syntax.Tree) []harm
	switch lang, _ := syntax.LanguageOf(p); lang {
	case syntax.Python:
		in = pythonReach
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		in = scriptReach
	}
	if in == nil || after == nil || tooLarge(after) || bytes.Equal(before, after) || path.Base(p) == "conftest.py" {
		return Result{}
	}
	if err := c.find(context.Background(), before, after, in); err != nil {
		return Result{} // nothing of it runs, or it is judged as what it is
	}
	return c.finish()
}

var (
	// foreignTest is an assignment to, or a call that sets, a test of another
	// module or a part of the framework. unittest's own options are no such part.
	foreignTest = regexp.MustCompile(`^\w+(?: \. \w+)* \. (?:test_\w+|Test\w+)(?: \. \w+)* =[^=]|^(?:builtins|pytest|_pytest|unittest)(?: \. \w+)+ =[^=]|^setattr \( (?:builtins|pytest|_pytest|unittest\b|[\w. ]*\btest_\w+|sys \. modules)|^sys \. modules \[.* =[^=]`)
	ownOption   = regexp.MustCompile(`^unittest[\w. ]* \. (?:maxDiff|longMessage|_diffThreshold) =`)
	cleansUp    = regexp.MustCompile(`^sys \. modules \[ "[\w.]+" \] = (?:\w*[mM]ock\w*|types \. ModuleType)`)
)

// pythonReach finds what a module does to others when it is loaded.
func pythonReach(tree *syntax.Tree) []harm {
	var out []harm
	imported := importedNames(tree)
	for _, n := range tree.Root().Named() {
		for _, s := range leaves(n) {
			text := canon(s)
			root, _, _ := strings.Cut(strings.TrimPrefix(text, "setattr ( "), " ")
			if !imported[root] || inFunction(s) || !foreignTest.MatchString(text) || ownOption.MatchString(text) || cleansUp.MatchString(text) {
				continue
			}
			out = append(out, harm{violation.AutoloadedFile, s.StartLine(), "module " + text, fmt.Sprintf("A test file changes other tests when it is loaded: %s", cut(oneLine(s.Text())))})
		}
	}
	return out
}

// importedNames are the names in the imports of a module: what they stand for is
// another's.
func importedNames(tree *syntax.Tree) map[string]bool {
	out := map[string]bool{}
	for n := range tree.All("import_statement", "import_from_statement") {
		for name := range n.All("identifier") {
			out[name.Text()] = true
		}
	}
	return out
}

func inFunction(n syntax.Node) bool {
	for p := n.Parent(); !p.IsZero(); p = p.Parent() {
		if p.Is("function_definition", "lambda") {
			return true
		}
	}
	return false
}

// shared are names of the framework that all test files of a process share.
const shared = `(?:expect|test|it|describe|suite|assert|should|chai|jest|vi|vitest)`

var (
	setsShared    = regexp.MustCompile(`^\(? ?(?:\( )?` + globalObject + `(?: as [\w. <>,]+ \))?(?: \))? (?:\. ` + shared + `$|\[ "` + shared + `" \]$)|^(?:expect|it|test|describe|assert|chai)$|^(?:assert|chai)(?: \. \w+)+$|\bAssertion \. prototype \. \w+$`)
	definesShared = regexp.MustCompile(`^(?:Object|Reflect) \. (?:defineProperty|set|assign) \( ` + globalObject + ` , (?:"` + shared + `"|\{[^}]*\b` + shared + `\b)`)
)

// scriptReach finds where a script sets what tests share.
func scriptReach(tree *syntax.Tree) []harm {
	var out []harm
	for n := range tree.All("assignment_expression", "call_expression") {
		text := canon(n)
		if n.Is("assignment_expression") && setsShared.MatchString(canon(n.Field("left"))) || n.Is("call_expression") && definesShared.MatchString(text) {
			out = append(out, harm{violation.AutoloadedFile, statementLine(n), text, "A test file changes the framework for others: " + cut(oneLine(n.Text()))})
		}
	}
	return out
}

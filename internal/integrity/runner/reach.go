package runner

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// CompareTest judges a test file that nobody approved, new or changed: whether
// it reaches into other tests, into the framework that they share with it, or
// into their process. A runner loads it in the same one.
func CompareTest(p string, before, after []byte) Result {
	c := newComparison(p, before, after)
	var in func(*syntax.Tree) map[string]finding
	switch lang, _ := syntax.LanguageOf(p); lang {
	case syntax.Python:
		in = pythonReach
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		in = scriptReach
	}
	if in == nil || after == nil || tooLarge(after) || bytes.Equal(before, after) || path.Base(p) == "conftest.py" {
		return Result{}
	}
	is, err := c.parse(context.Background(), after)
	if err != nil {
		return Result{} // nothing of it runs, or it is judged as what it is
	}
	had := map[string]finding{}
	if before != nil {
		if was, err := c.parse(context.Background(), before); err == nil {
			had = in(was)
		}
	}
	for text, f := range in(is) {
		if _, ok := had[text]; !ok {
			c.report(f)
		}
	}
	return c.finish()
}

var (
	// foreignTest is an assignment to, or a call that sets, a test of another
	// module or a part of the framework, and foreignProcess what reaches the
	// whole process. unittest's own options are no such part.
	foreignTest    = regexp.MustCompile(`^\w+(?: \. \w+)* \. (?:test_\w+|Test\w+)(?: \. \w+)* =[^=]|^(?:builtins|pytest|_pytest|unittest)(?: \. \w+)+ =[^=]|^setattr \( (?:builtins|pytest|_pytest|unittest\b|[\w. ]*\btest_\w+|sys \. modules)|^sys \. modules \[.* =[^=]|__dict__ (?:\. (?:update|setdefault|__setitem__)|\[)`)
	foreignProcess = regexp.MustCompile(`\batexit \. register \(|\bos \. _exit\b|\bpytest \. (?:exit|main) \(|\b(?:sys \. settrace|sys \. setprofile|threading \. settrace|gc \. get_objects|gc \. get_referrers|signal \. signal)\b|\. (?:start|__enter__) \( \)$.*patch|^(?:mock \. )?patch\b.*\. start \( \)|^exec \(|^eval \(`)
	ownOption      = regexp.MustCompile(`^unittest[\w. ]* \. (?:maxDiff|longMessage|_diffThreshold) =`)
	cleansUp       = regexp.MustCompile(`^sys \. modules \[ "[\w.]+" \] = (?:\w*[mM]ock\w*|types \. ModuleType)`)
)

// pythonReach finds what a module does to others when it is loaded.
func pythonReach(tree *syntax.Tree) map[string]finding {
	out := map[string]finding{}
	imported := map[string]bool{} // what these stand for is another's
	for n := range tree.All("import_statement", "import_from_statement") {
		for name := range n.All("identifier") {
			imported[name.Text()] = true
		}
	}
	for s := range tree.All("expression_statement") {
		text := canon(s)
		root, _, _ := strings.Cut(strings.TrimPrefix(text, "setattr ( "), " ")
		foreign := imported[root] && foreignTest.MatchString(text) || foreignProcess.MatchString(text) && (imported[root] || strings.HasPrefix(text, "ex") || strings.HasPrefix(text, "ev"))
		if !foreign || inFunction(s) || ownOption.MatchString(text) || cleansUp.MatchString(text) {
			continue
		}
		out[text] = finding{violation.AutoloadedFile, 0, s.StartLine(), "A test file changes other tests when it is loaded: " + cut(s.Text())}
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

// sharedNames are those of the framework that all test files of a process share.
const sharedNames = `(?:expect|test|it|describe|suite|assert|should|chai|jest|vi|vitest)`

var (
	setsShared    = regexp.MustCompile(`^\(? ?(?:\( )?` + globalObject + `(?: as [\w. <>,]+ \))?(?: \))? (?:\. ` + sharedNames + `$|\[ "` + sharedNames + `" \]$)|^(?:expect|it|test|describe|assert|chai)$|^(?:assert|chai)(?: \. \w+)+$|\bAssertion \. prototype \. \w+$|^process \. exitCode$`)
	definesShared = regexp.MustCompile(`^(?:Object|Reflect) \. (?:defineProperty|set|assign) \( (?:` + globalObject + ` , (?:"` + sharedNames + `"|\{[^}]*\b` + sharedNames + `\b)|(?:assert|chai|expect)\b)|^process \. (?:on|once) \( "(?:exit|beforeExit)"|^process \. (?:exit|reallyExit) \( (?:0 )?\)`)
)

// scriptReach finds where a script sets what tests share.
func scriptReach(tree *syntax.Tree) map[string]finding {
	out := map[string]finding{}
	for n := range tree.All("assignment_expression", "call_expression") {
		text := canon(n)
		if n.Is("assignment_expression") && setsShared.MatchString(canon(n.Field("left"))) || n.Is("call_expression") && definesShared.MatchString(text) {
			out[text] = finding{violation.AutoloadedFile, 0, n.StartLine(), "A test file changes the framework for others: " + cut(n.Text())}
		}
	}
	return out
}

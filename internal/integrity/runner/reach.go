package runner

import (
	"bytes"
	"context"
	"regexp"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// CompareTest judges a script that nobody approved, new or changed: whether it
// sets what the tests of all files share. A runner may load it in the same
// process. What definitions and calls do to others is the kernel's question.
func CompareTest(ctx context.Context, p string, before, after []byte) Result {
	c := newComparison(p, before, after)
	if !conventions.IsScript(p) || after == nil || tooLarge(after) || bytes.Equal(before, after) {
		return Result{}
	}
	is, err := c.parse(ctx, after)
	if err != nil {
		return Result{} // nothing of it runs, or it is judged as what it is
	}
	had := map[string]finding{}
	if before != nil {
		if was, err := c.parse(ctx, before); err == nil {
			had = scriptReach(was)
		}
	}
	for text, f := range scriptReach(is) {
		if _, ok := had[text]; !ok {
			c.report(f)
		}
	}
	return c.finish()
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

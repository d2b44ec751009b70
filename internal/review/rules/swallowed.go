package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

func swallowed(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.code() {
		if f.tree == nil {
			continue
		}
		for n := range f.tree.Root().All("except_clause", "catch_clause", "rescue", "if_statement", "assignment_statement") {
			if title := swallows(f, n); title != "" && f.added(n.StartLine()) && !f.commented(n) && !f.harmless(n) {
				out = append(out, workflow.Issue{File: f.path, Line: n.StartLine(), EndLine: n.EndLine(), Title: title})
			}
		}
	}
	return out
}

var (
	anyError    = lazyregexp.New(`^except\s*:|^except\s*\(?\s*(?:Base)?Exception\b`)
	goDiscard   = lazyregexp.New(`^_\s*=\s*(?:\w*[eE]rr)$`)
	goErrNotNil = lazyregexp.New(`^\w*[eE]rr\s*!=\s*nil$`)
)

// swallows says in which way a node swallows an error, "" if it does not.
func swallows(f *source, n syntax.Node) string {
	switch n.Kind() {
	case "except_clause":
		if anyError.MatchString(n.Text()) && idleBlock(n.Child("block")) {
			return "all exceptions are swallowed"
		}
	case "catch_clause":
		if b := n.Child("statement_block", "block"); b.IsNamed() && len(b.Named()) == 0 {
			return "an empty catch swallows the error"
		}
	case "rescue":
		if f.is(syntax.Ruby) && n.IsNamed() && len(n.Field("body").Named()) == 0 && n.Field("exceptions").IsZero() {
			return "an empty rescue swallows the error"
		}
	case "if_statement":
		if f.is(syntax.Go) && goErrNotNil.MatchString(n.Field("condition").Text()) && len(n.Field("consequence").Named()) == 0 {
			return "an error is looked at and then ignored"
		}
	case "assignment_statement":
		if f.is(syntax.Go) && goDiscard.MatchString(n.Text()) {
			return "an error is assigned to nothing"
		}
	}
	return ""
}

// tidying is what a call does that only clears away, answers or waits: that it
// fails is no matter.
var tidying = lazyregexp.New(`(?i)(?:unlink|remove\w*|clear\w*|destroy|unsubscribe|rm|rmtree|close|shutdown|shutdownasync|dispose` +
	`|disposeasync|kill|terminate|cancel|abort|stop|disconnect|cleanup|delete|release|send_json|send|reply_text|wait\w*)\(`)

// harmless reports whether what may fail only clears away, waits or reads, or is
// an attempt that leaves where it succeeds, with the next one below it. What only
// reads sets a value that has another from before. Where no error can be named in
// the handler, a lone step is let go too: which one failed is plain.
func (f *source) harmless(n syntax.Node) bool {
	try := n.Parent()
	body := try.Field("body").Named()
	if !try.Is("try_statement") || len(body) == 0 {
		return false
	}
	last, around := body[len(body)-1], try.Parent().Named()
	below := len(around) > 0 && around[len(around)-1].EndByte() > try.EndByte()
	tidies := !slices.ContainsFunc(body, func(b syntax.Node) bool {
		return !b.Is("comment", "import_statement", "import_from_statement") && !tidying.MatchString(firstLine(b.Text()))
	})
	leaves := last.Is("return_statement", "break_statement", "continue_statement")
	return tidies || leaves && below ||
		f.script() && effects(body) < 2 || !f.script() && !leaves && !hasEffect(try.Field("body"))
}

// effects is how many of the statements are calls whose results nobody keeps.
func effects(body []syntax.Node) int {
	n := 0
	for _, statement := range body {
		if isEffect(statement) {
			n++
		}
	}
	return n
}

// hasEffect reports whether such a call stands anywhere in a block, or anything in it
// leaves or throws.
func hasEffect(block syntax.Node) bool {
	found := false
	block.Walk(func(n syntax.Node) bool {
		found = found || isEffect(n) || n.Is("raise_statement", "throw_statement", "yield")
		return !found
	})
	return found
}

func isEffect(n syntax.Node) bool {
	kids := n.Named()
	return n.Is("expression_statement") && len(kids) == 1 && (syntax.IsCall(kids[0]) ||
		kids[0].Is("await_expression", "await") && len(kids[0].Named()) > 0 && syntax.IsCall(kids[0].Named()[0]))
}

// idleBlock reports whether a Python block does nothing.
func idleBlock(b syntax.Node) bool {
	for _, n := range b.Named() {
		if !n.Is("pass_statement") && !(n.Is("expression_statement") && n.FirstChild().Is("ellipsis")) {
			return false
		}
	}
	return b.IsNamed()
}

// commented reports whether a comment stands within the node or at its end.
func (f *source) commented(n syntax.Node) bool {
	for l := n.StartLine(); l <= n.EndLine(); l++ {
		if f.commentLines()[l] {
			return true
		}
	}
	return false
}

// commentLines are the lines on which comments stand.
func (f *source) commentLines() map[int]bool {
	if f.comment == nil {
		f.comment = map[int]bool{}
		for _, c := range f.comments {
			for i := range split(strings.TrimRight(c.text, "\n")) {
				f.comment[c.line+i] = true
			}
		}
	}
	return f.comment
}

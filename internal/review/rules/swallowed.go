package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

func swallowed(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.code() {
		if f.tree == nil || f.isTool() {
			continue
		}
		f.terms.Root.Walk(func(n *code.Node) bool {
			if title := swallows(f, n); title != "" && f.added(n.Line) && !f.commented(n) && !f.packed(n.Line) {
				out = append(out, workflow.Issue{File: f.path, Line: n.Line, EndLine: n.EndLine(), Title: title})
			}
			return true
		})
	}
	return out
}

var (
	anyError = lazyregexp.New(`^\(?\s*(?:Base)?Exception\b`)
	// caughtAny is any error in Java and C#.
	caughtAny = lazyregexp.New(`\b(?:Runtime)?(?:Exception|Throwable|Error)\b`)
	errName   = lazyregexp.New(`^\w*[eE]rr$`)
)

// swallows says in which way a node swallows an error, "" if it does not.
func swallows(f *source, n *code.Node) string {
	idle := !slices.ContainsFunc(n.Kids, func(k *code.Node) bool { return !k.Src.Is("pass_statement", "ellipsis") })
	cond := n.Kid(0)
	switch {
	case n.Is(code.Handler) && (!idle || n.Text == "finally" || f.harmless(n.Up)):
	case n.Is(code.Handler) && f.is(syntax.Python) && (n.Text == "" || anyError.MatchString(n.Text)):
		return "all exceptions are swallowed"
	case n.Is(code.Handler) && f.is(syntax.Ruby) && n.Text == "":
		return "an empty rescue swallows the error"
	case n.Is(code.Handler) && !f.is(syntax.Python, syntax.Ruby) &&
		(n.Text == "" || caughtAny.MatchString(n.Text) || !f.is(syntax.Java, syntax.CSharp)):
		return "an empty catch swallows the error"
	case n.Is(code.If) && f.is(syntax.Go) && len(n.Kid(1).Kids) == 0 && cond.Is(code.Binary) && cond.Text == "!=" &&
		errName.MatchString(code.Dotted(cond.Kid(0))) && cond.Kid(1).Is(code.Literal):
		return "an error is looked at and then ignored"
	}
	return ""
}

// tidying is what a call does that only clears away, answers, waits, counts or keeps a copy: that it fails is no matter.
var tidying = lazyregexp.New(`(?i)(?:unlink|remove\w*|clear\w*|destroy|unsubscribe|rm|rmtree|close|shutdown|shutdownasync|dispose` +
	`|disposeasync|kill|terminate|cancel|abort|stop|disconnect|cleanup|delete|release` +
	`|closesend|hide|quit|deletelater|log(?:ger)?(?:\.\w+)?|debug|close_\w+` +
	`|log_\w+|emit|on_\w+|\w*callback|touch_\w+|focus|notify\w*|cache\w*|send_json|send|reply_text|wait\w*|track\w*|inc|observe|show\w*)\(`)

// harmless reports whether what may fail only clears away, waits or reads, is done because something failed
// before, or is an attempt that leaves where it succeeds, with the next one below it. What only reads sets a value
// that has another from before. Where no error can be named in the handler, a lone step is let go too: which one
// failed is plain.
func (f *source) harmless(try *code.Node) bool {
	body := try.Kid(0)
	if len(body.Kids) == 0 || f.is(syntax.Ruby) {
		return false
	}
	leave := func(n *code.Node) bool { return n.Is(code.Return) || n.Src.Is("break_statement", "continue_statement") }
	leaves, effects := leave(body.Kids[len(body.Kids)-1]), 0
	for _, k := range body.Kids {
		if k.Is(code.Call) {
			effects++
		}
	}
	tidies := body.Any(func(n *code.Node) bool { return n.Is(code.Call) }) && !slices.ContainsFunc(body.Kids, func(b *code.Node) bool {
		calls := b.Any(func(n *code.Node) bool { return n.Is(code.Call) })
		return calls && !b.Is(code.Import) && !tidying.MatchString(firstLine(b.Src.Text()))
	})
	return tidies || try.Outer(code.Handler) != nil || leaves && followed(try) || f.script() && effects < 2 ||
		!f.script() && !leaves && !body.Any(func(n *code.Node) bool {
			return n.Is(code.Raise) || n.Src.Is("yield") || n.Is(code.Call) && n.Up.Is(code.Block, code.Handler, code.Func)
		})
}

// followed reports whether a function goes on after a statement of it.
func followed(n *code.Node) bool {
	for ; n.Up != nil && !n.Is(code.Func); n = n.Up {
		if around := n.Up.Kids; !n.Up.Is(code.If, code.Try) && around[len(around)-1] != n {
			return true
		}
	}
	return false
}

// onPurpose is what is said of a function whose failure is no matter, in it or above it,
// putsBack what one is called that restores or clears away.
var (
	onPurpose = lazyregexp.New(`(?i)\b(?:best[- ]effort|fire[- ]and[- ]forget|(?:never|not) raises?|errors? (?:are|is) ignored)\b`)
	putsBack  = lazyregexp.New(`(?i)^_*(?:restore|clean_?up|tear_?down|dispose|shut_?down)`)
)

// aboveFunction is how many lines its comment takes, at the most, and its own.
const aboveFunction = 12

// commented reports whether a comment stands within the node or at its end, or its function says that it may fail.
func (f *source) commented(n *code.Node) bool {
	if fn := n.Outer(code.Func); fn != nil && (onPurpose.MatchString(fn.Src.Text()) || putsBack.MatchString(fn.Text) ||
		onPurpose.MatchString(strings.Join(f.lines[max(0, fn.Line-aboveFunction):fn.Line-1], "\n"))) {
		return true
	}
	for l := n.Line; l <= n.EndLine(); l++ {
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

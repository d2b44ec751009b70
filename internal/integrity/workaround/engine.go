package workaround

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// pass is one rule at work on one file.
type pass struct {
	*code.File
	*Input
	kind    violation.Kind
	changed Changed
	lines   literal.Lines
	found   *[]workflow.Violation
	seen    map[int]bool // lines that the rule has reported
	dropped int
}

// maxFindings bounds what one rule reports in one file.
const maxFindings = 20

// report says that a line is a trick if it, or one of the others that the trick is made of, is new.
func (p *pass) report(line int, description string, others ...int) {
	if !slices.ContainsFunc(append(others, line), p.changed.IsNew) || p.seen[line] {
		return
	}
	if p.seen[line] = true; len(p.seen) > maxFindings {
		p.dropped++
		return
	}
	at := violation.Place{Path: p.Path, Line: line, Text: p.lines.At(line)}
	*p.found = append(*p.found, violation.Added(p.kind, at, "Workaround: "+description))
}

// lang reports whether the file is in one of the languages.
func (p *pass) lang(languages ...syntax.Language) bool { return slices.Contains(languages, p.Lang) }

// script reports whether the file is in JavaScript or TypeScript.
func (p *pass) script() bool { return p.lang(syntax.JavaScript, syntax.TypeScript, syntax.TSX) }

// check runs the rules over one file; why says what could not be read, zero if all was.
func check(ctx context.Context, c Changed, in *Input) (found []workflow.Violation, why Unread, err error) {
	lang, ok := syntax.LanguageOf(c.Path)
	if !ok {
		return checkLines(c), Unread{}, nil
	}
	if bytes.IndexByte(c.After, 0) >= 0 {
		return nil, Unread{Path: c.Path, Why: "it holds a NUL byte"}, nil
	}
	if c.Before != nil && len(c.Added) == 0 {
		return nil, Unread{}, nil // only lines were removed
	}
	f, broken, err := code.Parse(ctx, c.Path, lang, c.After)
	if err != nil {
		return nil, Unread{Path: c.Path, Why: err.Error()}, ctx.Err()
	}
	if in.Each != nil {
		in.Each(c, f)
	}
	if len(broken) > 0 {
		why = Unread{c.Path, "source has syntax errors; only what could be read was looked at", !slices.ContainsFunc(broken, c.IsNew)}
	}
	lines := literal.LinesOf(c.After)
	for _, r := range Rules() {
		p := &pass{File: f, Input: in, kind: r.Kind, changed: c, lines: lines, found: &found, seen: map[int]bool{}}
		r.check(p)
		if p.dropped > 0 {
			found[len(found)-1].Description += fmt.Sprintf(" (and %d more lines of the file)", p.dropped)
		}
	}
	return found, why, ctx.Err()
}

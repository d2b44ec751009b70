package workaround

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// rule is a Rule with its code.
type rule struct {
	Rule
	check func(*pass)
}

// pass is one rule at work on one file.
type pass struct {
	*code.File
	rule    *rule
	changed Changed
	lines   literal.Lines
	known   *knowledge
	found   *[]workflow.Violation
	seen    map[int]bool // lines that the rule has reported
	dropped int
}

// maxFindings bounds what one rule reports in one file.
const maxFindings = 20

// added reports whether any of the lines is new.
func (p *pass) added(lines ...int) bool {
	if p.changed.Added == nil {
		return p.changed.Before == nil
	}
	for _, l := range lines {
		if p.changed.Added[l] {
			return true
		}
	}
	return false
}

// report says that a line is a trick if it, or one of the others that the
// trick is made of, is new.
func (p *pass) report(line int, description string, others ...int) {
	if !p.added(append(others, line)...) || p.seen[line] {
		return
	}
	if p.seen[line] = true; len(p.seen) > maxFindings {
		p.dropped++
		return
	}
	at := violation.Place{Path: p.Path, Line: line, Text: p.lines.At(line)}
	*p.found = append(*p.found, violation.Added(p.rule.Kind, at, "Workaround: "+description))
}

// lang reports whether the file is in one of the languages.
func (p *pass) lang(languages ...syntax.Language) bool { return slices.Contains(languages, p.Lang) }

// script reports whether the file is in JavaScript or TypeScript.
func (p *pass) script() bool { return p.lang(syntax.JavaScript, syntax.TypeScript, syntax.TSX) }

// check runs the rules over one file; it returns why the file could not be
// analysed, zero if it was.
func check(ctx context.Context, c Changed, k *knowledge, each func(Changed, *code.File), out *[]workflow.Violation) (why Unread, err error) {
	lang, ok := syntax.LanguageOf(c.Path)
	if !ok {
		checkLines(c, out)
		return Unread{}, nil
	}
	if bytes.IndexByte(c.After, 0) >= 0 {
		return Unread{Path: c.Path, Why: "it holds a NUL byte"}, nil
	}
	if c.Before != nil && len(c.Added) == 0 {
		return Unread{}, nil // only lines were removed
	}
	f, broken, err := code.Parse(ctx, c.Path, lang, c.After)
	if err != nil {
		return Unread{Path: c.Path, Why: err.Error()}, ctx.Err()
	}
	if each != nil {
		each(c, f)
	}
	if len(broken) > 0 {
		why = Unread{c.Path, "source has syntax errors; only what could be read was looked at", !slices.ContainsFunc(broken, c.isNew)}
	}
	lines := literal.LinesOf(c.After)
	for _, r := range catalogue() {
		p := &pass{File: f, rule: &r, changed: c, lines: lines, known: k, found: out, seen: map[int]bool{}}
		r.check(p)
		if p.dropped > 0 {
			last := &(*out)[len(*out)-1]
			last.Description += fmt.Sprintf(" (and %d more lines of the file)", p.dropped)
		}
	}
	return why, ctx.Err()
}

// run checks all files; those that use names of others are checked again when
// all names are known.
func run(ctx context.Context, in Input, k *knowledge) (Result, error) {
	var out Result
	found := make([][]workflow.Violation, len(in.Files))
	for i, c := range in.Files {
		if c.After == nil || k.isTest(c.Path) {
			continue
		}
		why, err := check(ctx, c, k, in.Each, &found[i])
		if err != nil {
			return Result{}, err
		}
		if why.Path != "" {
			out.NotAnalysed = append(out.NotAnalysed, why)
		}
	}
	k.second = true
	for i, c := range in.Files {
		if c.After == nil || k.isTest(c.Path) || !k.foreign(c) {
			continue
		}
		found[i] = nil
		if _, err := check(ctx, c, k, nil, &found[i]); err != nil {
			return Result{}, err
		}
	}
	for _, vs := range found {
		out.Violations = append(out.Violations, vs...)
	}
	slices.SortStableFunc(out.Violations, func(a, b workflow.Violation) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return out, nil
}

package workaround

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
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
	lines   testmodel.Lines
	known   *knowledge
	found   *[]workflow.Violation
	seen    map[int]bool // lines that the rule has reported
	dropped int
}

// knowledge is what the rules know besides the file.
type knowledge struct {
	tests  *literals
	isTest func(string) bool
	paths  map[string]bool // of the approved tests
	// markers are names that changed files give to the answer whether a test is
	// running, by name: the file.
	markers map[string]string
	// tables are names of lookup tables that pair tests' inputs with outputs.
	tables map[string]*table
	second bool // markers and tables are complete
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
// analysed, "" if it was.
func check(ctx context.Context, c Changed, k *knowledge, out *[]workflow.Violation) (string, error) {
	lang, ok := syntax.LanguageOf(c.Path)
	if !ok {
		checkLines(c, out)
		return "", nil
	}
	if c.Before != nil && len(c.Added) == 0 {
		return "", nil // only lines were removed
	}
	tree, err := parse(ctx, lang, c.After)
	if err != nil {
		return err.Error(), ctx.Err()
	}
	f, err := code.Read(c.Path, tree)
	if err != nil {
		return err.Error(), nil
	}
	why := ""
	if tree.HasError() {
		why = "source has syntax errors; only what could be read was looked at"
	}
	lines := testmodel.LinesOf(c.After)
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

// parse parses a source. The grammar of C# has no place for directives in the
// middle of things, so that a source with errors is parsed without them.
func parse(ctx context.Context, lang syntax.Language, source []byte) (*syntax.Tree, error) {
	tree, err := syntax.Parse(ctx, lang, source)
	if err != nil || !tree.HasError() || lang != syntax.CSharp {
		return tree, err
	}
	if again, err := syntax.Parse(ctx, lang, withoutDirectives(source)); err == nil && !again.HasError() {
		return again, nil
	}
	return tree, nil
}

// withoutDirectives blanks the lines of directives and the branches that
// follow an #else or #elif.
func withoutDirectives(source []byte) []byte {
	out := bytes.Clone(source)
	var skip []bool // for each open #if, whether its branch is left out
	for at := 0; at < len(out); {
		end := at + bytes.IndexByte(out[at:], '\n')
		if end < at {
			end = len(out)
		}
		word, _, _ := bytes.Cut(bytes.TrimLeft(out[at:end], " \t\ufeff"), []byte(" "))
		directive := bytes.HasPrefix(word, []byte("#"))
		switch string(bytes.TrimSpace(word)) {
		case "#if":
			skip = append(skip, false)
		case "#else", "#elif":
			if len(skip) > 0 {
				skip[len(skip)-1] = true
			}
		case "#endif":
			skip = skip[:max(0, len(skip)-1)]
		}
		if directive || slices.Contains(skip, true) {
			for i := at; i < end; i++ {
				out[i] = ' '
			}
		}
		at = end + 1
	}
	return out
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
		why, err := check(ctx, c, k, &found[i])
		if err != nil {
			return Result{}, err
		}
		if why != "" {
			out.NotAnalysed = append(out.NotAnalysed, c.Path+": "+why)
		}
	}
	k.second = true
	for i, c := range in.Files {
		if c.After == nil || k.isTest(c.Path) || !k.foreign(c) {
			continue
		}
		found[i] = nil
		if _, err := check(ctx, c, k, &found[i]); err != nil {
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

// foreign reports whether a file mentions a name that another file gave to the
// rules to know.
func (k *knowledge) foreign(c Changed) bool {
	for name, from := range k.markers {
		if from != c.Path && bytes.Contains(c.After, []byte(name)) {
			return true
		}
	}
	for name, t := range k.tables {
		if t.path != c.Path && bytes.Contains(c.After, []byte(name)) {
			return true
		}
	}
	return false
}

func newKnowledge(ctx context.Context, in Input) (*knowledge, error) {
	k := &knowledge{isTest: in.IsTest, paths: map[string]bool{}, markers: map[string]string{}, tables: map[string]*table{}}
	for _, t := range in.Tests {
		k.paths[path.Clean(t.Path)] = true
	}
	if k.isTest == nil {
		k.isTest = func(p string) bool { return k.paths[path.Clean(p)] }
	}
	var err error
	k.tests, err = readLiterals(ctx, in.Tests)
	return k, err
}

// Package trick looks for ways by which an implementation satisfies its tests without doing what
// they ask. What each looks like is data: a query a language (tricks.scm of package lang), and a
// row of tricks.txt with the sentence that says what was found and what is asked about it. A row
// blocks only where two of three unseen hits were right (testdata/unseen.txt); all others are
// questions, since honest code looks so as well.
package trick

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
	"workflow-reviewer/internal/workflow"
)

// Changed is one file of the implementation.
type Changed struct {
	Path   string
	Before []byte // nil: the file is new
	After  []byte // nil: the file is gone
	// lines of After, from 1, that are new; nil for a new file means all of them
	Added map[int]bool
}

// IsNew reports whether a line is new.
func (c Changed) IsNew(line int) bool { return c.Before == nil && c.Added == nil || c.Added[line] }

// Unread is a file that could not be read as code, or not whole.
type Unread struct {
	Path, Why string
	Blob      string // of the head
	Old       bool   // what could not be read is no part of the change, or no code
}

// String is the file with the reason, as reports list it.
func (u Unread) String() string { return u.Path + ": " + u.Why }

// Result is what was found.
type Result struct {
	Violations  []workflow.Finding
	Questions   []workflow.Finding
	NotAnalysed []Unread
}

// Entry is one trick.
type Entry struct {
	Kind       violation.Kind
	Blocks     bool
	Says, Asks string
}

// ID is the entry's name in the allow file: the kind with dashes.
func (e Entry) ID() string { return strings.ReplaceAll(string(e.Kind), "_", "-") }

//go:embed tricks.txt
var table string

// Entries are the tricks in the order of the table.
func Entries() (out []Entry) {
	for line := range strings.Lines(table) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 && f[0][0] != '#' {
			out = append(out, Entry{violation.Kind(f[0]), f[1] == "blocks", f[2], f[3]})
		}
	}
	return out
}

// Max is how many questions are asked of one change, besides one for all others.
const Max = 20

// maxOfKind bounds what is said of one trick in one file.
const maxOfKind = 3

// Find looks through the changed files of an implementation. Its error is the context's.
func Find(ctx context.Context, files []Changed, tests *Tests) (Result, error) {
	var out Result
	for _, c := range files {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		language, _ := syntax.LanguageOf(c.Path)
		switch {
		case c.After == nil:
		case query.For(language, "tricks") == nil:
			out.data(c, tests)
		case bytes.IndexByte(c.After, 0) >= 0:
			out.unread(c, "it holds a NUL byte")
		default:
			if err := out.source(ctx, c, language, tests); err != nil {
				return Result{}, err
			}
		}
	}
	return out, nil
}

func (r *Result) unread(c Changed, why string) {
	r.NotAnalysed = append(r.NotAnalysed, Unread{Path: c.Path, Why: why})
}

// source looks through one file that can be parsed.
func (r *Result) source(ctx context.Context, c Changed, language syntax.Language,
	tests *Tests,
) error {
	tree, err := syntax.Parse(ctx, language, c.After)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.unread(c, err.Error())
		return nil
	}
	if tree.HasError() {
		r.unread(c, "source has syntax errors; only what could be read was looked at")
	}
	f := &file{
		Changed: c,
		lines:   strings.Split(string(c.After), "\n"),
		found:   map[violation.Kind][]hit{},
	}
	for m := range query.For(language, "tricks").Matches(tree.Root()) {
		f.match(m, tests)
	}
	f.counted()
	r.file(f)
	return nil
}

// file is a source with what was found in it.
type file struct {
	Changed
	lines   []string
	found   map[violation.Kind][]hit
	counts  map[string]int // line of each name that is counted up
	checked map[string]bool
}

// hit is a place that is a trick by its form.
type hit struct {
	line int
	test Place // of the tests, where the values stand
}

// match notes what one match of the language's query may be.
func (f *file) match(m query.Match, tests *Tests) {
	if n := m.Node("checked"); !n.IsZero() {
		f.checked = put(f.checked, n.Text(), true)
	}
	for _, e := range Entries() {
		n := m.Node(string(e.Kind))
		switch {
		case n.IsZero(), !f.IsNew(n.StartLine()):
		case e.Kind == violation.StateRecording:
			f.counts = put(f.counts, m.Node("counted").Text(), n.StartLine())
		case e.Kind == violation.SpecialCasing:
			in, answer := m.Node("input"), m.Node("answer")
			if place, ok := tests.pair(literals.FindAllString(in.Text(), maxValues),
				answer.Text()); ok {
				f.add(e.Kind, hit{in.StartLine(), place})
			}
		case e.Kind == violation.ProcessExit && ofProgram(n),
			e.Kind == violation.OperatorOverload && compares.MatchString(n.Text()):
		default:
			f.add(e.Kind, hit{line: n.StartLine()})
		}
	}
}

// compares matches the body of an equality that compares.
var compares = lazyregexp.New(`[^=!<>]==|\bequals\(|\.eq\(|\bEquals?\([^)]*\.`)

// ofProgram reports whether a node stands in what only a program runs by itself.
func ofProgram(n syntax.Node) bool {
	for at := n; !at.IsZero(); at = at.Parent() {
		if at.Is("if_statement") && strings.Contains(at.Field("condition").Text(), "__main__") ||
			at.Field("name").Text() == "main" ||
			at.Field("name").Text() == "Main" {
			return true
		}
	}
	return false
}

func put[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

// add notes a hit; of several on one line the first counts.
func (f *file) add(kind violation.Kind, h hit) {
	if !slices.ContainsFunc(f.found[kind], func(o hit) bool { return o.line == h.line }) {
		f.found[kind] = append(f.found[kind], h)
	}
}

// counted finds what is counted up and compared with a number, or taken as an index.
func (f *file) counted() {
	for name, line := range f.counts {
		reads := func(text string) bool {
			return slices.Contains(words.FindAllString(text, -1), name)
		}
		if len(name) > 1 && slices.ContainsFunc(slices.Collect(maps.Keys(f.checked)), reads) {
			f.add(violation.StateRecording, hit{line: line})
		}
	}
}

var words = lazyregexp.New(`[\pL_][\pL\pN_]*`)

// file turns what was found in a file into questions and violations.
func (r *Result) file(f *file) {
	for _, e := range Entries() {
		hits := f.found[e.Kind]
		slices.SortFunc(hits, func(a, b hit) int { return a.line - b.line })
		for i, h := range hits[:min(len(hits), maxOfKind)] {
			says := e.Says
			if more := len(hits) - maxOfKind; i == maxOfKind-1 && more > 0 {
				says += fmt.Sprintf(" (and %d more lines of the file)", more)
			}
			r.say(e, f.Path, h, strings.TrimSpace(f.lines[h.line-1]), says)
		}
	}
}

// say makes a violation of a hit where the trick blocks, else a question. The test's line is part
// of the evidence.
func (r *Result) say(e Entry, path string, h hit, text, says string) {
	v := violation.Added(e.Kind, violation.Place{Path: path, Line: h.line, Text: text}, says)
	if h.test.Path != "" {
		v.Evidence += fmt.Sprintf("\n  %s:%d: %s", h.test.Path, h.test.Line, h.test.Text)
	}
	if e.Blocks {
		v.Text = "Workaround: " + v.Text
		r.Violations = append(r.Violations, v)
		return
	}
	r.Questions = append(r.Questions, Of(v, e.Asks))
}

// data looks for pairs of the tests in a file that programs read.
func (r *Result) data(c Changed, tests *Tests) {
	const least = 2 // of the tests' pairs: one may be chance
	f := &file{
		Changed: c,
		lines:   strings.Split(string(c.After), "\n"),
		found:   map[violation.Kind][]hit{},
	}
	for i, line := range f.lines {
		values := literals.FindAllString(line, maxValues)
		for k := range max(0, len(values)-1) {
			if place, ok := tests.pair(values[k:k+1], values[k+1]); ok && c.IsNew(i+1) {
				f.add(violation.SpecialCasing, hit{i + 1, place})
			}
		}
	}
	if len(f.found[violation.SpecialCasing]) >= least {
		r.file(f)
	}
}

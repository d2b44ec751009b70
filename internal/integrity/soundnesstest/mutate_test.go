// This file and those beside it edit test files so that they demand less, or
// something else. Operators work on syntax trees. An edit counts only if the result still
// parses and differs in a token that runs: comments, doc strings, Python's and
// TypeScript's type annotations, commas and statement ends demand nothing.

package soundnesstest_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// mutant is one edit of a file.
type mutant struct {
	Path     string
	Operator string
	Line     int    // of the edit's first byte, from 1
	Before   string // what was edited, whole lines, layout collapsed
	After    string // what became of it
	Source   []byte
}

// mutable is a source with all edits that can be made of it. It is not safe for
// concurrent use.
type mutable struct {
	Path   string
	Source []byte
	tree   *syntax.Tree
	lang   language
	edits  []edit
	whole  scope
	scopes map[int]scope // by their start
}

// edit replaces bytes start to end, exclusive.
type edit struct {
	operator   string
	start, end int
	text       string
}

// Open parses a source and lists its edits. Errors: an unknown language, and
// those of syntax.Parse.
func openFile(ctx context.Context, path string, src []byte) (*mutable, error) {
	name, ok := syntax.LanguageOf(path)
	if !ok {
		return nil, fmt.Errorf("mutate %s: %w", path, syntax.ErrLanguage)
	}
	tree, err := syntax.Parse(ctx, name, src)
	if err != nil {
		return nil, fmt.Errorf("mutate %s: %w", path, err)
	}
	f := &mutable{Path: path, Source: src, tree: tree, lang: languageOf(name), scopes: map[int]scope{}}
	f.whole = scope{end: len(src), broken: tree.HasError(), tokens: tokens(tree)}
	f.lines()
	tree.Root().Walk(func(n syntax.Node) bool {
		if isInert(name, n) {
			return false
		}
		f.leaf(n)
		f.operators(n)
		f.items(n)
		f.statements(n)
		f.markers(n)
		return true
	})
	return f, nil
}

func (f *mutable) add(operator string, start, end int, text string) {
	f.edits = append(f.edits, edit{operator, start, end, text})
}

func (f *mutable) replace(operator string, n syntax.Node, text string) {
	if text != n.Text() {
		f.add(operator, n.StartByte(), n.EndByte(), text)
	}
}

// Operators lists the operators that have an edit in one of the files.
func operators(files []*mutable) []string {
	var out []string
	for _, f := range files {
		for _, e := range f.edits {
			if !slices.Contains(out, e.operator) {
				out = append(out, e.operator)
			}
		}
	}
	slices.Sort(out)
	return out
}

// All yields each edit of the files once, in an order that the seed decides:
// the operators in turn, so that rare ones are not lost among the many.
func allMutants(ctx context.Context, files []*mutable, seed uint64) iter.Seq[mutant] {
	type site struct {
		file *mutable
		edit edit
	}
	queues := map[string][]site{}
	for _, f := range files {
		for _, e := range f.edits {
			queues[e.operator] = append(queues[e.operator], site{f, e})
		}
	}
	names := operators(files)
	for _, name := range names {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name))
		r := rand.New(rand.NewPCG(seed, h.Sum64()))
		r.Shuffle(len(queues[name]), func(i, j int) { queues[name][i], queues[name][j] = queues[name][j], queues[name][i] })
	}
	return func(yield func(mutant) bool) {
		for left := true; left; {
			left = false
			for _, name := range names {
				for len(queues[name]) > 0 { // until one counts
					s := queues[name][0]
					queues[name] = queues[name][1:]
					left = true
					if m, ok := s.file.apply(ctx, s.edit); ok {
						if !yield(m) {
							return
						}
						break
					}
				}
			}
		}
	}
}

// apply makes an edit; false if it does not count.
func (f *mutable) apply(ctx context.Context, e edit) (mutant, bool) {
	src := slices.Concat(f.Source[:e.start], []byte(e.text), f.Source[e.end:])
	s := f.scope(ctx, e)
	tree, err := syntax.Parse(ctx, f.tree.Language(), src[s.start:s.end+len(src)-len(f.Source)])
	if err != nil || tree.HasError() && !s.broken || tokens(tree) == s.tokens {
		return mutant{}, false
	}
	line := 1 + strings.Count(string(f.Source[:e.start]), "\n")
	return mutant{
		Path: f.Path, Operator: e.operator, Line: line, Source: src,
		Before: excerpt(f.Source, e.start, e.end), After: excerpt(src, e.start, e.start+len(e.text)),
	}, true
}

// scope is a part of a file that is a source of its own, or all of it.
type scope struct {
	start, end int
	broken     bool
	tokens     string
}

// scope finds the definition or statement at the top of the file that holds
// an edit, which saves reading all of a large file for each.
func (f *mutable) scope(ctx context.Context, e edit) scope {
	for c := range f.tree.Root().Children() {
		if c.StartByte() > e.start || e.end > c.EndByte() {
			continue
		}
		s, known := f.scopes[c.StartByte()]
		if !known {
			s = scope{broken: true}
			if tree, err := syntax.Parse(ctx, f.tree.Language(), f.Source[c.StartByte():c.EndByte()]); err == nil && !tree.HasError() {
				s = scope{start: c.StartByte(), end: c.EndByte(), tokens: tokens(tree)}
			}
			f.scopes[c.StartByte()] = s
		}
		if !s.broken {
			return s
		}
	}
	return f.whole
}

// excerpt is the lines that hold a range, in one line.
func excerpt(src []byte, start, end int) string {
	for start > 0 && src[start-1] != '\n' {
		start--
	}
	for end < len(src) && src[end] != '\n' {
		end++
	}
	return strings.Join(strings.Fields(string(src[start:end])), " ")
}

// tokens is what of a tree can run, token by token.
func tokens(t *syntax.Tree) string {
	var b strings.Builder
	t.Root().Walk(func(n syntax.Node) bool {
		if isInert(t.Language(), n) {
			return false
		}
		isLayout := n.Is(",", ";") || !n.IsNamed() && strings.TrimSpace(n.Text()) == "" // Go's grammar has line ends
		if n.FirstChild().IsZero() && !n.Parent().IsZero() && !isLayout {
			b.WriteString(n.Text())
			b.WriteByte(0)
		}
		return true
	})
	return b.String()
}

// isInert reports whether a node has no effect when the file runs.
func isInert(lang syntax.Language, n syntax.Node) bool {
	switch {
	case n.IsComment(), n.Is("preproc_region", "preproc_endregion", "preproc_pragma", "preproc_nullable"):
		return true
	case n.Is("type_annotation", "type_parameters", "interface_declaration", "type_alias_declaration"):
		return lang == syntax.TypeScript || lang == syntax.TSX
	case n.Is("type"):
		return lang == syntax.Python
	case n.Is("expression_statement"): // a doc string
		return lang == syntax.Python && n.FirstChild().Is("string") && n.FirstChild().NextSibling().IsZero() &&
			n.Parent().Named()[0] == n
	default:
		return false
	}
}

// One makes the edit of an operator that a number picks, or the next one that
// counts; false if the file has none among the next few.
func (f *mutable) One(ctx context.Context, operator string, pick uint64) (mutant, bool) {
	var sites []edit
	for _, e := range f.edits {
		if e.operator == operator {
			sites = append(sites, e)
		}
	}
	const tries = 16
	for i := range min(tries, len(sites)) {
		if m, ok := f.apply(ctx, sites[(pick%uint64(len(sites))+uint64(i))%uint64(len(sites))]); ok {
			return m, true
		}
	}
	return mutant{}, false
}

package symbols

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/syntax"
)

// The caps of what is read for one change, and kept for the next ones.
const (
	maxSources = 4_000    // files of the tree that are searched, the nearest first
	maxText    = 64 << 20 // bytes of them
	maxKept    = 4 << 20  // bytes of sources that stay parsed: these take five to ten times as much
	minName    = 2        // letters of a name that is looked for
)

// Index knows for the sources of a tree which words each holds, so that of many changes in a tree
// each reads no more than it names. A source is read once for its words, and parsed once as long as
// the parsed ones are few. An Index is not safe for concurrent use.
type Index struct {
	tree    change.Tree
	sources []indexed        // nil until it is asked for
	holders map[string][]int // word: the sources that hold it
	size    int              // bytes that were read for words

	parsed map[string]*source // by path
	kept   int                // bytes of them
}

// indexed is a source of the tree.
type indexed struct {
	path    string
	folders []string // that it is in
	test    bool
	read    bool // its words are known
}

// NewIndex returns the index of a tree. Nothing is read yet.
func NewIndex(tree change.Tree) *Index {
	return &Index{tree: tree, holders: map[string][]int{}, parsed: map[string]*source{}}
}

// list finds the tree's sources, once.
func (x *Index) list() {
	if x.sources != nil {
		return
	}
	x.sources = []indexed{}
	entries, _ := x.tree.List("") // a tree that cannot be listed has failed elsewhere already
	for _, e := range entries {
		if _, ok := syntax.LanguageOf(e.Path); ok && e.Size <= syntax.MaxSource {
			x.sources = append(x.sources, indexed{
				path: e.Path, folders: foldersOf(e.Path), test: conventions.IsTest(e.Path),
			})
		}
	}
}

func foldersOf(p string) []string { return strings.Split(path.Dir(p), "/") }

// holding are the paths of the sources that hold one of the names, those near the changed files
// first. Of a large tree only the nearest sources are looked at.
func (x *Index) holding(files []File, names ...map[string]bool) []string {
	x.list()
	near := newNearness(files)
	all := make([]int, len(x.sources))
	for i := range all {
		all[i] = i
	}
	if len(all) > maxSources {
		all = x.sorted(all, near)[:maxSources]
	}
	eligible := make([]bool, len(x.sources))
	for _, i := range all {
		eligible[i] = true
		x.readWords(i)
	}
	found := map[int]bool{}
	for _, set := range names {
		for name := range set {
			for _, i := range x.holders[name] {
				if eligible[i] {
					found[i] = true
				}
			}
		}
	}
	var paths []string
	for _, i := range x.sorted(slices.Sorted(maps.Keys(found)), near) {
		paths = append(paths, x.sources[i].path)
	}
	return paths
}

// complete reports whether the whole tree could be searched.
func (x *Index) complete() bool { return x.size < maxText && len(x.sources) <= maxSources }

// sorted puts sources that are nearer before others.
func (x *Index) sorted(sources []int, near nearness) []int {
	distances := make([]int, len(x.sources))
	for _, i := range sources {
		distances[i] = near.of(x.sources[i])
	}
	slices.SortStableFunc(sources, func(a, b int) int { return cmp.Compare(distances[a], distances[b]) })
	return sources
}

// readWords notes the words of a source, unless too much was read before.
func (x *Index) readWords(i int) {
	s := &x.sources[i]
	if s.read || x.size >= maxText {
		return
	}
	s.read = true
	text, _ := x.tree.ReadFile(s.path) // one that cannot be read holds nothing
	x.size += len(text)
	for word := range words(string(text)) {
		holders := x.holders[word]
		switch {
		case holders == nil:
			x.holders[strings.Clone(word)] = []int{i}
		case holders[len(holders)-1] != i:
			x.holders[word] = append(holders, i)
		}
	}
}

// words are the words of a text that may be names.
func words(text string) iter.Seq[string] {
	notWord := func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, notWord) {
			if len(word) >= minName && !yield(word) {
				return
			}
		}
	}
}

// source is a source of the tree, parsed; nil if it cannot be.
func (x *Index) source(ctx context.Context, p string) *source {
	if src, ok := x.parsed[p]; ok {
		return src
	}
	text, err := x.tree.ReadFile(p)
	if err != nil {
		return nil
	}
	return x.parse(ctx, p, text)
}

// parse reads a text of a path, and keeps the first of each path. Once too much is kept all is
// forgotten.
func (x *Index) parse(ctx context.Context, p string, text []byte) *source {
	known, ok := x.parsed[p]
	if ok && known != nil && known.text == string(text) {
		return known
	}
	src := parse(ctx, p, text)
	if ok || ctx.Err() != nil {
		return src
	}
	if x.kept += len(text); x.kept > maxKept {
		clear(x.parsed)
		x.kept = len(text)
	}
	x.parsed[p] = src
	return src
}

// nearness tells how far a source is from changed files.
type nearness struct {
	paths   map[string]bool
	folders [][]string
}

func newNearness(files []File) nearness {
	n := nearness{paths: map[string]bool{}}
	for _, f := range files {
		n.paths[f.Path] = true
		n.folders = append(n.folders, foldersOf(f.Path))
	}
	return n
}

// of is 0 for a changed file, and grows with the folders between a file and the nearest changed
// one. Tests are further away than all product code.
func (n nearness) of(s indexed) int {
	if n.paths[s.path] {
		return 0
	}
	least := 1 << 10
	for _, folders := range n.folders {
		common := 0
		for common < min(len(folders), len(s.folders)) && folders[common] == s.folders[common] {
			common++
		}
		least = min(least, 1+len(folders)+len(s.folders)-2*common)
	}
	if s.test {
		return least + 1<<11
	}
	return least
}

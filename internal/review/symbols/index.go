package symbols

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/syntax"
)

// The caps of what is read of one tree.
const (
	maxText   = 64 << 20 // bytes of sources, those nearest to the change first
	maxParsed = 300      // sources that are parsed for one artifact
	maxKept   = 4 << 20  // bytes of sources that stay parsed: these take five to ten times as much
)

// Index knows which sources of a tree hold which words. It reads the tree once, when it is first
// asked, whatever is looked for later. It is not safe for concurrent use.
type Index struct {
	tree    change.Tree
	changed []string
	read    bool
	partial bool // not all of the tree was read
	sources []indexed
	words   map[string][]int32 // the sources that hold a word, by their places in sources
	parsed  map[int32]*source
	kept    int // bytes of the parsed ones
}

// indexed is one source of the tree.
type indexed struct {
	path   string
	isTest bool
}

// NewIndex returns the index of a tree. Of a large one what is near the changed paths counts.
func NewIndex(tree change.Tree, changed []string) *Index {
	return &Index{
		tree: tree, changed: changed,
		words: map[string][]int32{}, parsed: map[int32]*source{},
	}
}

// open reads the tree. What cannot be read is passed over: it has failed elsewhere already.
func (x *Index) open() {
	if x.read {
		return
	}
	x.read = true
	entries, _ := x.tree.List("")
	near := distancesTo(x.changed)
	slices.SortStableFunc(entries, func(a, b change.Entry) int {
		return cmp.Compare(near.of(a.Path), near.of(b.Path))
	})
	size := 0
	for _, e := range entries {
		if _, ok := syntax.LanguageOf(e.Path); !ok || e.Size > syntax.MaxSource {
			continue
		}
		text, err := x.tree.ReadFile(e.Path)
		if err != nil {
			continue
		}
		if size += len(text); size > maxText {
			x.partial = true
			return
		}
		x.add(e.Path, string(text))
	}
}

// add notes the words of a source.
func (x *Index) add(p, text string) {
	at := int32(len(x.sources)) //nolint:gosec // at most maxText
	x.sources = append(x.sources, indexed{p, conventions.IsTest(p)})
	for word := range strings.FieldsFuncSeq(text, isNoLetter) {
		list := x.words[word]
		switch {
		case len(word) < minName:
		case list == nil:
			x.words[strings.Clone(word)] = []int32{at} // the text is not kept
		case list[len(list)-1] != at:
			x.words[word] = append(list, at)
		}
	}
}

func isNoLetter(r rune) bool {
	return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// naming are the sources that hold one of the names as a whole word: product code before tests,
// those near the given paths first.
func (x *Index) naming(names []string, paths []string) []int32 {
	var out []int32
	for _, n := range names {
		out = append(out, x.words[n]...)
	}
	slices.Sort(out)
	near := distancesTo(paths)
	byDistance := map[int][]int32{}
	for _, i := range slices.Compact(out) {
		d := near.of(x.sources[i].path)
		if x.sources[i].isTest {
			d += 1 << 10 // deeper than any path
		}
		byDistance[d] = append(byDistance[d], i)
	}
	out = nil
	for _, d := range slices.Sorted(maps.Keys(byDistance)) {
		out = append(out, byDistance[d]...)
	}
	return out
}

// source is one of the tree, parsed; nil if it cannot be.
func (x *Index) source(ctx context.Context, i int32) *source {
	if src, known := x.parsed[i]; known {
		return src
	}
	text, _ := x.tree.ReadFile(x.sources[i].path) // it could be read before
	if x.kept += len(text); x.kept > maxKept {
		clear(x.parsed)
		x.kept = len(text)
	}
	src := parse(ctx, x.sources[i].path, string(text))
	if src != nil {
		src.isTest = x.sources[i].isTest
	}
	x.parsed[i] = src
	return src
}

// distances tell of each folder how many levels below it the nearest of some paths is.
type distances map[string]int

func distancesTo(paths []string) distances {
	d := distances{}
	for _, p := range paths {
		for up, at := -1, p; ; up, at = up+1, path.Dir(at) {
			if down, known := d[at]; !known || up < down {
				d[at] = up
			}
			if at == "." || at == "/" {
				break
			}
		}
	}
	return d
}

// of is how many folders lie between a path and the nearest of the others; it is negative for one
// of these.
func (d distances) of(p string) int {
	least := 1 << 9
	for up, at := -1, p; ; up, at = up+1, path.Dir(at) {
		if down, known := d[at]; known {
			least = min(least, up+down)
		}
		if at == "." || at == "/" {
			return least
		}
	}
}

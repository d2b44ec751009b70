package syntax

import (
	"bytes"
	"errors"
	"iter"
	"sort"
	"unsafe"
)

// Tree is a parsed source. It is immutable and safe for concurrent use; the
// source it was parsed from must not be changed while it is used.
type Tree struct {
	lang   Language
	src    []byte
	text   string // src, for texts of nodes without copies
	nodes  []node // in the order of their starts, each before its descendants
	kinds  []string
	fields []string
	lines  []uint32 // the offset at which each line starts
	masked []Range
}

// node is one node, as native_list in native.c writes it; links are indices into Tree.nodes.
type node struct {
	start, end  uint32
	parent      uint32
	past        uint32 // index after the last descendant
	kind, field uint16
	flags       uint8
}

const (
	named uint8 = 1 << iota
	missing
	broken // the node or something in it is a syntax error
)

// Range is a part of a source, in bytes.
type Range struct{ Start, End int }

// Language is the language that the source was parsed as.
func (t *Tree) Language() Language { return t.lang }

// Source is the text that was parsed.
func (t *Tree) Source() []byte { return t.src }

// HasError reports whether any part of the source is not valid syntax.
func (t *Tree) HasError() bool { return t.nodes[0].flags&broken != 0 }

// Masked lists, in order, the parts of the source that the parser was shown as blanks, since its
// grammar is older than they are. No node stands for them: who compares trees has to compare their
// bytes as well.
func (t *Tree) Masked() []Range { return t.masked }

// Root is the node of the whole source.
func (t *Tree) Root() Node { return Node{t, 0} }

// Size is the number of nodes.
func (t *Tree) Size() int { return len(t.nodes) }

// All yields every node that is of one of the kinds, or every named node if
// there are none given, in the order of the source, outer ones first.
func (t *Tree) All(kinds ...string) iter.Seq[Node] { return t.Root().All(kinds...) }

// line is the number, from 1, of the line that holds a byte offset.
func (t *Tree) line(offset uint32) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > offset })
}

// lineStarts are the offsets of the lines of a source, the first one 0.
func lineStarts(src []byte) []uint32 {
	starts := make([]uint32, 1, 1+bytes.Count(src, []byte("\n")))
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return starts
		}
		at += i + 1
		starts = append(starts, uint32(at)) //nolint:gosec // at most MaxSource
	}
}

// newTree is a tree without names. A node with an error in it is an error
// itself: the library does not say so of every node that it put in.
func newTree(lang Language, src []byte, nodes []node) *Tree {
	for i := len(nodes) - 1; i > 0; i-- {
		nodes[nodes[i].parent].flags |= nodes[i].flags & broken
	}
	//nolint:gosec // nobody writes to a tree's source
	text := unsafe.String(unsafe.SliceData(src), len(src))
	return &Tree{lang: lang, src: src, text: text, nodes: nodes, lines: lineStarts(src)}
}

// name asks for the names of the kinds and fields that the tree has.
func (t *Tree) name(kind, field func(uint16) string) {
	for _, n := range t.nodes {
		if n.kind != errorID {
			t.kinds = withName(t.kinds, n.kind, kind)
		}
		if n.field != 0 {
			t.fields = withName(t.fields, n.field, field)
		}
	}
}

// withName keeps the name of an id, which is asked for once.
func withName(names []string, id uint16, name func(uint16) string) []string {
	if int(id) >= len(names) {
		names = append(names, make([]string, int(id)+1-len(names))...)
	}
	if names[id] == "" {
		names[id] = name(id)
	}
	return names
}

// errInvalidTree: an answer of another process is no tree of the source.
var errInvalidTree = errors.New("invalid tree")

// link sets the parents of nodes, and verifies that they are a tree within a source of that length.
func link(nodes []node, length int) error {
	if len(nodes) == 0 || int(nodes[0].past) != len(nodes) {
		return errInvalidTree
	}
	for i := range nodes {
		n := &nodes[i]
		n.parent = 0
		if i > 0 {
			n.parent = uint32(i - 1)
			for nodes[n.parent].past <= uint32(i) {
				n.parent = nodes[n.parent].parent
			}
		}
		if int(n.past) <= i || n.past > nodes[n.parent].past || n.start > n.end ||
			int(n.end) > length {
			return errInvalidTree
		}
	}
	return nil
}

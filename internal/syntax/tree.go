package syntax

import (
	"bytes"
	"context"
	"iter"
	"sort"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// Tree is a parsed source. It is immutable and safe for concurrent use; the
// source it was parsed from must not be changed while it is used.
type Tree struct {
	lang   Language
	src    []byte
	text   string // src, for texts of nodes without copies
	nodes  []node // in the order of their starts, each before its descendants
	kinds  []string
	named  []uint8 // by kind: named, 0, or unknown
	fields []string
	lines  []uint32 // the offset at which each line starts
}

// node is one node; links are indices into Tree.nodes, 0 for none, since the
// root is nobody's child or sibling.
type node struct {
	start, end  uint32
	parent      uint32
	first, next uint32 // first child, next sibling
	past        uint32 // index after the last descendant
	kind, field uint16
	flags       uint8
}

const (
	named uint8 = 1 << iota
	missing
	broken // the node or something in it is a syntax error

	unknown uint8 = 0xff // in Tree.named
)

// Language is the language that the source was parsed as.
func (t *Tree) Language() Language { return t.lang }

// Source is the text that was parsed.
func (t *Tree) Source() []byte { return t.src }

// HasError reports whether any part of the source is not valid syntax.
func (t *Tree) HasError() bool { return t.nodes[0].flags&broken != 0 }

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

func lineStarts(src []byte) []uint32 {
	starts := []uint32{0}
	for i, b := range src {
		if b == '\n' {
			starts = append(starts, uint32(i+1))
		}
	}
	return starts
}

// flatten copies the parser's tree. If ids is not nil, it is filled with the
// index of each of the parser's nodes.
func flatten(ctx context.Context, lang Language, src []byte, parsed *sitter.Tree, ids map[uintptr]uint32) (*Tree, error) {
	count := parsed.RootNode().DescendantCount()
	if count > maxNodes {
		return nil, ErrTooLarge
	}
	t := &Tree{lang: lang, src: src, text: string(src), nodes: make([]node, 0, count), lines: lineStarts(src)}
	grammar := sitter.NewLanguage(lang.grammar())
	t.kinds = make([]string, grammar.NodeKindCount())
	t.named = bytes.Repeat([]byte{unknown}, len(t.kinds))
	t.fields = make([]string, grammar.FieldCount()+1)
	cursor := parsed.Walk()
	defer cursor.Close()
	parent, before := uint32(0), uint32(0) // of the node to add next
	for {
		if len(t.nodes)%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := t.add(cursor, parent, before, ids)
		if cursor.GotoFirstChild() {
			parent, before = at, 0
			continue
		}
		for !cursor.GotoNextSibling() {
			t.nodes[at].past = t.end()
			if !cursor.GotoParent() {
				return t, nil
			}
			at = t.nodes[at].parent
		}
		t.nodes[at].past = t.end()
		parent, before = t.nodes[at].parent, at
	}
}

// end is the index of the node to add next.
func (t *Tree) end() uint32 { return uint32(len(t.nodes)) } //nolint:gosec // at most maxNodes

// add appends the cursor's node and links it to its parent or elder sibling.
func (t *Tree) add(cursor *sitter.TreeCursor, parent, before uint32, ids map[uintptr]uint32) uint32 {
	at := t.end()
	from := cursor.Node()
	start, end := from.ByteRange()
	n := node{
		start: clamp(start, t.src), end: clamp(end, t.src), parent: parent,
		kind: from.KindId(), field: cursor.FieldId(),
	}
	n.flags = t.flagsOf(n, from)
	t.nodes = append(t.nodes, n)
	t.name(n, cursor, from)
	switch {
	case at == 0:
	case before != 0:
		t.nodes[before].next = at
	default:
		t.nodes[parent].first = at
	}
	if ids != nil {
		ids[from.Id()] = at
	}
	return at
}

// name learns the names of the node's kind and field when they come up first.
func (t *Tree) name(n node, cursor *sitter.TreeCursor, from *sitter.Node) {
	if int(n.kind) < len(t.kinds) && t.kinds[n.kind] == "" {
		t.kinds[n.kind] = from.Kind()
	}
	if n.field != 0 && int(n.field) < len(t.fields) && t.fields[n.field] == "" {
		t.fields[n.field] = cursor.FieldName()
	}
}

// flagsOf asks the parser for no more than it must, since each question is a
// call out of Go.
func (t *Tree) flagsOf(n node, from *sitter.Node) uint8 {
	var f uint8
	if int(n.kind) >= len(t.named) {
		f |= named // ERROR
	} else {
		if t.named[n.kind] == unknown {
			t.named[n.kind] = 0
			if from.IsNamed() {
				t.named[n.kind] = named
			}
		}
		f |= t.named[n.kind]
	}
	if n.start == n.end && from.IsMissing() {
		f |= missing
	}
	if (len(t.nodes) == 0 || t.nodes[n.parent].flags&broken != 0) && from.HasError() {
		f |= broken
	}
	return f
}

func clamp(offset uint, src []byte) uint32 { return uint32(min(offset, uint(len(src)))) } //nolint:gosec // at most MaxSource

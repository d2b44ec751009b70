package code

import (
	"workflow-reviewer/internal/syntax"
)

// builder makes Nodes of a syntax tree.
type builder struct {
	file    *File
	lang    syntax.Language
	kinds   map[string]maker
	depth   int
	tooDeep bool
	made    int      // nodes
	limit   int      // of made
	self    []string // what the receivers of the methods around are called
}

func (b *builder) make(kind Kind, n syntax.Node, kids ...*Node) *Node {
	b.made++
	return &Node{Kind: kind, Line: n.StartLine(), Src: n, Kids: kids}
}

func (b *builder) named(kind Kind, n syntax.Node, text string, kids ...*Node) *Node {
	out := b.make(kind, n, kids...)
	out.Text = text
	return out
}

func (b *builder) literal(n syntax.Node, v Value) *Node {
	out := b.make(Literal, n)
	out.Value = v
	return out
}

// enter goes one level deeper; false if that is too deep.
func (b *builder) enter() bool {
	b.depth++
	b.tooDeep = b.tooDeep || b.depth > maxDepth || b.made > b.limit
	return !b.tooDeep
}

func (b *builder) leave() { b.depth-- }

// node makes a Node of any syntax node, nil for none.
func (b *builder) node(n syntax.Node) *Node {
	if n.IsZero() || n.IsComment() {
		return nil
	}
	defer b.leave()
	if !b.enter() {
		return b.make(Other, n)
	}
	if m := b.kinds[n.Kind()]; m != nil && (n.IsNamed() || n.Is("this", "self", "super", "base", "null", "nil", "undefined")) {
		if out := m(n); out != nil {
			return out
		}
	}
	kids := b.nodes(n.Named())
	if transparent[n.Kind()] && len(kids) == 1 {
		return kids[0]
	}
	return b.make(Other, n, kids...)
}

func (b *builder) nodes(ns []syntax.Node) []*Node {
	var out []*Node
	for _, n := range ns {
		if m := b.node(n); m != nil {
			out = append(out, m)
		}
	}
	return out
}

// orOther is the node, or one of which nothing is known.
func (b *builder) orOther(n syntax.Node, m *Node) *Node {
	if m == nil {
		return b.make(Other, n)
	}
	return m
}

// full is a node whose kids are all there, else nil.
func full(n *Node) *Node {
	for _, k := range n.Kids {
		if k == nil {
			return nil
		}
	}
	return n
}

// fieldOf is the first field that a node has.
func fieldOf(n syntax.Node, names ...string) syntax.Node {
	for _, name := range names {
		if f := n.Field(name); !f.IsZero() {
			return f
		}
	}
	return syntax.Node{}
}

// statements are the statements of a body, without the nodes that only hold statements together.
func (b *builder) statements(n syntax.Node) []*Node {
	defer b.leave()
	if !b.enter() {
		return nil
	}
	var out, handlers []*Node // of a Ruby method, which may rescue without a begin
	for _, c := range n.Named() {
		if b.lang == syntax.Ruby && c.Is("rescue", "ensure") {
			handlers = append(handlers, b.handler(c))
		} else if isHolder(c) {
			out = append(out, b.statements(c)...)
		} else if m := b.node(c); m.Is(Block) && m.Text == "several" {
			out = append(out, m.Kids...)
		} else if m != nil {
			out = append(out, m)
		}
	}
	if len(handlers) > 0 {
		return []*Node{b.make(Try, n, append([]*Node{b.make(Block, n, out...)}, handlers...)...)}
	}
	return out
}

func isHolder(n syntax.Node) bool {
	topLevel := n.Is("global_statement") && n.FirstChild().IsNamed() // C#; Python's begins with the word
	return topLevel || holders[n.Kind()] && n.Child("decorator").IsZero()
}

// block makes a Block of a body, be it a block or one statement.
func (b *builder) block(n syntax.Node) *Node {
	if n.IsZero() {
		return nil
	}
	if body := n.Field("body"); n.Is("else_clause", "do_block", "block") && !body.IsZero() {
		return b.block(body)
	}
	if n.Is("block", "statement_block", "do_block", "else", "ensure", "do", "begin_block", "else_clause") || isHolder(n) {
		return b.make(Block, n, b.statements(n)...)
	}
	m := b.node(n)
	switch {
	case m == nil:
		return b.make(Block, n)
	case m.Kind == Block:
		return m
	}
	return b.make(Block, n, m)
}

// bodyOf are the statements of a body, be it a block or one expression.
func (b *builder) bodyOf(n syntax.Node) []*Node {
	if m := b.block(n); m != nil {
		return m.Kids
	}
	return nil
}

// anyBlock makes a block that stands among statements.
func (b *builder) anyBlock(n syntax.Node) *Node {
	switch {
	case n.Is("unsafe_block", "async_block", "const_block"):
		n = n.Child("block")
	case n.Is("block") && b.lang == syntax.Ruby:
		return b.function(n)
	}
	return b.block(n)
}

func (b *builder) lastOf(n syntax.Node) *Node {
	if k := n.Named(); len(k) > 0 {
		return b.node(k[len(k)-1])
	}
	return nil
}

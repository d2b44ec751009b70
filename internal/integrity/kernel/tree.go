package kernel

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/catalogue"
	"workflow-reviewer/internal/syntax"
)

const (
	// maxDepth is how deep a canonical tree goes; what is deeper is compared as text. Real code
	// stays below 200.
	maxDepth = 2000
	// broken is the kind of a leaf that holds source which does not parse.
	broken = "broken"
	// gap is the kind of a leaf that holds source which no node of the grammar
	// covers, so that every byte but white space and comments is in some leaf.
	gap = "gap"
)

// builder makes a canonical tree.
type builder struct {
	*Tree
	withTypes bool
	docs      bool // doc strings are read by something
}

// Read takes a tree's canonical form.
func Read(t *syntax.Tree) *Tree {
	out := &Tree{
		Lang:   t.Language(),
		Source: t.Source(),
		table:  tableOf(t.Language()),
		File:   catalogue.For(t.Language(), t.Source()),
	}
	b := &builder{Tree: out}
	for _, w := range out.table.typeWord {
		b.withTypes = b.withTypes || bytes.Contains(out.Source, []byte(w))
	}
	b.withTypes = b.withTypes ||
		b.Lang != syntax.Python && len(out.table.typed) > 0 && decorated(t.Root())
	b.docs = bytes.Contains(out.Source, []byte("__doc__"))
	out.Root = b.inner(t.Root(), 0)
	out.Root.link()
	out.declare()
	out.Root.sum()
	return out
}

// decorated reports whether a file has decorators, which can read types.
func decorated(root syntax.Node) bool {
	for range root.All("decorator") {
		return true
	}
	return false
}

// declare notes the functions that the file defines itself.
func (t *Tree) declare() {
	t.own = map[string]bool{}
	t.Root.Walk(func(n *Node) bool {
		switch {
		case n.Is("function_declaration", "function_definition", "method", "function_item"):
			t.own[n.Child("name").Normalized()] = true
		case n.Is("variable_declarator") && n.Child("value").Is("arrow_function",
			"function_expression"):
			t.own[n.Child("name").Normalized()] = true
		}
		return !t.table.functions[n.Kind]
	})
}

// build is the canonical form of a node, nil if nothing is left of it.
func (b *builder) build(n syntax.Node, depth int) *Node {
	t := b.table
	kind := n.Kind()
	switch {
	case n.IsComment():
		if !b.pragma(n) {
			return nil
		}
		return b.leaf(n, b.apart(n)+strings.TrimSpace(n.Text()))
	case kind == "ERROR" || n.IsMissing():
		out := b.leaf(n, n.Text())
		out.Kind = broken
		return out
	case t.drop[kind]:
		return nil
	case !b.withTypes && t.types[kind] && b.plainType(n):
		return nil
	case depth > maxDepth:
		return b.leaf(n, n.Text())
	case t.strings[kind] && !b.composed(n):
		return b.stringLeaf(n)
	case n.FirstChild().IsZero():
		return b.token(n)
	}
	if inner := b.stands(n); !inner.IsZero() {
		out := b.build(inner, depth+1)
		if out != nil {
			out.Field = n.FieldName()
		}
		return out
	}
	return b.inner(n, depth)
}

// token is the form of a node without children, nil if it says nothing.
func (b *builder) token(n syntax.Node) *Node {
	text := n.Text()
	if strings.TrimSpace(text) == "" && !n.IsNamed() || !n.IsNamed() && b.table.ends[text] {
		return nil
	}
	if text == "," && b.trailing(n) {
		return nil
	}
	if text == "" && !n.IsNamed() || b.table.without[n.Parent().Kind()][text] && !n.IsNamed() {
		return nil
	}
	return b.leaf(n, text)
}

// trailing reports whether a comma stands before the end of a list in which that says nothing.
func (b *builder) trailing(n syntax.Node) bool {
	next := n.NextSibling()
	for next.IsComment() {
		next = next.NextSibling()
	}
	if next.IsZero() || next.IsNamed() || b.table.comma[n.Parent().Kind()] && !b.inLongTuple(n) {
		return false
	}
	switch next.Text() {
	case ")", "]", "}", "|", ">":
	default:
		return false
	}
	var before syntax.Node
	for c := range n.Parent().Children() {
		if c == n {
			break
		}
		if !c.IsComment() {
			before = c
		}
	}
	return before.IsNamed()
}

// inLongTuple reports whether a comma is one of a tuple that is one without it.
func (b *builder) inLongTuple(n syntax.Node) bool {
	named := slices.DeleteFunc(n.Parent().Named(), syntax.Node.IsComment)
	return b.Lang != syntax.CSharp &&
		n.Parent().Is("tuple", "tuple_expression", "tuple_type", "tuple_pattern") &&
		len(named) > 1
}

// stands is the child that a node is no more than, no node if there is none.
func (b *builder) stands(n syntax.Node) syntax.Node {
	if b.table.unwrap[n.Kind()] {
		if named := n.Named(); len(named) == 1 && !strings.Contains(named[0].Text(), "?.") {
			return named[0]
		}
	}
	if !b.withTypes && b.table.typed[n.Kind()] {
		if named := n.Named(); len(named) > 0 &&
			(len(named) == 1 || b.plainType(named[len(named)-1])) {
			return named[0]
		}
	}
	return syntax.Node{}
}

// plainType reports whether a type annotation does nothing but name types.
func (b *builder) plainType(n syntax.Node) bool {
	if f := n.FieldName(); b.Lang == syntax.Python && f != "type" && f != "return_type" {
		return false
	}
	if b.Lang == syntax.Python && n.Parent().Is("assignment") {
		if n.Parent().Field("right").IsZero() ||
			n.Parent().Parent().Parent().Parent().Is("class_definition") {
			return false // a field of a data class, or a declaration
		}
	}
	if b.Lang == syntax.Python && b.readByDecorator(n) {
		return false
	}
	for c := range n.All("call", "call_expression", "await", "lambda", "named_expression",
		"yield") {
		_ = c
		return false
	}
	return true
}

// readByDecorator reports whether an annotation is one of a function with a
// decorator that no test framework has, which may look at it.
func (b *builder) readByDecorator(n syntax.Node) bool {
	fn := n.Up("function_definition")
	if fn.IsZero() || !fn.Parent().Is("decorated_definition") {
		return false
	}
	for c := range fn.Parent().Children() {
		if !c.Is("decorator") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(c.Text(), "@")), "(")
		if !b.File.Has("mark", name) && !b.File.Has("skip", name) &&
			!strings.HasPrefix(name, "pytest.") {
			return true
		}
	}
	return false
}

// composed reports whether a string has parts that are code.
func (b *builder) composed(n syntax.Node) bool {
	for c := range n.Children() {
		if c.Is("interpolation", "template_substitution") {
			return true
		}
	}
	return false
}

// stringLeaf is a string literal; if nothing in it is escaped, its quotes say nothing.
func (b *builder) stringLeaf(n syntax.Node) *Node {
	out := b.leaf(n, n.Text())
	text := out.Text
	first := strings.IndexAny(text, `'"`)
	if first < 0 || first > 2 || strings.ContainsAny(text, "\\#\n`") {
		return out
	}
	prefix, body := text[:first], text[first:]
	quote := body[:1]
	for _, q := range []string{strings.Repeat(quote, 3), quote} {
		if len(body) >= 2*len(q) && strings.HasPrefix(body, q) && strings.HasSuffix(body, q) {
			if content := body[len(q) : len(body)-len(q)]; !strings.ContainsAny(content, `'"`) {
				out.Text = prefix + `"` + content + `"`
			}
			break
		}
	}
	return out
}

// leaf is a node with its text and without children.
func (b *builder) leaf(n syntax.Node, text string) *Node {
	return &Node{
		Kind: b.kind(n), Field: n.FieldName(), Text: text, Line: n.StartLine(), End: n.EndLine(),
	}
}

// kind is the grammar's kind, or the one that the table has for it.
func (b *builder) kind(n syntax.Node) string {
	if k := b.table.alias[n.Kind()]; k != "" {
		return k
	}
	return n.Kind()
}

// inner is the form of a node with children.
func (b *builder) inner(n syntax.Node, depth int) *Node {
	out := b.leaf(n, "")
	at := n.StartByte()
	verbatim := b.table.verbatim[n.Kind()]
	var leading []*Node
	for c := range n.Children() {
		b.gap(out, n, at, c.StartByte(), verbatim)
		at = max(at, c.EndByte())
		for _, kid := range b.member(n, c, depth) {
			if b.table.leading[kid.Kind] && b.table.blocks[n.Kind()] {
				leading = append(leading, kid)
				continue
			}
			if len(leading) > 0 && len(kid.Kids) == 0 {
				out.Kids = append(out.Kids, leading...)
				leading = nil
			}
			if len(leading) > 0 {
				kid.Kids = append(leading, kid.Kids...)
				leading = nil
			}
			out.Kids = append(out.Kids, kid)
		}
	}
	b.gap(out, n, at, n.EndByte(), verbatim)
	out.Kids = append(out.Kids, leading...)
	if b.table.blocks[out.Kind] {
		b.sortImports(out.Kids)
	}
	return out
}

// member is what a child becomes among its siblings.
func (b *builder) member(parent, c syntax.Node, depth int) []*Node {
	if b.annotationMark(c) {
		return nil
	}
	if b.table.blocks[parent.Kind()] {
		if b.docString(parent, c) {
			return nil
		}
		if c.HasError() && !b.holdsMembers(c) {
			out := b.leaf(c, c.Text())
			out.Kind = broken
			return []*Node{out}
		}
	}
	kid := b.build(c, depth+1)
	if kid == nil {
		return nil
	}
	if b.table.flatten[kid.Kind] {
		return b.flattened(kid)
	}
	if b.table.imports[kid.Kind] {
		return b.split(kid)
	}
	if b.table.hoist[kid.Kind] {
		return slices.DeleteFunc(values(kid), func(k *Node) bool { return k.Text == "#" })
	}
	if kid.Kind == "decorated_definition" && len(kid.Kids) > 0 {
		last := kid.Kids[len(kid.Kids)-1]
		last.Kids = append(slices.Clone(kid.Kids[:len(kid.Kids)-1]), last.Kids...)
		last.Line, last.Field = kid.Line, kid.Field
		return []*Node{last}
	}
	return []*Node{kid}
}

// annotationMark: the colon or arrow before a type that is dropped.
func (b *builder) annotationMark(c syntax.Node) bool {
	if b.withTypes || c.IsNamed() || c.Text() != ":" && c.Text() != "->" {
		return false
	}
	next := c.NextSibling()
	return !next.IsZero() && b.table.types[next.Kind()] && b.plainType(next)
}

// holdsMembers reports whether a node is a class or the like, whose members are
// compared one by one although one of them does not parse.
func (b *builder) holdsMembers(n syntax.Node) bool {
	body := n.Field("body")
	return !body.IsZero() && !b.table.functions[n.Kind()] && b.table.blocks[body.Kind()]
}

// gap keeps source between two nodes that the grammar has no node for.
func (b *builder) gap(out *Node, n syntax.Node, from, to int, verbatim bool) {
	if from >= to || to > len(b.Source) {
		return
	}
	text := string(b.Source[from:to])
	if strings.TrimSpace(text) == "" && !verbatim {
		return
	}
	out.Kids = append(out.Kids, &Node{Kind: gap, Text: text, Line: n.StartLine(), End: n.EndLine()})
}

// docString reports whether a statement is a doc string that nothing reads.
func (b *builder) docString(parent, c syntax.Node) bool {
	if !b.table.docStrings || b.docs || !c.Is("expression_statement") ||
		strings.Contains(c.Text(), ">>>") {
		return false
	}
	named := c.Named()
	if len(named) != 1 || !named[0].Is("string") || b.composed(named[0]) {
		return false
	}
	for first := range parent.Children() {
		if first.IsNamed() && !first.IsComment() {
			return first == c
		}
	}
	return false
}

// pragma reports whether a comment says something to a tool that runs tests.
func (b *builder) pragma(n syntax.Node) bool {
	text := n.Text()
	if b.Lang == syntax.Go {
		if fn := n.Up("function_declaration"); !fn.IsZero() &&
			strings.HasPrefix(fn.Field("name").Text(), "Example") {
			return true // its output is what the example demands
		}
	}
	if b.Lang == syntax.Rust && strings.Contains(text, "```") {
		return true
	}
	if n.Kind() == "html_comment" || b.withTypes && strings.Contains(text, "@ts-") {
		return true // in a module the first is code
	}
	return slices.ContainsFunc(b.table.pragmas,
		func(p string) bool { return strings.Contains(text, p) })
}

// apart marks a comment of Go that begins a group of its own behind another one:
// the output of an example is the last group.
func (b *builder) apart(n syntax.Node) string {
	if b.Lang != syntax.Go {
		return ""
	}
	before := bytes.TrimRight(b.Source[:n.StartByte()], " \t\r\n")
	line := bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])
	if bytes.Count(b.Source[len(before):n.StartByte()], []byte("\n")) > 1 &&
		(bytes.HasPrefix(line, []byte("//")) || bytes.HasSuffix(line, []byte("*/"))) {
		return "\n"
	}
	return ""
}

// link sets parents.
func (n *Node) link() {
	for _, k := range n.Kids {
		k.Up = n
		k.link()
	}
}

// sum computes the hashes, from the leaves up.
func (n *Node) sum() {
	for _, k := range n.Kids {
		k.sum()
	}
	n.hash = n.digest()
}

// digest is the hash of a node whose children have theirs.
func (n *Node) digest() uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, part := range []string{n.Kind, n.Field, n.Text} { // writing never fails
		_, _ = h.WriteString(part)
		_ = h.WriteByte(0xff)
	}
	for _, k := range n.Kids {
		var sum [8]byte
		binary.LittleEndian.PutUint64(sum[:], k.hash)
		_, _ = h.Write(sum[:])
	}
	return h.Sum64()
}

// seed makes the hashes of a process its own: nobody can write two sources that collide.
var seed = maphash.MakeSeed()

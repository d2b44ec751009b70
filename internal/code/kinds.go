package code

import (
	_ "embed"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// maker makes a Node of a syntax node, nil if it has no shape of its own.
type maker func(syntax.Node) *Node

//go:embed kinds.txt
var kindList string

// kinds are the lists of kinds.txt, by the word that a line begins with.
var kinds = func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for line := range strings.Lines(kindList) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if out[words[0]] == nil {
			out[words[0]] = map[string]bool{}
		}
		for _, kind := range words[1:] {
			out[words[0]][kind] = true
		}
	}
	return out
}()

var transparent, holders, labels = kinds["transparent"], kinds["holders"], kinds["labels"]

// makers says what each kind of syntax node becomes.
func (b *builder) makers() map[string]maker {
	out := map[string]maker{}
	for name, one := range map[string]maker{
		"identifier": b.identifier, "self": b.text(Name, "self"), "super": b.text(Name, "super"),
		"nameAsWritten": b.asWritten(Name), "instanceVariable": b.instanceVariable, "path": b.path, "shorthand": b.shorthand,
		"str": b.str, "concat": b.concat, "number": b.number, "boolean": b.boolean, "none": b.value(None),
		"regex": b.value(Regex), "binaryOf": b.binaryOf, "comparison": b.comparison, "unary": b.unary,
		"isPattern": b.isPattern, "ternary": b.ternary, "update": b.update, "cast": b.cast, "member": b.member,
		"conditionalAccess": b.conditionalAccess, "index": b.index, "call": b.call, "keyword": b.keyword, "list": b.all(List),
		"expressions": b.expressions, "dict": b.all(Dict), "pair": b.pair, "composite": b.composite, "braced": b.braced,
		"function": b.function, "decorated": b.decorated, "class": b.class, "conditional": b.conditional, "choice": b.choice,
		"loop": b.loop, "comprehension": b.comprehension, "try": b.try, "anyBlock": b.anyBlock, "with": b.with,
		"assignment": b.assignment, "declare": b.declare, "several": b.several, "property": b.property, "returns": b.returns,
		"raise": b.all(Raise), "asPattern": b.asPattern, "lastOf": b.lastOf, "imports": b.imports,
		"otherAsWritten": b.asWritten(Other),
	} {
		for kind := range kinds[name] {
			out[kind] = one
		}
	}
	return out
}

// all makes a node of all that is in a syntax node.
func (b *builder) all(kind Kind) maker {
	return func(n syntax.Node) *Node { return b.make(kind, n, b.nodes(n.Named())...) }
}

// text makes a node with a text.
func (b *builder) text(kind Kind, text string) maker {
	return func(n syntax.Node) *Node { return b.named(kind, n, text) }
}

// asWritten makes a node with the source as its text.
func (b *builder) asWritten(kind Kind) maker {
	return func(n syntax.Node) *Node { return b.named(kind, n, n.Text()) }
}

// value makes a Literal with the source as its value.
func (b *builder) value(t Type) maker {
	return func(n syntax.Node) *Node {
		v := Value{Type: t}
		if t != None {
			v.Text = n.Text()
		}
		return b.literal(n, v)
	}
}

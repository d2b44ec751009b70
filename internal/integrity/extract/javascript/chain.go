package javascript

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// chain is an expression of member accesses and calls, from the inside out:
// expect(x).not.toBe(1) has the root expect and the links (x), not, toBe(1).
type chain struct {
	root  syntax.Node
	links []link
}

// link is one member access, call, or both: a called member is one link.
type link struct {
	name   string // "" for a call of what stands before it
	called bool
	args   []syntax.Node
	// template is the tagged template's string, if the call is one.
	template syntax.Node
	node     syntax.Node // where the name stands; for a call without one, the call
	before   syntax.Node // the expression that the link is applied to
	whole    syntax.Node // the expression up to and with the link
}

// chainOf takes an expression apart.
func chainOf(n syntax.Node) chain {
	var c chain
	n = bare(n)
	for {
		switch n.Kind() {
		case "call_expression":
			l := link{called: true, node: n, before: n.Field("function"), whole: n}
			if args := n.Field("arguments"); args.Is("template_string") {
				l.template = args
			} else {
				l.args = args.Named()
			}
			n = bare(l.before)
			if name, object := member(n); !object.IsZero() {
				l.name, l.node, l.before, n = name.text, name.node, object, bare(object)
			}
			c.links = append(c.links, l)
		case "member_expression", "subscript_expression":
			name, object := member(n)
			if object.IsZero() {
				return c.from(n)
			}
			c.links = append(c.links, link{name: name.text, node: name.node, before: object, whole: n})
			n = bare(object)
		default:
			return c.from(n)
		}
	}
}

func (c chain) from(root syntax.Node) chain {
	c.root = root
	slices.Reverse(c.links)
	return c
}

type memberName struct {
	text string
	node syntax.Node
}

// member is the name and the object of a member access, x.name or x["name"].
func member(n syntax.Node) (memberName, syntax.Node) {
	switch n.Kind() {
	case "member_expression":
		p := n.Field("property")
		return memberName{p.Text(), p}, n.Field("object")
	case "subscript_expression":
		if i := bare(n.Field("index")); i.Is("string") && isName(strings.Trim(i.Text(), `"'`)) {
			return memberName{strings.Trim(i.Text(), `"'`), i}, n.Field("object")
		}
	}
	return memberName{}, syntax.Node{}
}

// bare is an expression without brackets and type assertions around it.
func bare(n syntax.Node) syntax.Node {
	for {
		switch n.Kind() {
		case "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion":
			inner := n.Named()
			if n.Is("type_assertion") {
				slices.Reverse(inner)
			}
			if len(inner) == 0 || inner[0].Is("sequence_expression") {
				return n
			}
			n = inner[0]
		default:
			return n
		}
	}
}

// last is the outermost link; the zero link if there is none.
func (c chain) last() link {
	if len(c.links) == 0 {
		return link{}
	}
	return c.links[len(c.links)-1]
}

// find is the index of the first link of a name, -1 if there is none.
func (c chain) find(name string) int {
	return slices.IndexFunc(c.links, func(l link) bool { return l.name == name })
}

// path is the chain's names with dots between, up to the first call.
func (c chain) path() string {
	path := c.root.Text()
	for _, l := range c.links {
		if l.name == "" {
			break
		}
		path += "." + l.name
		if l.called {
			break
		}
	}
	return path
}

// arg is the i-th argument of the call, no node if there is none.
func (l link) arg(i int) syntax.Node {
	if i >= len(l.args) {
		return syntax.Node{}
	}
	return l.args[i]
}

// isFunction reports whether an expression is a function literal.
func isFunction(n syntax.Node) bool {
	return bare(n).Is("arrow_function", "function_expression", "function", "generator_function")
}

// function is the last argument that is a function literal.
func (l link) function() syntax.Node {
	for _, a := range slices.Backward(l.args) {
		if isFunction(a) {
			return bare(a)
		}
	}
	return syntax.Node{}
}

// isString reports whether an expression is a string literal of any kind.
func isString(n syntax.Node) bool { return n.Is("string", "template_string") }

// unquoted is the text of a string literal; of another expression its tokens.
func unquoted(n syntax.Node) string {
	n = bare(n)
	if text := n.Text(); isString(n) && len(text) >= 2 {
		return text[1 : len(text)-1]
	}
	return strings.Join(tokens(n), " ")
}

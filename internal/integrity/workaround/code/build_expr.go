package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// operation makes operators and assignments.
func (b *builder) operation(n syntax.Node) *Node {
	switch n.Kind() {
	case "binary_expression", "binary_operator", "boolean_operator", "binary":
		return b.binary(n, n.Field("operator").Text(), n.Field("left"), n.Field("right"))
	case "comparison_operator":
		return b.comparison(n)
	case "unary_expression", "unary_operator", "not_operator", "unary", "prefix_unary_expression", "negative_literal":
		return b.unary(n)
	case "instanceof_expression", "is_expression":
		return b.binary(n, "is", n.Field("left"), n.Field("right"))
	case "is_pattern_expression":
		return b.isPattern(n)
	case "conditional_expression":
		if c := n.Field("condition"); !c.IsZero() {
			return b.ternary(n, c, n.Field("consequence"), n.Field("alternative"))
		}
		if k := n.Named(); len(k) == 3 { // Python: then, condition, else
			return b.ternary(n, k[1], k[0], k[2])
		}
	case "ternary_expression", "conditional":
		return b.ternary(n, n.Field("condition"), n.Field("consequence"), n.Field("alternative"))
	case "update_expression", "inc_statement", "dec_statement", "postfix_unary_expression", "postfix_expression":
		return b.update(n)
	case "as_expression", "satisfies_expression":
		if b.lang == syntax.CSharp {
			return b.node(n.Field("left"))
		}
		return b.node(n.FirstChild())
	case "cast_expression", "type_cast_expression", "type_assertion", "type_conversion_expression":
		return b.cast(n)
	}
	return nil
}

// isPattern makes C#'s "x is T"; the grammar takes what follows in "x is not
// null && y" for a part of the pattern.
func (b *builder) isPattern(n syntax.Node) *Node {
	value, pattern := b.node(n.Field("expression")), b.node(n.Field("pattern"))
	if value == nil || pattern == nil {
		return nil
	}
	for pattern.Is(Other) && len(pattern.Kids) == 1 && pattern.Kids[0].Is(Binary) {
		pattern = pattern.Kids[0]
	}
	first := &pattern
	for (*first).Is(Binary) && len((*first).Kids) == 2 {
		first = &(*first).Kids[0]
	}
	*first = b.text(Binary, n, "is", value, *first)
	return pattern
}

func (b *builder) cast(n syntax.Node) *Node {
	for _, f := range []string{"value", "operand"} {
		if v := n.Field(f); !v.IsZero() {
			return b.node(v)
		}
	}
	if k := n.Named(); len(k) > 0 {
		return b.node(k[len(k)-1])
	}
	return nil
}

// full is a node whose kids are all there, else nil.
func (b *builder) full(n *Node) *Node {
	for _, k := range n.Kids {
		if k == nil {
			return nil
		}
	}
	return n
}

func (b *builder) ternary(n, cond, then, otherwise syntax.Node) *Node {
	return b.full(b.make(Ternary, n, b.node(cond), b.node(then), b.node(otherwise)))
}

// operator spells operators alike.
func operator(op string) string {
	switch op = strings.Join(strings.Fields(op), " "); op {
	case "===", "is_a?":
		return "=="
	case "!==", "<>":
		return "!="
	case "and":
		return "&&"
	case "or":
		return "||"
	case "is not":
		return "!="
	default:
		return op
	}
}

func (b *builder) binary(n syntax.Node, op string, left, right syntax.Node) *Node {
	op = operator(op)
	l, r := b.node(left), b.node(right)
	if l == nil || r == nil {
		return nil
	}
	if op == "+" && l.Is(Literal) && r.Is(Literal) && l.Value.Type == String && r.Value.Type == String {
		out := b.make(Literal, n)
		out.Value = Value{String, l.Value.Text + r.Value.Text}
		return out
	}
	return b.text(Binary, n, op, l, r)
}

// comparison makes Python's comparisons, "a < b < c" too.
func (b *builder) comparison(n syntax.Node) *Node {
	var out, left *Node
	op := ""
	for c := range n.Children() {
		if c.FieldName() == "operators" {
			op = strings.TrimSpace(op + " " + c.Text())
			continue
		}
		m := b.node(c)
		if m == nil {
			continue
		}
		if left == nil {
			left = m
			continue
		}
		if op == "is" {
			op = "=="
		}
		cmp := b.text(Binary, n, operator(op), left, m)
		if out == nil {
			out = cmp
		} else { // the operand in the middle stands in the first alone
			cmp.Kids[0] = b.make(Other, n)
			out = b.text(Binary, n, "&&", out, cmp)
		}
		left, op = m, ""
	}
	return out
}

func (b *builder) unary(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	op := n.Field("operator").Text()
	if op == "" {
		op = n.FirstChild().Text()
	}
	v := b.node(kids[len(kids)-1])
	if v == nil {
		return nil
	}
	switch op {
	case "!", "not":
		op = "not"
	case "++", "--":
		return b.step(n, op, v)
	case "&", "*", "&mut":
		return v
	case "-":
		if v.Is(Literal) && v.Value.Type == Number && v.Value.Text != "0" {
			v.Value.Text = strings.TrimPrefix("-"+v.Value.Text, "--")
			v.Line, v.Src = n.StartLine(), n
			return v
		}
	case "defined?":
		return b.text(Call, n, "", b.text(Name, n, "defined?"), v)
	case "void", "delete":
		return b.make(Other, n, v)
	}
	return b.text(Unary, n, op, v)
}

// update makes "x++" an assignment.
func (b *builder) update(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	v := b.node(kids[0])
	switch t := n.Text(); {
	case v == nil:
		return nil
	case strings.HasSuffix(t, "++"), strings.HasPrefix(t, "++"):
		return b.step(n, "++", v)
	case strings.HasSuffix(t, "--"), strings.HasPrefix(t, "--"):
		return b.step(n, "--", v)
	default: // C#: x!
		return v
	}
}

func (b *builder) step(n syntax.Node, op string, v *Node) *Node {
	one := b.make(Literal, n)
	one.Value = Value{Number, "1"}
	return b.text(Assign, n, op[:1]+"=", v, one)
}

package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// operators are spelled alike; what is not here stays as it is.
var operators = map[string]string{"===": "==", "is_a?": "==", "is": "==", "!==": "!=", "<>": "!=", "is not": "!=", "and": "&&", "or": "||"}

func operator(op string) string {
	op = strings.Join(strings.Fields(op), " ")
	if known, ok := operators[op]; ok {
		return known
	}
	return op
}

// binaryOf makes an operator with two operands; two strings that are added are one.
func (b *builder) binaryOf(n syntax.Node) *Node {
	op := operator(n.Field("operator").Text())
	if n.Is("instanceof_expression", "is_expression") {
		op = "is"
	}
	l, r := b.node(n.Field("left")), b.node(n.Field("right"))
	if op == "+" && l.Is(Literal) && r.Is(Literal) && l.Value.Type == String && r.Value.Type == String {
		return b.literal(n, Value{String, l.Value.Text + r.Value.Text})
	}
	return full(b.named(Binary, n, op, l, r))
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
		if m != nil && left != nil {
			cmp := b.named(Binary, n, operator(op), left, m)
			if out == nil {
				out = cmp
			} else { // the operand in the middle stands in the first alone
				cmp.Kids[0] = b.make(Other, n)
				out = b.named(Binary, n, "&&", out, cmp)
			}
			op = ""
		}
		if m != nil {
			left = m
		}
	}
	return out
}

func (b *builder) unary(n syntax.Node) *Node {
	op := n.Field("operator").Text()
	if op == "" {
		op = n.FirstChild().Text()
	}
	v := b.lastOf(n)
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
		return b.make(Call, n, b.named(Name, n, "defined?"), v)
	case "void", "delete":
		return b.make(Other, n, v)
	}
	return b.named(Unary, n, op, v)
}

// update makes "x++" an assignment.
func (b *builder) update(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	v := b.node(kids[0])
	for _, op := range []string{"++", "--"} {
		if v != nil && (strings.HasSuffix(n.Text(), op) || strings.HasPrefix(n.Text(), op)) {
			return b.step(n, op, v)
		}
	}
	return v // C#: x!
}

func (b *builder) step(n syntax.Node, op string, v *Node) *Node {
	return b.named(Assign, n, op[:1]+"=", v, b.literal(n, Value{Number, "1"}))
}

// isPattern makes C#'s "x is T"; the grammar takes what follows in "x is not null && y" for a part of the pattern.
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
	*first = b.named(Binary, n, "is", value, *first)
	return pattern
}

func (b *builder) ternary(n syntax.Node) *Node {
	cond, then, otherwise := n.Field("condition"), n.Field("consequence"), n.Field("alternative")
	if k := n.Named(); cond.IsZero() && len(k) == 3 { // Python: then, condition, else
		then, cond, otherwise = k[0], k[1], k[2]
	}
	return full(b.make(Ternary, n, b.node(cond), b.node(then), b.node(otherwise)))
}

// cast is what is cast.
func (b *builder) cast(n syntax.Node) *Node {
	switch {
	case n.Is("as_expression", "satisfies_expression") && b.lang == syntax.CSharp:
		return b.node(n.Field("left"))
	case n.Is("as_expression", "satisfies_expression"):
		return b.node(n.FirstChild())
	}
	if v := fieldOf(n, "value", "operand"); !v.IsZero() {
		return b.node(v)
	}
	return b.lastOf(n)
}

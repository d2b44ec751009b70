package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// parseJSON reads JSON, with comments and trailing commas as the tools allow
// them, as the JavaScript literal that it is.
func parseJSON(ctx context.Context, src []byte) (options, error) {
	src = []byte("(" + strings.TrimPrefix(string(src), "\uFEFF") + "\n)")
	tree, err := syntax.Parse(ctx, syntax.JavaScript, src)
	if err != nil {
		return nil, err
	}
	if tree.HasError() {
		return nil, errors.New("it is no valid JSON")
	}
	var b builder
	literal{out: &b}.read(unwrap(tree.Root().Child("expression_statement").FirstChild()), nil, 1, 0)
	if b.full() {
		return nil, errors.New("it has too many settings")
	}
	return b.out, nil
}

// literal reads an object literal into options.
type literal struct {
	out *builder
	// named resolves an identifier to what it was set to; nil: none is known.
	named func(string) syntax.Node
}

func (l literal) read(n syntax.Node, key []string, line, depth int) {
	n = unwrap(n)
	if n.Is("identifier") && l.named != nil && depth < maxDepth {
		if to := l.named(n.Text()); !to.IsZero() {
			l.read(to, key, line, depth+1)
			return
		}
	}
	switch {
	case n.IsZero() || depth > maxDepth:
	case n.Is("object"):
		if len(n.Named()) == 0 && len(key) > 0 {
			l.out.add(key, line, value{text: "{}", line: line})
		}
		for _, m := range n.Named() {
			l.member(m, key, depth)
		}
	case n.Is("array"):
		if len(n.Named()) == 0 {
			l.out.add(key, line, value{text: "[]", line: line})
		}
		for i, e := range n.Named() {
			inner := key
			if unwrap(e).Is("object") && len(key) > 0 {
				inner = append(slices.Clone(key[:len(key)-1]), fmt.Sprintf("%s[%d]", key[len(key)-1], i+1))
			}
			l.read(e, inner, e.StartLine(), depth+1)
		}
	default:
		l.out.add(key, line, scalarOf(n))
	}
}

func (l literal) member(m syntax.Node, key []string, depth int) {
	line := m.StartLine()
	switch {
	case m.Is("pair"):
		k := append(append([]string{}, key...), keyText(m.Field("key")))
		l.out.add(k, line)
		v := m.Field("value")
		l.read(v, k, unwrap(v).StartLine(), depth+1)
	case m.Is("spread_element"):
		if of := unwrap(m.Child("identifier", "object", "parenthesized_expression")); of.Is("object") || of.Is("identifier") && l.named != nil && l.named(of.Text()).Is("object") {
			l.read(of, key, line, depth+1)
			return
		}
		l.out.add(append(append([]string{}, key...), "..."), line, codeOf(m))
	default: // shorthand, method
		name := m.Field("name")
		if name.IsZero() {
			name = m
		}
		k := append(append([]string{}, key...), keyText(name))
		if m.Is("shorthand_property_identifier") && l.named != nil {
			if to := l.named(m.Text()); !to.IsZero() {
				l.out.add(k, line)
				l.read(to, k, line, depth+1)
				return
			}
		}
		l.out.add(k, line, codeOf(m))
	}
}

// unwrap takes off what does not change a value: parentheses and types.
func unwrap(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion") {
		named := n.Named()
		if len(named) == 0 {
			return syntax.Node{}
		}
		if n.Is("type_assertion") {
			n = named[len(named)-1]
			continue
		}
		n = named[0]
	}
	return n
}

func keyText(n syntax.Node) string {
	if n.Is("string") {
		return stringText(n)
	}
	return n.Text()
}

// scalarOf is a literal's value, or the tokens of any other expression.
func scalarOf(n syntax.Node) value {
	line := n.StartLine()
	switch {
	case n.Is("string"):
		return value{text: stringText(n), line: line}
	case n.Is("template_string") && !n.Has("template_substitution"):
		return value{text: strings.Trim(n.Text(), "`"), line: line}
	case n.Is("number", "true", "false", "null", "undefined"):
		return value{text: n.Text(), line: line}
	case n.Is("regex"):
		return value{text: n.Child("regex_pattern").Text(), line: line}
	case n.Is("unary_expression") && !n.Child("number").IsZero():
		return value{text: strings.ReplaceAll(n.Text(), " ", ""), line: line}
	default:
		return codeOf(n)
	}
}

func codeOf(n syntax.Node) value {
	return value{text: canon(n), line: n.StartLine(), code: true}
}

// stringText is the value of a string literal, with its escapes resolved.
func stringText(n syntax.Node) string {
	text := n.Text()
	if len(text) < 2 {
		return text
	}
	text = text[1 : len(text)-1]
	if !strings.Contains(text, `\`) {
		return text
	}
	if s, err := strconv.Unquote(`"` + strings.NewReplacer(`\'`, `'`, `\/`, `/`, `\"`, `\"`, `"`, `\"`).Replace(text) + `"`); err == nil {
		return s
	}
	return text
}

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
	readLiteral(&b, tree.Root().Child("expression_statement").FirstChild(), nil, 1, 0)
	if b.full() {
		return nil, errors.New("it has too many settings")
	}
	return b.out, nil
}

// readLiteral makes options of an object literal.
func readLiteral(out *builder, n syntax.Node, key []string, line, depth int) {
	n = unwrap(n)
	switch {
	case n.IsZero() || depth > maxDepth:
	case n.Is("object", "array") && len(n.Named()) == 0:
		if len(key) > 0 {
			out.add(key, line, value{text: map[bool]string{true: "{}", false: "[]"}[n.Is("object")], line: line})
		}
	case n.Is("object"):
		for _, m := range n.Named() {
			if m.IsComment() {
				continue
			}
			if m.Is("pair") {
				k := append(slices.Clone(key), keyText(m.Field("key")))
				out.add(k, m.StartLine())
				readLiteral(out, m.Field("value"), k, unwrap(m.Field("value")).StartLine(), depth+1)
				continue
			}
			name := "..."
			switch {
			case m.Is("shorthand_property_identifier"):
				name = m.Text()
			case !m.Is("spread_element"): // a method
				name = keyText(m.Field("name"))
			}
			out.add(append(slices.Clone(key), name), m.StartLine(), codeOf(m))
		}
	case n.Is("array"):
		elements := slices.DeleteFunc(n.Named(), syntax.Node.IsComment)
		for i, e := range elements {
			inner := key
			if unwrap(e).Is("object") && len(key) > 0 {
				inner = append(slices.Clone(key[:len(key)-1]), fmt.Sprintf("%s[%d]", key[len(key)-1], i+1))
			}
			readLiteral(out, e, inner, e.StartLine(), depth+1)
		}
	default:
		out.add(key, line, scalarOf(n))
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

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

// parseJSON reads JSON, with comments and trailing commas as the tools allow them, as the JavaScript literal that it is.
func parseJSON(ctx context.Context, src []byte) (options, error) {
	text := "(" + strings.TrimPrefix(string(src), "\uFEFF") + "\n)"
	tree, err := syntax.Parse(ctx, syntax.JavaScript, []byte(text))
	if err != nil {
		return nil, err
	}
	if tree.HasError() {
		return nil, errors.New("it is no valid JSON")
	}
	var b builder
	n := tree.Root().Child("expression_statement").FirstChild()
	for n.Is("parenthesized_expression") && len(n.Named()) > 0 {
		n = lastValue(n.Named())
	}
	if err := b.addJSON(n, nil, 1, 0); err != nil {
		return nil, err
	}
	return b.read()
}

// lastValue is the last node that is no comment.
func lastValue(nodes []syntax.Node) syntax.Node {
	for _, n := range slices.Backward(nodes) {
		if !n.IsComment() {
			return n
		}
	}
	return syntax.Node{}
}

var errNoLiteral = errors.New("it holds more than JSON does")

func (b *builder) addJSON(n syntax.Node, key []string, line, depth int) error {
	parts := slices.DeleteFunc(n.Named(), syntax.Node.IsComment)
	switch {
	case depth > maxDepth:
		return errNoLiteral
	case n.Is("object", "array") && len(parts) == 0:
		if len(key) > 0 {
			b.add(key, line, value{text: map[bool]string{true: "{}", false: "[]"}[n.Is("object")], line: line})
		}
	case n.Is("object"):
		for _, m := range parts {
			if !m.Is("pair") {
				return errNoLiteral
			}
			k := append(slices.Clone(key), textOf(m.Field("key")))
			b.add(k, m.StartLine())
			if err := b.addJSON(m.Field("value"), k, m.Field("value").StartLine(), depth+1); err != nil {
				return err
			}
		}
	case n.Is("array"):
		for i, e := range parts {
			inner := key
			if e.Is("object") && len(key) > 0 {
				inner = numbered(key, i+1)
			}
			if err := b.addJSON(e, inner, e.StartLine(), depth+1); err != nil {
				return err
			}
		}
	case n.Is("string", "number", "true", "false", "null", "unary_expression"):
		b.add(key, line, value{text: textOf(n), line: n.StartLine()})
	default:
		return errNoLiteral
	}
	return nil
}

// numbered is a key whose last part has the number of an element.
func numbered(key []string, i int) []string {
	last := len(key) - 1
	return append(slices.Clone(key[:last]), fmt.Sprintf("%s[%d]", key[last], i))
}

// textOf is the value of a literal: of a string, with its escapes resolved.
func textOf(n syntax.Node) string {
	text := n.Text()
	if !n.Is("string") || len(text) < 2 {
		return text
	}
	text = text[1 : len(text)-1]
	if !strings.Contains(text, `\`) {
		return text
	}
	plain := strings.NewReplacer(`\'`, `'`, `\/`, `/`, `\"`, `\"`, `"`, `\"`).Replace(text)
	if s, err := strconv.Unquote(`"` + plain + `"`); err == nil {
		return s
	}
	return text
}

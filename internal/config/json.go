package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Limits of a config file.
const (
	maxFile     = 1 << 20 // bytes
	maxBrackets = 10_000  // objects and arrays, so that the parser's recursion is bounded
	maxDepth    = 32      // nested objects and arrays
)

// node is a JSON value with its place in the text, which encoding/json does not keep.
type node struct {
	offset int64 // of the value's first byte
	value  any   // nil, bool, json.Number, string, []*node or []member
}

// member is one key of an object; keys come in the text's order and unchecked.
type member struct {
	key    string
	offset int64 // of the key
	node   *node
}

// parseJSON reads one JSON document, which may hold comments and trailing commas.
func parseJSON(data []byte) (*node, error) {
	switch {
	case len(data) > maxFile:
		return nil, fmt.Errorf("file has %d bytes; at most %d are read", len(data), maxFile)
	case !utf8.Valid(data):
		return nil, errors.New("text is not UTF-8")
	case bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxBrackets:
		return nil, fmt.Errorf("file has more than %d objects and lists", maxBrackets)
	}
	// The parser asks for an end of line behind a comment, also of the last line.
	v, err := hujson.Parse(append(bytes.Clone(data), '\n'))
	if err != nil {
		return nil, fmt.Errorf("invalid JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return nodeOf(v, 0)
}

// nodeOf is a parsed value, doubled keys of objects included. One below maxDepth is an error.
func nodeOf(v hujson.Value, depth int) (*node, error) {
	n := &node{offset: int64(v.StartOffset)}
	if depth > maxDepth {
		return nil, fmt.Errorf("a value is nested deeper than %d levels", maxDepth)
	}
	switch t := v.Value.(type) {
	case *hujson.Object:
		members := []member{}
		for _, m := range t.Members {
			of, err := nodeOf(m.Value, depth+1)
			if err != nil {
				return nil, err
			}
			name, _ := m.Name.Value.(hujson.Literal)
			members = append(members, member{name.String(), int64(m.Name.StartOffset), of})
		}
		n.value = members
	case *hujson.Array:
		items := []*node{}
		for _, e := range t.Elements {
			item, err := nodeOf(e, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		n.value = items
	case hujson.Literal:
		n.value = scalarOf(t)
	}
	return n, nil
}

// scalarOf is a literal as encoding/json decodes it, with the digits of a number kept.
func scalarOf(l hujson.Literal) any {
	switch text := l.String(); {
	case l.Kind() == '"':
		return text
	case slices.Contains([]string{"true", "false"}, text):
		return text == "true"
	case text == "null":
		return nil
	default:
		return json.Number(text)
	}
}

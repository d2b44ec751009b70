package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Limits of a config file.
const (
	maxFile     = 1 << 20 // bytes
	maxBrackets = 10_000  // objects and arrays, so that the parser's recursion is bounded
)

// parseJSON reads one JSON document, which may hold comments and trailing commas.
func parseJSON(data []byte) (v hujson.Value, err error) {
	switch {
	case len(data) > maxFile:
		return v, fmt.Errorf("file has %d bytes; at most %d are read", len(data), maxFile)
	case !utf8.Valid(data):
		return v, errors.New("text is not UTF-8")
	case bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxBrackets:
		return v, fmt.Errorf("file has more than %d objects and lists", maxBrackets)
	}
	// The parser asks for an end of line behind a comment, also of the last line.
	v, err = hujson.Parse(append(bytes.Clone(data), '\n'))
	if err != nil {
		err = fmt.Errorf("invalid JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return v, err
}

// valueOf is a literal as encoding/json decodes it, with the digits of a number kept, else the
// object or list.
func valueOf(v hujson.Value) any {
	l, ok := v.Value.(hujson.Literal)
	if !ok {
		return v.Value
	}
	switch text := l.String(); {
	case l.Kind() == '"':
		return text
	case text == "true" || text == "false":
		return text == "true"
	case text == "null":
		return nil
	default:
		return json.Number(text)
	}
}

// keyOf is a member's key.
func keyOf(m hujson.ObjectMember) string {
	name, _ := m.Name.Value.(hujson.Literal) // which all keys are
	return name.String()
}

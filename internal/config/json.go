package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Limits of a config file.
const (
	maxFile  = 1 << 20 // bytes
	maxDepth = 32      // nested objects and arrays
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

// jsonError is a text that is no JSON document.
type jsonError struct {
	offset int64
	text   string
}

func (e *jsonError) Error() string { return e.text }

// offsetOf is the place of an error of parseJSON.
func offsetOf(err error) int64 {
	var j *jsonError
	if errors.As(err, &j) {
		return j.offset
	}
	return 0
}

// parseJSON reads one JSON document, which may hold comments and trailing commas. Its errors are
// *jsonError.
func parseJSON(data []byte) (*node, error) {
	if len(data) > maxFile {
		return nil, &jsonError{0, fmt.Sprintf("file has %d bytes; at most %d are read", len(data), maxFile)}
	}
	if i := invalidUTF8(data); i >= 0 {
		return nil, &jsonError{int64(i), "text is not UTF-8"}
	}
	data = WithoutComments(data)
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(any)); errors.As(err, &syntax) {
		return nil, &jsonError{max(0, syntax.Offset-1), "invalid JSON: " + syntax.Error()}
	}
	p := parserState{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	n, err := p.value(0)
	if err != nil && offsetOf(err) == 0 {
		return nil, &jsonError{p.dec.InputOffset(), "invalid JSON: " + err.Error()}
	}
	return n, err
}

// WithoutComments is a text with spaces in place of comments and of the commas behind the last
// member or item, so that every place in it stays what it was. A comment that does not end is left
// to the parser.
func WithoutComments(data []byte) []byte {
	out := bytes.Clone(data)
	last, before := -1, -1 // places of the last byte that means something, and of the one before
	for i := 0; i < len(out); {
		end := i + 1
		switch c := out[i]; {
		case bytes.HasPrefix(out[i:], []byte("//")):
			end = blank(out, i, "\n")
		case bytes.HasPrefix(out[i:], []byte("/*")):
			if end = blank(out, i, "*/"); end == 0 {
				return out
			}
		case bytes.IndexByte([]byte(" \t\r\n"), c) >= 0:
		default:
			if c == '"' {
				end = endOfString(out, i)
			}
			if (c == '}' || c == ']') && last >= 0 && out[last] == ',' && endsValue(out, before) {
				out[last] = ' '
			}
			last, before = end-1, last
		}
		i = end
	}
	return out
}

// endsValue reports whether a comma may follow what stands at a place.
func endsValue(data []byte, at int) bool {
	return at >= 0 && bytes.IndexByte([]byte("[{,:"), data[at]) < 0
}

// blank writes spaces over a comment that begins at i, and returns where it ends: at the end of the
// text if the line does, 0 if a block does not end.
func blank(data []byte, i int, until string) int {
	length := bytes.Index(data[i+2:], []byte(until))
	switch {
	case length < 0 && until == "*/":
		return 0
	case length < 0:
		length = len(data) - i - 2
	case until == "*/":
		length += len(until)
	}
	end := i + 2 + length
	for ; i < end; i++ {
		if data[i] != '\n' && data[i] != '\r' {
			data[i] = ' '
		}
	}
	return end
}

// endOfString is the place behind a string that begins at i.
func endOfString(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(data))
}

// invalidUTF8 is the place of the first byte that is not UTF-8, -1 if there is none.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// parserState is a decoder over a text, with the text to find places in.
type parserState struct {
	data []byte
	dec  *json.Decoder
}

// next returns the next token and where it begins.
func (p *parserState) next() (json.Token, int64, error) {
	at := p.dec.InputOffset()
	for at < int64(len(p.data)) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[at]) >= 0 {
		at++
	}
	tok, err := p.dec.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return tok, at, err
}

// value reads the next value. Values below maxDepth are an error, so that recursion is bounded.
func (p *parserState) value(depth int) (*node, error) {
	tok, at, err := p.next()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, &jsonError{at, fmt.Sprintf("is nested deeper than %d levels", maxDepth)}
	}
	switch tok {
	case json.Delim('{'):
		members, err := p.object(depth)
		return &node{at, members}, err
	case json.Delim('['):
		items, err := p.array(depth)
		return &node{at, items}, err
	default:
		return &node{at, tok}, nil
	}
}

// object reads members up to the closing brace, doubled keys included.
func (p *parserState) object(depth int) ([]member, error) {
	members := []member{}
	for p.dec.More() {
		key, at, err := p.next()
		if err != nil {
			return nil, err
		}
		n, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		members = append(members, member{name, at, n})
	}
	_, _, err := p.next()
	return members, err
}

// array reads items up to the closing bracket.
func (p *parserState) array(depth int) ([]*node, error) {
	items := []*node{}
	for p.dec.More() {
		n, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, n)
	}
	_, _, err := p.next()
	return items, err
}

// Package xmlscan reads the XML that build tools write, within bounds: no document type is obeyed,
// no entity is expanded, and size and depth are limited, so that a hostile file costs no more than
// a multiple of its own size.
package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"workflow-reviewer/internal/markdown"
)

// MaxBytes is the largest document that is read; MaxDepth the deepest nesting; maxProblem the
// longest error.
const (
	MaxBytes   = 64 << 20
	MaxDepth   = 256
	maxProblem = 300
)

// Decode reads one whole document into a value, as xml.Unmarshal does: elements and attributes that
// the value has no field for are passed over. A document that is empty, truncated, not well-formed,
// too large, too deep, or followed by a second root is an error.
func Decode(data []byte, into any) error {
	if len(data) > MaxBytes {
		return fmt.Errorf("document is larger than %d MiB", MaxBytes>>20)
	}
	tokens := &reader{dec: newDecoder(data)}
	dec := xml.NewTokenDecoder(tokens)
	err := dec.Decode(into)
	if errors.Is(err, io.EOF) && !tokens.rooted {
		return errors.New("no XML element")
	}
	for err == nil {
		_, err = dec.Token() // what follows the root
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	line, _ := tokens.dec.InputPos()
	// It quotes what the document holds.
	return fmt.Errorf("line %d: %s", line, markdown.Line(err.Error(), maxProblem))
}

// Root is the name of a document's root element, "" if there is none.
func Root(data []byte) string {
	dec := newDecoder(data)
	for {
		token, err := dec.Token()
		if err != nil {
			return ""
		}
		if start, ok := token.(xml.StartElement); ok {
			return start.Name.Local
		}
	}
}

// newDecoder reads a document in the encoding that it names, or that its byte order mark tells.
func newDecoder(data []byte) *xml.Decoder {
	text := transform.NewReader(
		bytes.NewReader(printable(data)), unicode.BOMOverride(transform.Nop),
	)
	dec := xml.NewDecoder(text)
	dec.CharsetReader = charset
	return dec
}

// reader passes tokens on, and refuses what no report of a tool holds.
type reader struct {
	dec    *xml.Decoder
	depth  int
	rooted bool // the root element was seen
}

// Token implements xml.TokenReader.
func (r *reader) Token() (xml.Token, error) {
	token, err := r.dec.Token()
	if err != nil {
		return token, err
	}
	switch t := token.(type) {
	case xml.StartElement:
		if r.depth == 0 && r.rooted {
			return nil, errors.New("a second root element")
		}
		if r.depth++; r.depth > MaxDepth {
			return nil, fmt.Errorf("elements nested deeper than %d", MaxDepth)
		}
		r.rooted = true
	case xml.EndElement:
		r.depth--
	case xml.CharData:
		if r.depth == 0 && len(bytes.TrimSpace(t)) > 0 {
			return nil, errors.New("text outside of the root element")
		}
	}
	return token, nil
}

// printable replaces the control characters that XML forbids but test output is full of, terminal
// colours above all. UTF-16 is left alone: its zero bytes are no characters.
func printable(data []byte) []byte {
	forbidden := func(b byte) bool { return b < ' ' && b != '\t' && b != '\n' && b != '\r' }
	wide := bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))
	if wide || !slices.ContainsFunc(data, forbidden) {
		return data
	}
	out := slices.Clone(data)
	for i, b := range out {
		if forbidden(b) {
			out[i] = ' '
		}
	}
	return out
}

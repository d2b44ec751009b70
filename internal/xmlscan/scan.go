// Package xmlscan reads the XML that build tools write, one element at a time and within bounds: no
// document type is obeyed, no entity is expanded, and depth is limited, so that a hostile file
// costs no more than its own size.
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
)

// MaxBytes is the largest document that is read; MaxDepth the deepest nesting.
const (
	MaxBytes = 64 << 20
	MaxDepth = 256
)

// Element is one start tag.
type Element struct {
	Name  string // without namespace
	Depth int    // 0 for the root
	attrs []xml.Attr
}

// Attr returns an attribute's value, "" if the element has none of that name.
func (e Element) Attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Visitor is called in document order. An error of one of its methods ends the scan and is returned
// by Scan.
type Visitor interface {
	Start(e Element) error
	Text(text string) error
	End(name string, depth int) error
}

// Scan reads one whole document. A document that is empty, truncated, not well-formed, too large,
// too deep, or followed by a second root is an error, which may come after the visitor has seen the
// part before it.
func Scan(data []byte, v Visitor) error {
	if len(data) > MaxBytes {
		return fmt.Errorf("document is larger than %d MiB", MaxBytes>>20)
	}
	dec := xml.NewDecoder(transform.NewReader(bytes.NewReader(printable(data)), unicode.BOMOverride(transform.Nop)))
	dec.CharsetReader = charset
	s := scanner{visitor: v}
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return s.finish()
		}
		if err == nil {
			err = s.token(tok)
		}
		if err != nil {
			line, _ := dec.InputPos()
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// scanner knows how deep it is, and whether there was a root.
type scanner struct {
	visitor Visitor
	depth   int
	rooted  bool
}

// token hands an element or a text on to the visitor. Comments, directives and processing
// instructions are dropped, and so is white space outside of the root.
func (s *scanner) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		return s.start(t)
	case xml.EndElement:
		s.depth--
		return s.visitor.End(t.Name.Local, s.depth)
	case xml.CharData:
		if s.depth > 0 {
			return s.visitor.Text(string(t))
		}
		if len(bytes.TrimSpace(t)) > 0 {
			return errors.New("text outside of the root element")
		}
	}
	return nil
}

// start opens an element. A second root, and elements below MaxDepth, are errors.
func (s *scanner) start(t xml.StartElement) error {
	if s.depth == 0 && s.rooted {
		return errors.New("a second root element")
	}
	if s.depth >= MaxDepth {
		return fmt.Errorf("elements nested deeper than %d", MaxDepth)
	}
	s.rooted = true
	e := Element{Name: t.Name.Local, Depth: s.depth, attrs: t.Attr}
	s.depth++
	return s.visitor.Start(e)
}

// finish is an error where the document had no element at all.
func (s *scanner) finish() error {
	if !s.rooted {
		return errors.New("no XML element")
	}
	return nil
}

// printable replaces the control characters that XML forbids but test output is full of, terminal
// colours above all. UTF-16 is left alone: its zero bytes are no characters.
func printable(data []byte) []byte {
	forbidden := func(b byte) bool { return b < ' ' && b != '\t' && b != '\n' && b != '\r' }
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) || !slices.ContainsFunc(data, forbidden) {
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

// Root returns the name of the first element, "" if the data does not begin like an XML document.
func Root(data []byte) string {
	v := &rootVisitor{}
	_ = Scan(data, v) // the visitor ends it at the first element
	return v.name
}

// rootVisitor ends the scan at the first element.
type rootVisitor struct{ name string }

var errFound = errors.New("root found")

func (v *rootVisitor) Start(e Element) error { v.name = e.Name; return errFound }
func (*rootVisitor) Text(string) error       { return nil }
func (*rootVisitor) End(string, int) error   { return nil }

package runner

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// parseXML reads a build file. An element is a key; one that has an id or artifactId is told from
// its like by it: "plugin[maven-surefire-plugin]". An attribute is a key below its element,
// "compile/@remove".
func parseXML(src []byte) (options, error) {
	root, err := readXML(src)
	if err != nil {
		return nil, fmt.Errorf("parse XML: %w", err)
	}
	var b builder
	root.flatten(nil, root.name, &b)
	return b.read()
}

// element is one XML element with the line of its start tag.
type element struct {
	name     string
	line     int
	attrs    []xml.Attr
	text     strings.Builder
	children []*element
}

// readXML reads a document as elements with their lines. Entities of its own are an error.
func readXML(src []byte) (*element, error) {
	dec := xml.NewDecoder(bytes.NewReader(src))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	top := &element{}
	open := []*element{top}
	for {
		line, _ := dec.InputPos()
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		at := open[len(open)-1]
		switch t := tok.(type) {
		case xml.StartElement:
			if len(open) > maxDepth {
				return nil, errors.New("elements are nested too deep")
			}
			e := &element{name: t.Name.Local, line: line, attrs: t.Attr}
			at.children = append(at.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			at.text.Write(t)
		case xml.Directive:
			return nil, errors.New("a document type is not read")
		}
	}
	if len(top.children) != 1 {
		return nil, errors.New("it has no single root element")
	}
	return top.children[0], nil
}

// label is the element's part of a key.
func (e *element) label() string {
	for _, a := range e.attrs {
		if a.Name.Local == "Include" && strings.HasPrefix(e.name, "Package") {
			return e.name + "[" + a.Value + "]"
		}
	}
	for _, c := range e.children {
		if c.name == "artifactId" || c.name == "id" && e.name != "rule" {
			return e.name + "[" + strings.TrimSpace(c.text.String()) + "]"
		}
	}
	return e.name
}

// flatten adds an element's attributes and text under its path of names.
func (e *element) flatten(key []string, label string, b *builder) {
	key = append(append([]string{}, key...), label)
	b.add(key, e.line)
	for _, a := range e.attrs {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && a.Name.Local != "schemaLocation" {
			b.add(append(append([]string{}, key...), "@"+a.Name.Local), e.line, value{text: a.Value, line: e.line})
		}
	}
	if text := strings.TrimSpace(e.text.String()); text != "" && len(e.children) == 0 {
		b.add(key, e.line, value{text: text, line: e.line})
	}
	seen := map[string]int{}
	for _, c := range e.children {
		label := c.label()
		group := label == "ItemGroup" && len(c.attrs) == 0 // several are one
		if seen[label]++; seen[label] > 1 && !group && (len(c.children) > 0 || len(c.attrs) > 0) {
			label += fmt.Sprintf("[%d]", seen[label])
		}
		c.flatten(key, label, b)
	}
}

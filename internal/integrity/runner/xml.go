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
	root.flatten(nil, root.Name.Local, &b)
	return b.read()
}

// element is one XML element with the line of its start tag.
type element struct {
	Name     xml.Name   `xml:"-"`
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []*element `xml:",any"`
	line     int
}

// UnmarshalXML notes where the element stands.
func (e *element) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain element
	e.line, _ = d.InputPos()
	e.Name = start.Name
	return d.DecodeElement((*plain)(e), &start)
}

// readXML reads a document as elements with their lines. Entities of its own are an error.
func readXML(src []byte) (*element, error) {
	if bytes.Contains(src, []byte("<!DOCTYPE")) || bytes.Contains(src, []byte("<!ENTITY")) {
		return nil, errors.New("a document type is not read")
	}
	dec := xml.NewDecoder(bytes.NewReader(src))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	root := &element{}
	if err := dec.Decode(root); err != nil {
		return nil, err
	}
	if err := dec.Decode(&element{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("it has no single root element")
	}
	return root, nil
}

// label is the element's part of a key.
func (e *element) label() string {
	for _, a := range e.Attrs {
		if a.Name.Local == "Include" && strings.HasPrefix(e.Name.Local, "Package") {
			return e.Name.Local + "[" + a.Value + "]"
		}
	}
	for _, c := range e.Children {
		if c.Name.Local == "artifactId" || c.Name.Local == "id" && e.Name.Local != "rule" {
			return e.Name.Local + "[" + strings.TrimSpace(c.Text) + "]"
		}
	}
	return e.Name.Local
}

// flatten adds an element's attributes and text under its path of names.
func (e *element) flatten(key []string, label string, b *builder) {
	key = append(append([]string{}, key...), label)
	b.add(key, e.line)
	for _, a := range e.Attrs {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && a.Name.Local != "schemaLocation" {
			b.add(append(append([]string{}, key...), "@"+a.Name.Local), e.line,
				value{text: a.Value, line: e.line})
		}
	}
	if text := strings.TrimSpace(e.Text); text != "" && len(e.Children) == 0 {
		b.add(key, e.line, value{text: text, line: e.line})
	}
	seen := map[string]int{}
	for _, c := range e.Children {
		label := c.label()
		group := label == "ItemGroup" && len(c.Attrs) == 0 // several are one
		if seen[label]++; seen[label] > 1 && !group && (len(c.Children) > 0 || len(c.Attrs) > 0) {
			label += fmt.Sprintf("[%d]", seen[label])
		}
		c.flatten(key, label, b)
	}
}

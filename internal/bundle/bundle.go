// Package bundle reads a spec that is a folder of documents – a brief, requirements, decisions,
// epics, spec-config.json – and says, without a model, what is there, how it is linked, and what
// it scores. It is pure but for the tree that it reads; whatever it reads may be hostile.
package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
)

// Caps on what is read of one bundle.
const (
	maxDocuments = 400
	maxDocument  = 256 << 10 // bytes of one
	maxText      = 120       // characters of a title or of a value of spec-config.json
)

// The parts of a bundle: documents that it has once, by their names below its folder, and kinds of
// which it may have several.
const (
	config            = "spec-config.json"
	brief             = "product-brief.md"
	requirementsIndex = "requirements/_index.md"
	requirement       = "REQ-* files"
	architectureIndex = "architecture/_index.md"
	decision          = "ADR-* files"
	epicsIndex        = "epics/_index.md"
	epic              = "EPIC-* files"
)

// part is a document or kind of document.
type part struct {
	name, pattern string  // below the folder
	weight        float64 // share of completeness; together they make 100
}

// parts lists what a bundle consists of, with the weights of the role that the form comes from.
func parts() []part {
	return []part{
		{config, config, 5},
		{"discovery-context.json", "discovery-context.json", 10},
		{brief, brief, 20},
		{requirementsIndex, requirementsIndex, 15},
		{requirement, "requirements/[RN]??-*.md", 10},
		{architectureIndex, architectureIndex, 15},
		{decision, "architecture/ADR-*.md", 10},
		{epicsIndex, epicsIndex, 10},
		{epic, "epics/EPIC-*.md", 5},
		{"discussions", "discussions/discuss-*.md", 0},
	}
}

// partOf is the part that a file below the folder belongs to, "" for none.
func partOf(name string) string {
	for _, p := range parts() {
		if ok, err := path.Match(p.pattern, name); ok && err == nil {
			return p.name
		}
	}
	return ""
}

// document is one file of a bundle.
type document struct {
	part  string
	file  string // from the repository's root
	id    string // of a requirement, decision or epic; "" for others
	title string
	text  string
}

// Bundle is the documents of one bundle.
type Bundle struct {
	folder    string
	documents []document // sorted by path
	settings  settings
	unread    bool     // spec-config.json is no JSON object
	lost      []string // documents that are not read, each with why
}

// settings hold the fields of spec-config.json that are read.
type settings struct {
	Session    string `json:"session_id"`
	Topic      string `json:"topic"`
	Complexity string `json:"complexity"`
}

// Folder is the folder of the bundle that a document belongs to.
func Folder(file string) string {
	dir := path.Dir(file)
	switch path.Base(dir) {
	case "requirements", "architecture", "epics", "discussions":
		return path.Dir(dir)
	}
	return dir
}

// Read reads a bundle's documents. What cannot be read as text is missing, and its score says why.
func Read(tree change.Tree, folder string) *Bundle {
	b := &Bundle{folder: folder}
	if tree == nil {
		return b
	}
	entries, err := tree.List(folder)
	if err != nil {
		return b
	}
	for _, e := range entries {
		name := strings.TrimPrefix(e.Path, folder+"/")
		p := partOf(name)
		if p == "" {
			continue
		}
		if len(b.documents) == maxDocuments {
			b.lost = append(
				b.lost, fmt.Sprintf("Only the first %d documents are read", maxDocuments),
			)
			break
		}
		data, err := tree.ReadFile(e.Path)
		if why := unreadable(data, err); why != "" {
			b.lost = append(b.lost, "Not read: "+name+", "+why)
			continue
		}
		text := strings.ReplaceAll(string(bom.UTF8(data)), "\r\n", "\n")
		b.documents = append(b.documents, newDocument(p, e.Path, text))
	}
	for _, d := range b.of(config) {
		b.unread = json.Unmarshal([]byte(d.text), &b.settings) != nil
	}
	return b
}

// of lists the documents of a part.
func (b *Bundle) of(part string) (out []document) {
	for _, d := range b.documents {
		if d.part == part {
			out = append(out, d)
		}
	}
	return out
}

// documentID is the id that a file is named after.
var documentID = lazyregexp.New(`^(?:REQ|NFR|ADR|EPIC)(?:-[A-Z]{1,10})?-\d{1,4}[a-z]?`)

// newDocument is a document with the id that its name begins with, and its first heading as title.
func newDocument(part, file, text string) document {
	d := document{part: part, file: file, text: text}
	if part != requirement && part != decision && part != epic {
		return d
	}
	base := path.Base(file)
	if d.id = documentID.FindString(base); d.id == "" {
		d.id = strings.TrimSuffix(base, path.Ext(base))
	}
	d.title = titleOf(text, d.id)
	return d
}

// unreadable says why a document is not read, "" if it is.
func unreadable(data []byte, err error) string {
	switch {
	case errors.Is(err, change.ErrLFSPointer):
		return change.ErrLFSPointer.Error()
	case err != nil:
		return "it is no file that can be read whole"
	case len(data) > maxDocument:
		return fmt.Sprintf("it is larger than %d KiB", maxDocument>>10)
	case !utf8.Valid(data):
		return "it is not UTF-8"
	case len(bytes.TrimSpace(data)) == 0:
		return "it is empty"
	}
	return ""
}

// titleOf is the first heading of a document without its id.
func titleOf(text, id string) string {
	for _, s := range markdown.ParseOutline([]byte(text)).Sections {
		if s.Level > 0 && s.Level < markdown.LabelLevel {
			t := strings.TrimSpace(strings.Trim(s.Raw, "# \t"))
			if len(t) >= len(id) && strings.EqualFold(t[:len(id)], id) {
				t = t[len(id):]
			}
			return clip(strings.Trim(t, " :–—-"))
		}
	}
	return ""
}

// clip is a foreign text on one line, of at most maxText characters.
func clip(s string) string { return markdown.Clip(markdown.Line(s, 0), maxText) }

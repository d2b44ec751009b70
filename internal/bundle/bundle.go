// Package bundle reads a spec that is a folder of documents – a brief, requirements, decisions,
// epics, spec-config.json – and says, without a model, what is there, how it is linked, and what it
// scores. It is pure but for the tree that it reads; whatever it reads may be hostile.
package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
)

// Caps on what is read of one bundle.
const (
	maxDocuments = 400
	maxDocument  = 256 << 10 // bytes of one
	maxText      = 120       // characters of a title or of a value of spec-config.json
)

// Names of a bundle's documents, below its folder.
const (
	config            = "spec-config.json"
	discovery         = "discovery-context.json"
	brief             = "product-brief.md"
	requirementsIndex = "requirements/_index.md"
	architectureIndex = "architecture/_index.md"
	epicsIndex        = "epics/_index.md"
)

// kind names the subject of a document of a bundle.
type kind int

const (
	other kind = iota
	goal
	requirement
	decision
	epic
	story
)

// document is one file of a bundle.
type document struct {
	name  string // below the folder
	file  string // from the repository's root
	id    string // of a requirement, decision or epic
	title string
	text  string
}

// Bundle is the documents of one bundle.
type Bundle struct {
	folder    string
	documents map[string]*document // the single ones, by name
	byKind    map[kind][]*document // requirements, decisions, epics, sorted by path
	settings  settings
	unread    bool     // spec-config.json is no JSON object
	rounds    int      // discussions
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

// documentID is the id that a file is named after.
var documentID = regexp.MustCompile(`^(?:REQ|NFR|ADR|EPIC)(?:-[A-Z]{1,10})?-\d{1,4}[a-z]?`)

// Read reads a bundle's documents. What cannot be read as text is missing, and its score says why.
func Read(tree change.Tree, folder string) *Bundle {
	b := &Bundle{folder: folder, documents: map[string]*document{}, byKind: map[kind][]*document{}}
	if tree == nil {
		return b
	}
	entries, err := tree.List(folder)
	if err != nil {
		return b
	}
	for _, e := range entries {
		if len(b.documents)+len(b.byKind[requirement])+len(b.byKind[decision])+len(b.byKind[epic]) == maxDocuments {
			b.lost = append(b.lost, fmt.Sprintf("Only the first %d documents are read", maxDocuments))
			break
		}
		name := strings.TrimPrefix(e.Path, folder+"/")
		if wanted(name) {
			b.add(tree, name, e.Path)
		}
	}
	if doc := b.documents[config]; doc != nil {
		b.unread = json.Unmarshal([]byte(doc.text), &b.settings) != nil
	}
	return b
}

// single are the documents that a bundle has once.
func single() []string {
	return []string{config, discovery, brief, requirementsIndex, architectureIndex, epicsIndex}
}

// wanted reports whether a bundle reads a file of its folder.
func wanted(name string) bool {
	for _, s := range single() {
		if name == s {
			return true
		}
	}
	return kindOf(name) != other || strings.HasPrefix(name, "discussions/discuss-") && path.Ext(name) == ".md"
}

// kindOf is the kind of a document that a bundle may have several of.
func kindOf(name string) kind {
	base := path.Base(name)
	if path.Ext(base) != ".md" {
		return other
	}
	switch dir := path.Dir(name); {
	case dir == "requirements" && (strings.HasPrefix(base, "REQ-") || strings.HasPrefix(base, "NFR-")):
		return requirement
	case dir == "architecture" && strings.HasPrefix(base, "ADR-"):
		return decision
	case dir == "epics" && strings.HasPrefix(base, "EPIC-"):
		return epic
	}
	return other
}

// add reads one document. One that cannot be read is named as lost and is not there for the rest.
func (b *Bundle) add(tree change.Tree, name, file string) {
	data, err := tree.ReadFile(file)
	if why := unreadable(data, err); why != "" {
		b.lost = append(b.lost, "Not read: "+name+", "+why)
		return
	}
	d := &document{name: name, file: file, text: strings.ReplaceAll(string(bom.UTF8(data)), "\r\n", "\n")}
	k := kindOf(name)
	switch {
	case k != other:
		base := path.Base(name)
		if d.id = documentID.FindString(base); d.id == "" {
			d.id = strings.TrimSuffix(base, path.Ext(base))
		}
		d.title = titleOf(d.text, d.id)
		b.byKind[k] = append(b.byKind[k], d)
	case strings.HasPrefix(name, "discussions/"):
		b.rounds++
	default:
		b.documents[name] = d
	}
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

func clip(s string) string { return markdown.Clip(markdown.Line(s, 0), maxText) }

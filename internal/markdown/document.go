package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"workflow-reviewer/internal/lazyregexp"
)

var fenceLine = lazyregexp.New("^(`{3,})([a-z0-9+#-]*)$")

// Cut shortens a document made by this package to at most limit bytes, at the
// end of a line, closes a fence that is left open, and ends it with note. A
// document that fits is returned as it is. limit must leave room for note.
func Cut(doc string, limit int, note string) string {
	if len(doc) <= limit {
		return doc
	}
	const longestFence = 200
	room := limit - len(note) - len("\n\n\n") - longestFence
	var b strings.Builder
	open := ""
	for l := range strings.Lines(doc) {
		if b.Len()+len(l) > room {
			break
		}
		b.WriteString(l)
		m := fenceLine.FindStringSubmatch(strings.TrimSuffix(l, "\n"))
		switch {
		case m == nil:
		case open == "":
			open = m[1]
		case m[1] == open && m[2] == "":
			open = ""
		}
	}
	kept := strings.TrimRight(b.String(), "\n")
	if open != "" {
		kept += "\n" + open
	}
	return Clip(kept, limit-len(note)-len("\n\n")) + "\n\n" + note
}

// HTML renders a document as HTML without raw HTML of its own: the result is safe to put into a page.
func HTML(doc string) (string, error) {
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(doc), &b); err != nil {
		return "", err
	}
	return b.String(), nil // goldmark without WithUnsafe escapes raw HTML and dangerous URLs
}

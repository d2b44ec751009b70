package markdown

import (
	"strings"

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

package bundle

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
)

var (
	// named is an id as it is named in a text.
	named = regexp.MustCompile(
		`\b(?:REQ|NFR|ADR|EPIC|STORY|US|GOAL|BG|OBJ|G)(?:-[A-Z]{1,10})?[-_]?\d{1,4}(?:[-.]S?\d{1,4})*[a-z]?\b`,
	)
	// goalID and storyID are ids at the beginning of what they name.
	goalID  = regexp.MustCompile(`^[\s*_\x60\[#|(]*((?:GOAL|BG|OBJ|G)-?\d{1,4})\b`)
	storyID = regexp.MustCompile(
		`^[\s*_\x60\[#|(]*((?:STORY|US)[-_]?\d{1,4}(?:[-.]S?\d{1,4})*|EPIC-\d{1,4}-S\d{1,4})\b`,
	)
	// ofDocument is an id that must have a document in the bundle.
	ofDocument = regexp.MustCompile(`^(?:REQ|NFR|ADR|EPIC)(?:-[A-Z]{1,10})?-\d{1,4}[a-z]?$`)
)

// links tell which ids are named together.
type links struct {
	kinds map[string]kind
	pairs map[[2]string]bool
	lost  map[string][]string // ids without a document, by the file that names them
}

// join links two ids in both directions, if they are of different kinds.
func (l *links) join(a, b string) {
	if a != b && l.kinds[a] != l.kinds[b] {
		l.pairs[[2]string{a, b}], l.pairs[[2]string{b, a}] = true, true
	}
}

// to lists the ids of a kind that an id is linked with, sorted; never nil.
func (l *links) to(id string, of kind) []string {
	out := []string{}
	for other, k := range l.kinds {
		if k == of && l.pairs[[2]string{id, other}] {
			out = append(out, other)
		}
	}
	slices.Sort(out)
	return out
}

// ids lists what is known of a kind, sorted.
func (l *links) ids(k kind) []string {
	var out []string
	for id, of := range l.kinds {
		if of == k {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// link reads which ids the documents name: one that has an id is linked with
// all that it names, the others tie together what stands on one line.
func (b *Bundle) link() *links {
	l := &links{kinds: map[string]kind{}, pairs: map[[2]string]bool{}, lost: map[string][]string{}}
	for _, k := range []kind{requirement, decision, epic} {
		for _, d := range b.byKind[k] {
			l.kinds[d.id] = k
		}
	}
	b.define(l, goal, goalID, b.documents[brief])
	b.define(l, story, storyID, append(slices.Clone(b.byKind[epic]), b.documents[epicsIndex])...)
	for _, name := range []string{brief, requirementsIndex, architectureIndex, epicsIndex} {
		if d := b.documents[name]; d != nil {
			for line := range prose(d.text) {
				l.together(l.known(d, line))
			}
		}
	}
	for _, k := range []kind{requirement, decision, epic} {
		for _, d := range b.byKind[k] {
			for line := range prose(d.text) {
				for _, id := range l.known(d, line) {
					l.join(d.id, id)
				}
			}
			if k == epic {
				l.stories(d)
			}
		}
	}
	return l
}

// define takes over the ids that headings, list items, rows and paragraphs begin with.
func (b *Bundle) define(l *links, k kind, id *regexp.Regexp, docs ...*document) {
	for _, d := range docs {
		if d == nil {
			continue
		}
		for line := range prose(d.text) {
			if m := id.FindStringSubmatch(strings.TrimLeft(line, " \t-+>")); m != nil && l.kinds[m[1]] == other {
				l.kinds[m[1]] = k
			}
		}
	}
}

// stories links each story of an epic with what its section or line names.
func (l *links) stories(d *document) {
	current := ""
	level := 0
	for line := range prose(d.text) {
		depth := len(line) - len(strings.TrimLeft(line, "#"))
		own := ""
		if m := storyID.FindStringSubmatch(strings.TrimLeft(line, " \t-+>")); m != nil {
			own = m[1]
		}
		switch {
		case depth > 0 && own != "":
			current, level = own, depth
		case depth > 0 && depth <= level:
			current, level = "", 0
		}
		own = cmp.Or(own, current)
		if own == "" {
			continue
		}
		l.join(d.id, own)
		for _, id := range l.known(d, line) {
			l.join(own, id)
		}
	}
}

// known are the ids of the bundle that a line names; those that should have a document and have
// none are noted as lost.
func (l *links) known(d *document, line string) []string {
	var out []string
	for _, id := range named.FindAllString(line, -1) {
		switch {
		case l.kinds[id] != other:
			out = append(out, id)
		case ofDocument.MatchString(id) && !slices.Contains(l.lost[d.file], id):
			l.lost[d.file] = append(l.lost[d.file], id)
		}
	}
	return out
}

// together joins ids that stand on one line.
func (l *links) together(ids []string) {
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			l.join(a, b)
		}
	}
}

// prose yields the lines of a text that stand in no code block. Front matter
// counts: it names what a document comes from.
func prose(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		fence := ""
		for line := range strings.Lines(text) {
			trimmed := strings.TrimSpace(line)
			switch {
			case fence != "":
				if strings.HasPrefix(trimmed, fence) {
					fence = ""
				}
				continue
			case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
				fence = trimmed[:3]
				continue
			}
			if !yield(markdown.Clip(strings.TrimRight(line, "\n"), maxLine)) {
				return
			}
		}
	}
}

// maxLine limits what is read of a line, in characters.
const maxLine = 4_000

package layout

import (
	"regexp"
	"strings"
)

// Synced reports whether the new text of a spec of what exists follows from the old one
// and the deltas of the work that is archived: each requirement is as it was, or as a
// delta adds, modifies or renames it; those that are gone a delta removes or renames; what
// deltas add is there; and nothing else has changed. Of a spec that is new the purpose may
// say anything but a demand.
func Synced(before, after, deltas string) bool {
	was, is, delta := requirementsOf(before), requirementsOf(after), requirementsOf(deltas)
	renames := map[string]string{} // by the new title
	for _, m := range renamed.FindAllStringSubmatch(delta.rest, -1) {
		renames[m[2]] = m[1]
	}
	for title, body := range is.added {
		told, set := delta.added[title]
		if set && body != told || !set && body != was.added[title] && (renames[title] == "" || body != was.added[renames[title]]) {
			return false
		}
		delete(was.added, renames[title])
		delete(was.added, title)
		delete(delta.added, title)
	}
	for title := range was.added {
		if !delta.removed[title] {
			return false
		}
	}
	return len(delta.added) == 0 && (is.rest == was.rest || before == "" && len(is.added) > 0 && !demands.MatchString(is.rest))
}

var (
	renamed = regexp.MustCompile("FROM: `### ([^`\n]+)`\n(?:[-*] )?TO: `### ([^`\n]+)`")
	demands = regexp.MustCompile(`\b(?:SHALL|MUST|SHOULD|MAY)\b`)
)

// requirements are those of a spec by their titles, without empty lines and indents; those
// that a delta removes; and what stands around them.
type requirements struct {
	added   map[string]string
	removed map[string]bool
	rest    string
}

func requirementsOf(text string) requirements {
	out := requirements{added: map[string]string{}, removed: map[string]bool{}}
	title, fenced, removes := "", false, false
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "```"):
			fenced = !fenced
		case fenced:
		case strings.HasPrefix(l, "### "):
			title = strings.TrimSpace(l[4:])
			if l = ""; removes {
				out.removed[title] = true
			} else {
				out.added[title] += ""
			}
		case strings.HasPrefix(l, "## ") || strings.HasPrefix(l, "# "):
			title, removes = "", strings.HasPrefix(l, "## REMOVED")
		}
		switch {
		case l == "":
		case title == "":
			out.rest += l + "\n"
		case !removes:
			out.added[title] += l + "\n"
		}
	}
	return out
}

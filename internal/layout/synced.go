package layout

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// Synced reports whether the new text of a spec of what exists follows from the old one and the
// deltas of OpenSpec's work that is archived, as `openspec archive` merges them: each requirement
// is as it was, or as a delta adds, modifies or renames it; those that are gone a delta removes or
// renames; what deltas add is there; and nothing else has changed. Headings tell nothing; what
// stands around the requirements of a spec that is new, or whose purpose was yet to be written, may
// say anything but a demand.
func Synced(before, after, deltas string) bool {
	was, is, delta := partsOf(before), partsOf(after), partsOf(deltas)
	for _, m := range renamed.FindAllStringSubmatch(delta.rest, -1) {
		if bodies, there := was.added[m[1]]; there {
			delete(was.added, m[1])
			was.added[m[2]] = bodies
		}
	}
	for title, bodies := range is.added {
		body, told := strings.Join(bodies, ""), delta.added[title]
		allowed := append(slices.Clone(told), strings.Join(told, ""))
		if old, there := was.added[title]; there && len(told) == 0 {
			allowed = []string{strings.Join(old, "")}
		} else if len(told) == 0 {
			return false
		}
		if !slices.Contains(allowed, body) {
			return false
		}
	}
	for title := range was.added {
		if _, kept := is.added[title]; !kept && !delta.removed[title] {
			return false
		}
	}
	for title := range delta.added {
		if _, there := is.added[title]; !there {
			return false
		}
	}
	isOpen := before == "" && len(is.added) > 0 || strings.HasPrefix(was.rest, "TBD")
	return is.rest == was.rest || isOpen && !demands.MatchString(is.rest)
}

var (
	renamed = lazyregexp.New("FROM: `### ([^`\n]+)`\n(?:[-*] )?TO: `### ([^`\n]+)`")
	demands = lazyregexp.New(`\b(?:SHALL|MUST|SHOULD|MAY)\b`)
)

// specParts are the requirements of a spec by their titles, without empty lines and indents; those
// that a delta removes; and what else stands around them but for headings.
type specParts struct {
	added   map[string][]string // what is said under a title, each time that it stands there
	removed map[string]bool
	rest    string
}

// partsOf cuts a spec or a delta into its requirements by title, with those that it removes. Fenced
// text belongs to none.
func partsOf(text string) specParts {
	out := specParts{added: map[string][]string{}, removed: map[string]bool{}}
	title, fenced, removes := "", false, false
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		isHeading := !fenced && (strings.HasPrefix(l, "# ") || strings.HasPrefix(l, "## "))
		switch {
		case strings.HasPrefix(l, "```"):
			fenced = !fenced
		case !fenced && strings.HasPrefix(l, "### "):
			title = strings.TrimSpace(l[4:])
			if removes {
				out.removed[title] = true
			} else {
				out.added[title] = append(out.added[title], "")
			}
			continue
		case isHeading:
			title, removes = "", strings.HasPrefix(l, "## REMOVED")
			continue
		}
		switch bodies := out.added[title]; {
		case l == "":
		case title == "":
			out.rest += l + "\n"
		case !removes:
			bodies[len(bodies)-1] += l + "\n"
		}
	}
	return out
}

package layout

import (
	"regexp"
	"slices"
	"strings"
)

// Synced reports whether the new text of a spec of what exists follows from the old one and the
// deltas of OpenSpec's work that is archived, as `openspec archive` merges them: each requirement
// is as it was, or as a delta adds, modifies or renames it; those that are gone a delta removes or
// renames; what deltas add is there; and nothing else has changed. Headings tell nothing; a purpose
// that was yet to be written, and what else a spec begins with that is new, may say anything but a
// demand.
func Synced(before, after, deltas string) bool {
	was, is, delta := partsOf(before).whole(), partsOf(after).whole(), partsOf(deltas)
	for _, m := range renamed.FindAllStringSubmatch(delta.rest, -1) {
		if body, there := was.added[m[1]]; there {
			delete(was.added, m[1])
			was.added[m[2]] = body
		}
	}
	for title, body := range is.added {
		old, there := was.added[title]
		told, set := delta.added[title]
		others := delta.others[title]
		isTold := set &&
			(body == told || slices.Contains(others, body) || body == strings.Join(others, "")+told)
		if !isTold && (set || !there || body != old) {
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
	if is.rest != was.rest && (before != "" || len(is.added) == 0) ||
		is.purpose != was.purpose && was.purpose != "" && !strings.HasPrefix(was.purpose, "TBD") {
		return false
	}
	return is.rest == was.rest && is.purpose == was.purpose ||
		!demands.MatchString(is.rest+is.purpose)
}

var (
	renamed = regexp.MustCompile("FROM: `### ([^`\n]+)`\n(?:[-*] )?TO: `### ([^`\n]+)`")
	demands = regexp.MustCompile(`\b(?:SHALL|MUST|SHOULD|MAY)\b`)
)

// specParts are the requirements of a spec by their titles, without empty lines and indents; those
// that a delta removes; the purpose; and what else stands around them but for headings.
type specParts struct {
	added         map[string]string
	others        map[string][]string // what else is said under a title that stands there again
	removed       map[string]bool
	purpose, rest string
}

// whole takes requirements of one title for one.
func (p specParts) whole() specParts {
	for title, bodies := range p.others {
		p.added[title] = strings.Join(bodies, "") + p.added[title]
	}
	return p
}

// partsOf cuts a spec or a delta into its requirements by title, with those that it removes. Fenced
// text belongs to none.
func partsOf(text string) specParts {
	out := specParts{
		added:   map[string]string{},
		others:  map[string][]string{},
		removed: map[string]bool{},
	}
	title, fenced, removes, purpose := "", false, false, false
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "```"):
			fenced = !fenced
		case fenced:
		case strings.HasPrefix(l, "### "):
			title, purpose = strings.TrimSpace(l[4:]), false
			if l = ""; removes {
				out.removed[title] = true
			} else {
				if body, again := out.added[title]; again {
					out.others[title] = append(out.others[title], body)
				}
				out.added[title] = ""
			}
		case strings.HasPrefix(l, "## ") || strings.HasPrefix(l, "# "):
			title, removes, purpose = "", strings.HasPrefix(l, "## REMOVED"), l == "## Purpose"
			l = ""
		}
		switch {
		case l == "":
		case purpose:
			out.purpose += l + "\n"
		case title == "":
			out.rest += l + "\n"
		case !removes:
			out.added[title] += l + "\n"
		}
	}
	return out
}

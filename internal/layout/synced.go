package layout

import (
	"regexp"
	"strings"
)

// Synced reports whether the new text of a spec of what exists follows from the old one
// and the deltas of OpenSpec's work that is archived, as `openspec archive` merges them:
// each requirement is as it was, or as a delta adds, modifies or renames it; those that are
// gone a delta removes or renames; what deltas add is there; and nothing else has changed.
// Of a spec that is new the purpose may say anything but a demand.
func Synced(before, after, deltas string) bool {
	was, is, delta := partsOf(before), partsOf(after), partsOf(deltas)
	for _, m := range renamed.FindAllStringSubmatch(delta.rest, -1) {
		if body, there := was.added[m[1]]; there {
			delete(was.added, m[1])
			was.added[m[2]] = body
		}
	}
	for title, body := range is.added {
		old, there := was.added[title]
		if told, set := delta.added[title]; set && body != told || !set && (!there || body != old) {
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
	return is.rest == was.rest || before == "" && len(is.added) > 0 && !demands.MatchString(is.rest)
}

var (
	renamed = regexp.MustCompile("FROM: `### ([^`\n]+)`\n(?:[-*] )?TO: `### ([^`\n]+)`")
	demands = regexp.MustCompile(`\b(?:SHALL|MUST|SHOULD|MAY)\b`)
)

// specParts are the requirements of a spec by their titles, without empty lines and
// indents; those that a delta removes; and what stands around them.
type specParts struct {
	added   map[string]string
	removed map[string]bool
	rest    string
}

func partsOf(text string) specParts {
	out := specParts{added: map[string]string{}, removed: map[string]bool{}}
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

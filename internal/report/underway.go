package report

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// UnderWay is the sticky comment while the run is on: a note with the list of its reviews above
// what stands there.
func (r Report) UnderWay(former string, reviews []string) string {
	const shown = 50
	lead, rest := r.Marker()+"\n", ""
	if strings.HasPrefix(former, lead) {
		lead = firstLines.FindString(former)
		rest = strings.TrimSpace(strings.TrimPrefix(noteUnderWay.ReplaceAllString(former, ""), lead))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s<!-- workflow-reviewer:under-way %s -->\n## ⏳ Review under way\n\n", lead, short(r.Head))
	fmt.Fprintf(&b, "%s of %s", workflow.Count(len(reviews), "review"), short(r.Head))
	if r.RunURL != "" {
		fmt.Fprintf(&b, " in this [run](%s)", r.RunURL)
	}
	b.WriteString("; the verdict follows here.\n\n")
	for _, name := range reviews[:min(len(reviews), shown)] {
		b.WriteString("- " + markdown.Inline(markdown.Clip(name, 200)) + "\n")
	}
	if n := len(reviews) - shown; n > 0 {
		fmt.Fprintf(&b, "- … and %d more\n", n)
	}
	if rest != "" {
		b.WriteString("\nWhat follows is about an earlier head.\n")
	}
	b.WriteString("<!-- workflow-reviewer:end -->\n\n")
	return b.String() + markdown.Cut(rest, maxComment-b.Len(), cutNote)
}

// NoLongerUnderWay is the sticky comment of a run that was cancelled without its own note, "" if
// there is none.
func (r Report) NoLongerUnderWay(former string) string {
	m := noteUnderWay.FindStringSubmatch(former)
	if m == nil || m[1] != short(r.Head) {
		return ""
	}
	if rest := noteUnderWay.ReplaceAllString(former, ""); strings.TrimSpace(firstLines.ReplaceAllString(rest, "")) != "" {
		return rest
	}
	return r.Comment(former)
}

var (
	firstLines   = lazyregexp.New(`^<!-- workflow-reviewer[^\n]* -->\n(?:<!-- workflow-reviewer:verdict [^\n]* -->\n)?`)
	noteUnderWay = lazyregexp.New(`(?s)<!-- workflow-reviewer:under-way ([0-9a-f]*) -->\n.*?<!-- workflow-reviewer:end -->\n*`)
)

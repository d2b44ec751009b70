package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Marker is the first line of the sticky comment, by which it is found again. One about a part of
// the change, or under another config, has a line of its own.
const Marker = "<!-- workflow-reviewer -->"

// Marker is the first line of the run's sticky comment.
func (r Report) Marker() string {
	if r.View == "" {
		return Marker
	}
	return "<!-- workflow-reviewer:scope " + r.View + " -->"
}

// Comment is the sticky comment, at most 65,536 bytes. former is what stands there now, "" for
// nothing: that it approved another head is said where this run came to no verdict. "" means that
// there is nothing to say: no artifact was touched, no file is warned of, and no comment stands
// there.
func (r Report) Comment(former string) string {
	warned := slices.ContainsFunc(r.Notices,
		func(n workflow.Finding) bool { return n.Warns() && n.File != "" })
	if r.Decision == workflow.None && former == "" && !warned {
		return ""
	}
	head, approved := cmp.Or(short(r.Head), "–"), approvedHead(former)
	state := cmp.Or(approved, "–")
	if r.Decision == workflow.Approved {
		state = head
	}
	state = fmt.Sprintf("<!-- workflow-reviewer:verdict %s %s approved %s -->\n",
		r.Decision, head, state)
	lead := r.Marker() + "\n" + state
	return lead + r.whole(maxComment-len(lead), func(d *document) {
		if r.Decision == workflow.Error && approved != "" {
			d.add(
				"the earlier approval",
				"An earlier approval was for "+short(approved)+" and says nothing of this head.",
			)
		}
		r.addPrompts(d)
		r.addLedgers(d)
		d.sections(r.asides())
	})
}

var verdictLine = lazyregexp.New(
	`^<!-- workflow-reviewer(?::scope [0-9a-f]{32})? -->\n` +
		`<!-- workflow-reviewer:verdict [A-Z-]+ \S+ approved ([0-9a-f]{7,40}) -->\n`,
)

// approvedHead is the commit that the latest approval was for, by a comment of this program; "" if
// there was none.
func approvedHead(comment string) string {
	if m := verdictLine.FindStringSubmatch(comment); m != nil {
		return m[1]
	}
	return ""
}

// addPrompts offers the findings to whoever fixes them, as text alone: nothing in
// the block is markup but its end, which no text can hold.
func (r Report) addPrompts(d *document) {
	asText := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	const name, each = "the prompt to fix it", 100 // bytes of a review, at the least
	switch todo := r.refused(); {
	case len(todo)*each > d.room():
		d.left = append(d.left, name)
	case len(todo) > 0:
		d.add(name, fold("Findings as a prompt for your agent",
			"<pre>\n"+asText.Replace(strings.TrimSpace(r.prompt(todo, false)))+"\n</pre>"))
	}
}

// UnderWay is the sticky comment while the run is on: a note with the list of its reviews above
// what stands there.
func (r Report) UnderWay(former string, reviews []string) string {
	lead, rest := r.Marker()+"\n", ""
	if strings.HasPrefix(former, lead) {
		lead = firstLines.FindString(former)
		rest = strings.TrimSpace(noteUnderWay.ReplaceAllString(former[len(lead):], ""))
	}
	note := lead + fill("under-way", struct {
		Report
		Reviews []string
		Rest    string
	}{r, reviews, rest}) + "\n\n"
	return note + markdown.Cut(rest, maxComment-len(note), cutNote)
}

// NoLongerUnderWay is the sticky comment of a run that was cancelled without its own note, "" if
// there is none.
func (r Report) NoLongerUnderWay(former string) string {
	lead := firstLines.FindString(former)
	rest := former[len(lead):]
	m := noteUnderWay.FindStringSubmatch(rest)
	if m == nil || m[1] != short(r.Head) {
		return ""
	}
	if rest = rest[len(m[0]):]; strings.TrimSpace(rest) != "" {
		return lead + rest
	}
	return r.Comment(former)
}

var (
	firstLines = lazyregexp.New(
		`^<!-- workflow-reviewer[^\n]* -->\n(?:<!-- workflow-reviewer:verdict [^\n]* -->\n)?`)
	// Further down it is somebody's text.
	noteUnderWay = lazyregexp.New(
		`(?s)^<!-- workflow-reviewer:under-way ([0-9a-f]*) -->\n.*?<!-- workflow-reviewer:end -->\n*`,
	)
)

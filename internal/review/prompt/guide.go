package prompt

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
)

// OwnGuide is added where the role or the criteria are the repository's own.
const OwnGuide = "The role and the criteria above may be written for somebody who runs commands, moves files and saves a report. " +
	"You do none of that, and the form of your answer is the one below. Where they have severities of other names: what must be " +
	"resolved before a merge is High, what should be is Medium, all else is Low."

// fitGuide is a repository's own role or criteria without front matter, and with a fence closed
// that it leaves open.
func fitGuide(text string) string {
	text = strings.TrimSpace(withoutFrontMatter(text)) + "\n"
	if fence := foreign.OpenFence(text); fence != "" {
		text += fence + "\n"
	}
	return text
}

// withoutFrontMatter drops YAML front matter, if the text begins with some.
func withoutFrontMatter(text string) string {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return text
	}
	if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
		return after
	}
	return text
}

// MaxCriteria is how many criteria a review grades.
const MaxCriteria = 40

// CriteriaNames are the headings under which a set of criteria lists them: those below a heading
// such as «Quality standards», else those of the second level, or of the third where there is but
// one of these. A text without such a list is one criterion.
func CriteriaNames(schema string) []string {
	list := sections(schema)
	var below, second, third []string
	within := 0 // level of the heading that announces criteria, 0 outside
	for _, s := range list {
		if s.level <= within {
			within = 0
		}
		name := markdown.Line(headingNumber.ReplaceAllString(s.Title, ""), 80)
		switch {
		case aboutItself.MatchString(name):
		case within > 0 && s.level == within+1:
			below = append(below, name)
		case within == 0 && s.level > 1 && announcesCriteria.MatchString(name):
			within = s.level
		case s.level == 2:
			second = append(second, name)
		case s.level == 3:
			third = append(third, name)
		}
	}
	for _, names := range [][]string{below, second, third} {
		if len(names) > 1 {
			return names[:min(len(names), MaxCriteria)]
		}
	}
	return append(slices.Concat(below, second, third), "Criteria")[:1]
}

var (
	headingNumber     = lazyregexp.New(`^(?:\d+(?:\.\d+)*[.)]\s+|(?i:section|criterion)\s+\d+\s*[:.–-]\s*)`)
	announcesCriteria = lazyregexp.New(
		`(?i)^criteria$|\b(?:quality (?:standards?|criteria)|(?:review|evaluation) (?:criteria|` +
			`principles)|validation rules|checklist)\b`,
	)
	// aboutItself names a section that is about the document, not about what it judges.
	aboutItself = lazyregexp.New(
		`(?i)^(?:purpose|overview|introduction|summary|document (?:type|role|structure|metadata|evolution|` +
			`control)|required structure|section ordering|metadata|related \w+|references|version control|version history|change control|` +
			`usage(?: notes)?|downstream usage|integration with|lifecycle|(?:complete )?examples?\b|anti-patterns|common (?:issues|` +
			`patterns)|language-specific|collaboration|inputs?|process$|when to)`,
	)
)

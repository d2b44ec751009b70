package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
)

var (
	// chore names a section that tells a person or an agent what to run, to write,
	// or in which form: a reviewer here has read-only tools and a schema.
	chore = lazyregexp.New(`(?i)\b(?:(?:output|report|review|response|message|file) (?:formats?|templates?|structure|naming|names?|` +
		`locations?)|templates?|deliverables?|hand-?offs?|git (?:workflow|commands?)|commands?|tools?|tooling|invocation|` +
		`message (?:types|bus)|communication|saving|commits?|(?:after|once) (?:the )?(?:review|approval)|next steps|outputs?$|` +
		`gatekeeper actions|integration with workflow|examples?: (?:approved|needs[- ]changes|rejected)|state transitions?|` +
		`moving (?:files|specs))\b`)
	// errand is a line that tells the reader to run, write or move something.
	errand = lazyregexp.New(`(?i)^\s*(?:[-*+]|\d+[.)])?\s*(?:\[[ x]\]\s*)?(?:\*\*)?(?:then |next,? |finally,? |always |` +
		`you (?:must|should) )?(?:run|execute|invoke|write|create|save|move|rename|commit|push|update|append|send|post|open|git|` +
		`checkout|install)\b`)
	errandWhat = lazyregexp.New("(?i)`[^`]*(?:[/ ]|\\.\\w)[^`]*`|\\b(?:reviews?|specs|todo|doing|done|bugs)/|\\b(?:filenames?|git|" +
		"pytest|npm|make|files?|folders?|director(?:y|ies)|branch|commits?|test suite|the tests|commands?|review document|pull request)\\b")
	commandInfo = lazyregexp.New(`(?i)^(?:bash|sh|shell|zsh|console|terminal|powershell|pwsh|cmd|bat)$`)
	commandLine = lazyregexp.New(`^\s*(?:\$ |(?:git|npm|npx|pnpm|yarn|pytest|python3?|pip|go|cargo|make|cd|mv|cp|mkdir|ls|cat|grep|` +
		`rg|gh|docker)\s)`)
	// otherSeverities are words for severities beside High, Medium and Low.
	graveWord       = lazyregexp.New(`^(?:critical|block|severe|major|must)`)
	otherSeverities = lazyregexp.New(`\b(?i:(critical|blockers?|blocking|severe|major|must[- ]fix|moderate|should[- ]fix|minor|` +
		`trivial|nits?|nitpicks?|info|informational|suggestions?|optional))\b\s*(?:\*\*|\)|\]|:|\||/|[–—-]\s|issues?\b|findings?\b|` +
		`severity\b)`)
)

// fitGuide makes a repository's own role or criteria fit for a reviewer without a shell: front matter, blocks of
// commands, output templates and instructions to run or write something go.
func fitGuide(text string) string {
	text = withoutFrontMatter(text)
	var b strings.Builder
	dropped := 0 // level of the section that is left out, 0 for none
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if fence := fenceAt(l); fence != "" {
			end := i + 1
			for end < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[end]), fence) {
				end++
			}
			if end == len(lines) {
				lines = append(lines, fence) // left open: it would swallow what follows
			}
			if dropped == 0 && !commands(lines[i:end]) {
				b.WriteString(strings.Join(lines[i:end+1], "\n") + "\n")
			}
			i = end
			continue
		}
		if level := headingLevel(l); level > 0 {
			if dropped == 0 || level <= dropped {
				dropped = 0
				if chore.MatchString(l) && level > 1 {
					dropped = level
				}
			}
		}
		if dropped == 0 && !(errand.MatchString(l) && errandWhat.MatchString(l)) {
			b.WriteString(l + "\n")
		}
	}
	return strings.TrimSpace(manyBlank.ReplaceAllString(b.String(), "\n\n")) + "\n"
}

var manyBlank = lazyregexp.New(`\n{3,}`)

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

// fenceAt is the fence that a line opens, "" for none.
func fenceAt(l string) string {
	t := strings.TrimSpace(l)
	for _, c := range []string{"`", "~"} {
		if n := len(t) - len(strings.TrimLeft(t, c)); n >= 3 {
			return t[:n]
		}
	}
	return ""
}

// commands reports whether a fenced block, from its first line on, holds
// commands.
func commands(block []string) bool {
	info := strings.TrimLeft(strings.TrimSpace(block[0]), "`~")
	return commandInfo.MatchString(strings.TrimSpace(info)) || info == "" && len(block) > 1 && commandLine.MatchString(block[1])
}

// headingLevel is the level of a heading with number signs, 0 for another line.
func headingLevel(l string) int {
	n := len(l) - len(strings.TrimLeft(l, "#"))
	if n > 6 || n == len(l) || n > 0 && l[n] != ' ' {
		return 0
	}
	return n
}

// translated says how a repository's own words for severities are to be answered; "" for the built-in texts.
func translated(role, schema string) string {
	said := map[string][]string{}
	for _, m := range otherSeverities.FindAllStringSubmatch(role+"\n"+schema, 200) {
		severity := "Low"
		switch word := strings.ToLower(m[1]); {
		case graveWord.MatchString(word):
			severity = "High"
		case strings.HasPrefix(word, "mo"), strings.HasPrefix(word, "should"):
			severity = "Medium"
		}
		if word := strings.ToLower(m[1]); !slices.Contains(said[severity], word) {
			said[severity] = append(said[severity], word)
		}
	}
	var out []string
	for _, severity := range []string{"High", "Medium", "Low"} {
		if words := said[severity]; words != nil {
			out = append(out, fmt.Sprintf("What the text above calls %s has the severity %s in your answer.",
				strings.Join(words, ", "), severity))
		}
	}
	return strings.Join(out, "\n")
}

// criteriaNames are the headings under which a set of criteria lists them: those below a heading such as «Quality
// standards», else those of the second level, or of the third where there is but one of these. A text without such a
// list is one criterion.
func criteriaNames(schema string) []string {
	list := sections(schema)
	var below, second, third []string
	within := 0 // level of the heading that announces criteria, 0 outside
	for _, s := range list {
		if s.level <= within {
			within = 0
		}
		name := line(headingNumber.ReplaceAllString(s.title, ""), 80)
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
			return names[:min(len(names), maxCriteria)]
		}
	}
	return append(slices.Concat(below, second, third), "Criteria")[:1]
}

var (
	headingNumber     = lazyregexp.New(`^(?:\d+(?:\.\d+)*[.)]\s+|(?i:section|criterion)\s+\d+\s*[:.–-]\s*)`)
	announcesCriteria = lazyregexp.New(`(?i)^criteria$|\b(?:quality (?:standards?|criteria)|(?:review|evaluation) (?:criteria|` +
		`principles)|validation rules|checklist)\b`)
	// aboutItself names a section that is about the document, not about what it judges.
	aboutItself = lazyregexp.New(`(?i)^(?:purpose|overview|introduction|summary|document (?:type|role|structure|metadata|evolution|` +
		`control)|required structure|section ordering|metadata|related \w+|references|version control|version history|change control|` +
		`usage(?: notes)?|downstream usage|integration with|lifecycle|(?:complete )?examples?\b|anti-patterns|common (?:issues|` +
		`patterns)|language-specific|collaboration|inputs?|process$|when to)`)
)

// openFence is the fence that a text leaves open, "" for none.
func openFence(text string) string {
	fence := ""
	for l := range strings.Lines(text) {
		switch at := fenceAt(l); {
		case fence == "":
			fence = at
		case strings.HasPrefix(at, fence) && strings.Trim(strings.TrimSpace(l), fence[:1]) == "":
			fence = ""
		}
	}
	return fence
}

// cutAt shortens a document to at most limit characters before a heading, else between paragraphs, else between lines.
// Fences that the cut leaves open are closed, and the cut says so.
func cutAt(text string, limit int) (out string, whole bool) {
	total := utf8.RuneCountInString(text)
	if total <= limit {
		return text, true
	}
	kept := text[:offset(text, max(limit, 0))]
	for _, border := range []string{"\n#", "\n\n", "\n"} {
		if i := strings.LastIndex(kept, border); i > len(kept)/2 {
			kept = kept[:i+1]
			break
		}
	}
	shown, lines := utf8.RuneCountInString(kept), strings.Count(kept, "\n")
	if fence := openFence(kept); fence != "" {
		kept = strings.TrimRight(kept, "\n") + "\n" + fence + "\n"
	}
	return fmt.Sprintf("%s\n[… cut here: %d of %d characters are not shown, from line %d on]", strings.TrimRight(kept, "\n"),
		total-shown, total, lines+1), false
}

package markdown

import (
	"bytes"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// prepare makes a text safe and honest to parse, line by line so that numbers stay: front matter is
// blanked, runs of nesting are cut, and fences inside of a Markdown example stay inside of it.
func prepare(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	lines := strings.Split(string(data), "\n")
	blankFrontMatter(lines)
	var fence exampleFence
	for i, line := range lines {
		lines[i] = fence.line(flatten(line))
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// blankFrontMatter empties the lines of YAML front matter, which ends within 200 lines or is none.
// Numbers of lines stay.
func blankFrontMatter(lines []string) {
	if strings.TrimRight(lines[0], " ") != "---" {
		return
	}
	for i := 1; i < len(lines) && i < 200; i++ {
		if end := strings.TrimRight(lines[i], " "); end == "---" || end == "..." {
			for j := range i + 1 {
				lines[j] = ""
			}
			return
		}
	}
}

// flatten takes the markup off a line that nests deeper than any writer does.
func flatten(line string) string {
	marks, wide := 0, 0
	for _, r := range line {
		switch {
		case r == ' ' || r == '\t':
			wide++
		case strings.ContainsRune(">-*+.)0123456789", r):
			marks++
		default:
			if marks > maxNesting || wide > 6*maxNesting {
				return "(nested too deep) " + strings.TrimLeft(line, " \t>-*+.)0123456789")
			}
			return line
		}
	}
	if wide > 6*maxNesting || marks > maxNesting && strings.ContainsAny(line, ">+") {
		return ""
	}
	if marks > maxNesting && strings.Contains(strings.TrimSpace(line), " ") {
		return "---" // a rule, or a list of lists that holds nothing
	}
	return line
}

// exampleFence follows the fences of a Markdown example: ```markdown with labelled fences inside,
// which Markdown itself would end at the first of the inner ends.
type exampleFence struct {
	mark  string // of the fence that is open, "" outside
	depth int    // of labelled fences in an example; 0 in any other fence
}

var (
	labelledFence = lazyregexp.New("^ {0,3}(`{3,}|~{3,})[ \t]*([\\w+-]*)")
	markdownInfo  = lazyregexp.New(`^(?i:markdown|md)$`)
)

// line hides fences within an example of Markdown, which the parser would take for its end. It
// returns the line as the parser is to see it.
func (f *exampleFence) line(line string) string {
	m := labelledFence.FindStringSubmatch(line)
	switch {
	case m == nil:
	case f.mark == "":
		f.mark = m[1]
		if markdownInfo.MatchString(m[2]) {
			f.depth = 1
		}
	case m[1][0] != f.mark[0] || len(m[1]) < len(f.mark):
	case m[2] != "" && f.depth > 0:
		f.depth++
		return strings.Replace(line, m[1], "(fence) ", 1)
	case m[2] == "" && f.depth > 1:
		f.depth--
		return "(fence)"
	case m[2] == "":
		*f = exampleFence{}
	}
	return line
}

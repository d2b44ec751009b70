package markdown

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// Block is foreign Markdown as blocks of a document: paragraphs, lists, bold within a line, code
// spans and fenced code stay, everything else is shown as it was typed. The result has no trailing
// newline and leaves nothing open. Fences become fences of our own, which what they hold cannot
// end, and no line begins with a label.
func Block(s string) string {
	lines := strings.Split(strings.TrimSpace(Clean(s)), "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		if n, info := opensFence(lines[i]); n != "" {
			end := closing(lines, i+1, n)
			out = append(out, "", Fence(strings.Join(lines[i+1:end], "\n"), info), "")
			i = end
			continue
		}
		out = append(out, line(lines[i]))
	}
	return strings.Trim(blankRuns.ReplaceAllString(strings.Join(out, "\n"), "\n\n"), "\n")
}

var blankRuns = lazyregexp.New(`\n{3,}`)

// Fence is text as a fenced code block, with a fence longer than any run of backticks in it. lang
// is a language's name; one that GitHub would draw or run instead of showing is dropped.
func Fence(text, lang string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	switch lang = strings.ToLower(lang); lang {
	case "mermaid", "geojson", "topojson", "stl", "math", "suggestion":
		lang = ""
	}
	if !language.MatchString(lang) {
		lang = ""
	}
	return fence + lang + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

var (
	language  = lazyregexp.New(`^[a-z0-9+#-]{1,20}$`)
	fenceOpen = lazyregexp.New(
		"^\\s*(?:[-*+]\\s+|\\d{1,9}[.)]\\s+)?(`{3,}|~{3,})\\s*([^`\\s]*)[^`]*$",
	)
)

// opensFence is the mark and the info string of a line that opens a fence, "" if it opens none.
func opensFence(l string) (fence, info string) {
	if !strings.Contains(l, "```") && !strings.Contains(l, "~~~") {
		return "", ""
	}
	m := fenceOpen.FindStringSubmatch(l)
	if m == nil {
		return "", ""
	}
	return m[1], m[2]
}

// OwnWords is a document without its fenced code and quotations: what its author says.
func OwnWords(s string) string {
	lines := strings.Split(s, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		if n, _ := opensFence(lines[i]); n != "" {
			i = closing(lines, i+1, n)
			continue
		}
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), ">") {
			out = append(out, lines[i])
		}
	}
	return strings.Join(out, "\n")
}

// closing returns the index of the line that closes the fence, or of the end.
func closing(lines []string, from int, fence string) int {
	for i := from; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		if len(t) >= len(fence) && strings.Trim(t, fence[:1]) == "" {
			return i
		}
	}
	return len(lines)
}

var (
	// container matches what may stand before a block's first character.
	container = lazyregexp.New(`^(?:\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)|\s*>)*\s*`)
	// ruler is a line that could underline a heading, divide a table, or draw a rule.
	ruler = lazyregexp.New(`^[-=*_+:|>\s]+$`)
	punct = lazyregexp.New(`[-=*_+:|]`)
	// label is bold or emphasis that begins a line: «**Verdict:** …» is how our own documents state
	// something.
	label = lazyregexp.New(`^\*+([^*]+)\*+`)
)

// line is a line of Markdown without a label.
func line(l string) string {
	trimmed := strings.TrimSpace(l)
	if trimmed == "" {
		return ""
	}
	if !strings.ContainsRune("-=*_+:|>#0123456789", rune(trimmed[0])) {
		return inline(strings.ReplaceAll(l, "\t", "    "), false)
	}
	if ruler.MatchString(l) {
		return strings.ReplaceAll(punct.ReplaceAllString(l, `\$0`), ">", "&gt;")
	}
	prefix := container.FindString(l)
	rest := l[len(prefix):]
	if prefix = strings.ReplaceAll(prefix, "\t", "    "); strings.HasPrefix(rest, "#") {
		return prefix + `\#` + inline(rest[1:], false)
	}
	return prefix + inline(label.ReplaceAllString(rest, "$1"), false)
}

package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
)

// Inline is foreign text as part of a line: every character that means
// something to Markdown is escaped, code spans stay. It never spans lines.
func Inline(s string) string { return inline(Line(s, 0), true) }

// Cell is Inline for a cell of a table.
func Cell(s string) string { return inCell(Inline(s)) }

// Code is s as a code span on one line. Empty text is an empty string.
func Code(s string) string { return codeSpan(Line(s, 0)) }

// CodeCell is Code for a cell of a table.
func CodeCell(s string) string { return inCell(Code(s)) }

// inCell escapes the pipes that stand in code spans: they would end the cell. Outside of code every
// pipe has its backslash already. A pipe in code behind a backslash cannot be escaped and is
// replaced by a look-alike.
func inCell(s string) string {
	var b strings.Builder
	for rest := s; rest != ""; {
		if n := run(rest); n > 0 {
			end := closingRun(rest, n)
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(rest[:end], `\|`, `\¦`), "|", `\|`))
			rest = rest[end:]
			continue
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return b.String()
}

// codeSpan puts a text into more backticks than any run in it. An empty text stays empty.
func codeSpan(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// token matches what GitHub would turn into something active although no Markdown
// character is in it: addresses, mentions, references to issues.
var token = lazyregexp.New(
	`(?i)^(?:(?:https?|ftp)://[^\s<>"'` + "`" + `]+|(?:www\.|mailto:|xmpp:)[^\s<>"'` + "`" +
		`]+|@[\w./-]+|[\w.-]+/[\w.-]+#\d+|#\d+|GH-\d+)`,
)

// mayHoldToken spares most lines the search for tokens.
func mayHoldToken(s string) bool {
	if strings.ContainsAny(s, "@#") || strings.Contains(s, "://") {
		return true
	}
	s = strings.ToLower(s)
	return strings.Contains(s, "www.") || strings.Contains(s, "mailto:") ||
		strings.Contains(s, "xmpp:") ||
		strings.Contains(s, "gh-")
}

// inline escapes one line. strict also takes bold and emphasis away.
func inline(s string, strict bool) string {
	var b strings.Builder
	active := mayHoldToken(s)
	before := ' ' // the character before position i
	for i := 0; i < len(s); {
		if s[i] == '`' {
			text, size := span(s[i:])
			b.WriteString(text)
			i, before = i+size, '`'
			continue
		}
		if active && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			if m := strings.TrimRight(token.FindString(s[i:]), ".,;:!?)"); m != "" && m != "@" {
				b.WriteString(codeSpan(m))
				i, before = i+len(m), '`'
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		b.WriteString(escape(r, before, next, strict))
		i, before = i+size, r
	}
	return b.String()
}

// span reads a run of backticks and, if it is closed on this line, the code
// span it opens. A run that opens nothing is spelt so that it never can.
func span(s string) (text string, size int) {
	n := run(s)
	end := closingRun(s, n)
	if inner := strings.TrimSpace(s[n:max(n, end-n)]); inner != "" {
		return codeSpan(inner), end
	}
	return strings.Repeat("&#96;", n), n
}

// run counts the backticks at the start of s.
func run(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// closingRun returns where the code span ends that the n backticks at the start of s open, or n if
// none closes it.
func closingRun(s string, n int) int {
	for at := n; at < len(s); {
		open := strings.IndexByte(s[at:], '`')
		if open < 0 {
			break
		}
		size := run(s[at+open:])
		at += open + size
		if size == n {
			return at
		}
	}
	return n
}

// escape is a character as it may stand in a line of ours. Strict also takes what only some places
// give a meaning. The characters around it decide about underscores.
func escape(r, before, next rune, strict bool) string {
	switch r {
	case '<':
		return "&lt;"
	case '&':
		return "&amp;"
	case '\\', '[', ']', '|', '~', '$':
		return `\` + string(r)
	case '@': // a mention may follow a character that is no letter to GitHub
		return "@\u200b"
	case '*':
		if strict {
			return `\*`
		}
	case '_':
		if !word(before) || !word(next) {
			return `\_`
		}
	}
	return string(r)
}

func word(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// longestRun is the length of the longest run of a byte.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] == c {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// Package markdown puts foreign text into Markdown documents for GitHub without letting it act: no
// raw HTML, images, links, headings, mentions or references to issues, and no way out of the place
// where it was put. What stays is what helps a reader: paragraphs, lists, bold, code.
package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Clean makes hostile bytes harmless to look at: valid UTF-8, line feeds only,
// control and text-direction characters spelt out ("\x1b", "U+202E").
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.TrimPrefix(strings.ReplaceAll(s, "\r\n", "\n"), "\uFEFF")
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}

// Visible reports whether s holds nothing that Clean would change.
func Visible(s string) bool { return utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) }

// hidden reports characters that a reader does not see or that change how others are shown: C0 and
// C1 controls, direction marks and overrides, what has no width, invisible tags. Joiners that
// scripts and emoji need are not among them.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c || r == 0x200b || r == 0x200e || r == 0x200f || r == 0xfeff:
		return true
	case r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f:
		return true
	}
	return r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe0fff
}

// Line is s on one line, cleaned, at most limit bytes (0 = any length).
func Line(s string, limit int) string {
	return Clip(strings.Join(strings.Fields(Clean(s)), " "), limit)
}

// Clip cuts s to at most limit bytes at a character's border and marks the cut with "…". limit 0
// means any length.
func Clip(s string, limit int) string {
	const mark = "…"
	if limit <= 0 || len(s) <= limit {
		return s
	}
	n := limit - len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if n <= 0 {
		return ""
	}
	return strings.TrimRight(s[:n], " ") + mark
}

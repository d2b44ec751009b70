package github

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// cut shortens Markdown to at most limit units of size (bytes or characters), at a line's end where
// possible, closes what the cut left open, and says that and how much is missing.
func cut(s string, limit int, size func(string) int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	total := size(s)
	if total <= limit {
		return s
	}
	const room = 200 // for the note and the closing of fences and details
	keep := prefix(s, max(limit-room, 0), size)
	if i := strings.LastIndexByte(keep, '\n'); i > len(keep)/2 {
		keep = keep[:i+1]
	}
	end := closing(keep)
	note := fmt.Sprintf("\n_Cut here: %d of %d characters are not shown. The whole report is in the run's files._\n",
		total-size(keep), total)
	if size(keep)+size(end)+size(note) > limit {
		return prefix(s, limit, size)
	}
	return keep + end + note
}

// byteCount and charCount are the units of GitHub's limits.
func byteCount(s string) int { return len(s) }
func charCount(s string) int { return utf8.RuneCountInString(s) }

// prefix is the longest start of s, in whole characters, within limit units.
func prefix(s string, limit int, size func(string) int) string {
	used := 0
	for i, r := range s {
		n := size(string(r))
		if used+n > limit {
			return s[:i]
		}
		used += n
	}
	return s
}

// closing is the Markdown that ends an open code fence and open details.
func closing(s string) string {
	fence, open := "", 0
	for line := range strings.SplitSeq(s, "\n") {
		t := strings.TrimSpace(line)
		run := t[:len(t)-len(strings.TrimLeft(t, "`"))]
		switch {
		case fence == "" && len(run) >= 3:
			fence = run
		case fence != "" && len(run) >= len(fence) && t == run:
			fence = ""
		case fence == "":
			open += strings.Count(t, "<details") - strings.Count(t, "</details>")
		}
	}
	var b strings.Builder
	if fence != "" {
		b.WriteString("\n" + prefix(fence, 60, byteCount) + "\n")
	}
	for range min(max(open, 0), 3) {
		b.WriteString("\n</details>\n")
	}
	return b.String()
}

// oneLine is foreign text fit for an error message: one line, no control characters, at most limit characters.
func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(visible(s)), " ")
	if charCount(s) > limit {
		return prefix(s, limit, charCount) + "…"
	}
	return s
}

// visible replaces control characters, except newline and tab, and the
// invisible characters that reorder text, by characters that can be seen.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return 0x2400 + r // ␀ to ␟
		case r == 0x7f:
			return 0x2421
		case r >= 0x80 && r < 0xa0, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff,
			r == 0x200b, r == 0x200e, r == 0x200f:
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

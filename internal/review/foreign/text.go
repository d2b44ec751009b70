// Package foreign makes texts of others fit for a request and a review: cut at a border, fenced, on
// one line.
package foreign

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/markdown"
)

// MaxBlock caps a text of several lines that is taken over, in characters.
const MaxBlock = 4_000

// InvalidBytes counts the bytes of a text that are no UTF-8.
func InvalidBytes(text string) int {
	bad := 0
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			bad++
		}
	}
	return bad
}

// Offset is the byte offset of the n-th character.
func Offset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// Fenced puts text into a code fence that nothing in it can end.
func Fenced(text string) string { return markdown.Fence(text, "text") + "\n" }

// Label writes a path, which is foreign text, into a heading or a sentence. A
// path that could be taken for something else is quoted.
func Label(path string) string {
	if markdown.Visible(path) && !strings.ContainsAny(path, "\n\t`\\\uFFFD") {
		return markdown.Clip(path, 400)
	}
	return strings.ReplaceAll(markdown.Clip(fmt.Sprintf("%+q", path), 400), "`", "'")
}

// HasWords reports whether a model's text has anything but signs and what nobody sees.
func HasWords(text string) bool { return strings.ContainsFunc(text, IsWord) }

// IsWord reports whether a character is a letter or a digit.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Block cleans and cuts a model's text that may have several lines.
func Block(text string) string {
	text = markdown.Clean(text)
	text, _ = Cut(strings.TrimSpace(text), MaxBlock)
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

// OpenFence is the fence that a text leaves open, "" for none.
func OpenFence(text string) string {
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

// Cut shortens a document to at most limit characters before a heading, else between paragraphs,
// else between lines, and says at its end how much is missing; whole reports whether nothing is.
// Fences that the cut leaves open are closed.
func Cut(text string, limit int) (out string, whole bool) {
	total := utf8.RuneCountInString(text)
	if total <= limit {
		return text, true
	}
	kept := text[:Offset(text, max(limit, 0))]
	for _, border := range []string{"\n#", "\n\n", "\n"} {
		if i := strings.LastIndex(kept, border); i > len(kept)/2 {
			kept = kept[:i+1]
			break
		}
	}
	shown, lines := utf8.RuneCountInString(kept), strings.Count(kept, "\n")
	if fence := OpenFence(kept); fence != "" {
		kept = strings.TrimRight(kept, "\n") + "\n" + fence + "\n"
	}
	return fmt.Sprintf(
		"%s\n[… cut here: %d of %d characters are not shown, from line %d on]",
		strings.TrimRight(kept, "\n"),
		total-shown,
		total,
		lines+1,
	), false
}

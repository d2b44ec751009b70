package review

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/markdown"
)

// invalidBytes counts the bytes of a text that are no UTF-8.
func invalidBytes(text string) int {
	bad := 0
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			bad++
		}
	}
	return bad
}

// cut shortens text to at most limit characters and says at its end how much
// is missing; whole reports whether nothing is.
func cut(text string, limit int) (out string, whole bool) {
	if len(text) <= limit {
		return text, true
	}
	total := utf8.RuneCountInString(text)
	if total <= limit {
		return text, true
	}
	end := offset(text, limit)
	return fmt.Sprintf("%s\n[… cut here: %d of %d characters are not shown]", text[:end], total-limit, total), false
}

// offset is the byte offset of the n-th character.
func offset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// fenced puts text into a code fence that nothing in it can end.
func fenced(text string) string { return markdown.Fence(text, "text") + "\n" }

// label writes a path, which is foreign text, into a heading or a sentence. A
// path that could be taken for something else is quoted.
func label(path string) string {
	if markdown.Visible(path) && !strings.ContainsAny(path, "\n\t`\\\uFFFD") {
		return markdown.Clip(path, 400)
	}
	return strings.ReplaceAll(markdown.Clip(fmt.Sprintf("%+q", path), 400), "`", "'")
}

// says reports whether a model's text has anything but signs and what nobody sees.
func says(text string) bool { return strings.ContainsFunc(text, isWord) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

package review

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes foreign text fit for a prompt: valid UTF-8, line feeds as the only line ends, and nothing that a person
// reading the prompt could not see. Control characters become their pictures, characters that reorder or hide text
// become their numbers, and bytes that are no UTF-8 become U+FFFD; bad counts those bytes.
func clean(text string) (out string, bad int) {
	if plain(text) {
		return text, 0
	}
	var b strings.Builder
	b.Grow(len(text))
	text = strings.TrimPrefix(text, "\ufeff")
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
			b.WriteRune(utf8.RuneError)
		case r == '\r' && strings.HasPrefix(text[i:], "\n"):
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		case hidden(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), bad
}

// plain reports whether a text is nothing but printable ASCII, as most code is.
func plain(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c > 0x7e || c < 0x20 && c != '\n' && c != '\t' })
}

// hidden reports whether a rune is invisible or changes the order in which
// text is displayed. Joiners that scripts and emoji need are not.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, // C1 controls
		r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c,
		r >= 0x2028 && r <= 0x202e, // separators, embeddings and overrides
		r >= 0x2060 && r <= 0x206f, // invisible operators, isolates
		r == 0xfeff,
		r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe0fff: // tags, variation selectors supplement
		return true
	}
	return false
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

// brief shortens text to limit characters, the last of which is an ellipsis.
func brief(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	return text[:offset(text, limit-1)] + "…"
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

// line makes one line of foreign text, at most limit characters long.
func line(text string, limit int) string {
	text, _ = clean(text)
	return brief(strings.Join(strings.Fields(text), " "), limit)
}

// fenced puts text into a code fence that is longer than any run of backticks
// in it, so that nothing in it can end the fence.
func fenced(text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + "text\n" + text + fence + "\n"
}

func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// label writes a path, which is foreign text, into a heading or a sentence. A
// path that could be taken for something else is quoted.
func label(path string) string {
	safe := strings.IndexFunc(path, func(r rune) bool {
		return r < 0x20 || r == 0x7f || r == '`' || r == '\\' || r == utf8.RuneError || hidden(r)
	}) < 0
	if safe {
		return brief(path, 400)
	}
	return strings.ReplaceAll(brief(fmt.Sprintf("%+q", path), 400), "`", "'")
}

// says reports whether a model's text has anything but signs and what nobody sees.
func says(text string) bool { return strings.ContainsFunc(text, isWord) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

package requirements

import (
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
)

var (
	// ordinal is a number or letter that only counts a point.
	ordinal = lazyregexp.New(`^\s*(?:[-*+•]\s+)?(?:\(?(?:\d{1,3}|[a-z])[.)]\s+)?`)
	linked  = lazyregexp.New(`!?\[([^\]\n]*)\]\(([^)\s]*)[^)\n]*\)`)
)

// Same reports whether two texts demand the same in the same words. A closed list does not count:
// letter case, white space, punctuation around words, hyphens between words, Markdown's emphasis
// and links, ticks, and what numbers a point. Where both link, they must link to the same.
func Same(a, b string) bool { return Phrase(a) == Phrase(b) && sameTargets(a, b) }

// sameTargets reports whether two texts link to the same places. A text without links agrees with
// any, since a link may come or go.
func sameTargets(a, b string) bool {
	from, to := targets(a), targets(b)
	return len(from) == 0 || len(to) == 0 || slices.Equal(from, to)
}

// targets are the addresses of a text's links, in order.
func targets(s string) []string {
	var out []string
	for _, m := range linked.FindAllStringSubmatch(s, -1) {
		out = append(out, m[2])
	}
	return out
}

// Phrase is a text as it is compared: its words, figures and signs of comparison, with one space
// between them.
func Phrase(s string) string { return strings.Join(words(s), " ") }

// words returns the words of a text that Phrase is made of.
func words(s string) []string {
	s = linked.ReplaceAllString(s, "$1")
	s = box.ReplaceAllString(strings.ToLower(s), "")
	s = strings.NewReplacer("’", "'", "‘", "'", "≤", " <= ", "≥", " >= ", "→", " ").
		Replace(ordinal.ReplaceAllString(s, ""))
	var out []string
	word := []rune{}
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	text := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(text) {
			return ' '
		}
		return text[i]
	}
	for i, r := range text {
		switch {
		case isWord(r), isWord(at(i-1)) && isWord(at(i+1)) && inside(r, at(i-1), at(i+1)),
			r == '-' && unicode.IsDigit(at(i+1)) && !isWord(at(i-1)):
			word = append(word, r)
		case strings.ContainsRune("<>=%±+~^$€£&\\", r), r == '!' && at(i+1) == '=':
			flush()
			out = append(out, string(r))
		default:
			flush()
		}
	}
	flush()
	return out
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// inside reports whether a sign between two characters is a part of one word:
// of a figure, a path, a name in code or a contraction.
func inside(r, before, after rune) bool {
	switch r {
	case '.', ':', '/', '\'', '@', '#':
		return true
	case ',', '-':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}

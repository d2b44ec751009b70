package syntax

import (
	"bytes"
	"regexp"
)

// isBomb refuses, by a look at the bytes, sources that the parser must not be
// given. Deep nesting that is never closed keeps it busy for hours in one step,
// where nothing can stop it. And some grammars keep the state of their
// hand-written scanner in a buffer of 1,024 bytes and abort the process when
// they overrun it.
func isBomb(lang Language, src []byte) bool {
	if nesting(lang, src) > maxNesting {
		return true
	}
	switch lang {
	case Python:
		return indentLevels(src) > maxIndents
	case Ruby:
		return heredocBytes(src) > maxHeredocs
	default:
		return false
	}
}

const (
	// maxNesting is how deep brackets may stand in each other, strings and
	// comments not told from code.
	maxNesting = 1_000
	// maxIndents is how many blocks of Python may stand in each other; the
	// scanner keeps two bytes for each.
	maxIndents = 200
	// maxHeredocs is how many bytes the terminators of the here-documents of
	// one line of Ruby may have, four more for each.
	maxHeredocs = 200
)

// nesting is how many brackets of a kind are open at most. Angle brackets count
// within a statement, in the languages that have generics, since "less than"
// looks the same and is never closed.
func nesting(lang Language, src []byte) int {
	generics := lang != Python && lang != Ruby && lang != Go
	deepest, depth, angles := 0, 0, 0
	for _, b := range src {
		switch b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '<':
			if generics {
				angles++
			}
		case '>':
			angles = max(angles-1, 0)
		}
		if b == ';' || b == '{' || b == '}' {
			angles = 0
		}
		deepest = max(deepest, depth, angles)
	}
	return deepest
}

// indentLevels is the largest number of growing indentations that stand in
// each other.
func indentLevels(src []byte) int {
	var levels []int
	deepest := 0
	for line := range bytes.Lines(src) {
		text := bytes.TrimLeft(line, " \t\f")
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		width := indentWidth(line[:len(line)-len(text)])
		for len(levels) > 0 && levels[len(levels)-1] >= width {
			levels = levels[:len(levels)-1]
		}
		levels = append(levels, width)
		deepest = max(deepest, len(levels))
	}
	return deepest
}

// indentWidth counts a tab as eight columns, as the scanner does.
func indentWidth(indent []byte) int {
	width := 0
	for _, b := range indent {
		switch b {
		case '\t':
			width += 8
		case ' ':
			width++
		default:
			width = 0
		}
	}
	return width
}

var heredoc = regexp.MustCompile("<<[~-]?(?:\"[^\"]*\"|'[^']*'|`[^`]*`|[\"'`][^\"'`]*$|[\\pL\\pN_]+)")

// heredocBytes is the most that the here-document starts of one line hold.
func heredocBytes(src []byte) int {
	most, sum, lineEnd := 0, 0, -1
	for _, m := range heredoc.FindAllIndex(src, -1) {
		if m[0] > lineEnd {
			sum = 0
			lineEnd = len(src)
			if i := bytes.IndexByte(src[m[0]:], '\n'); i >= 0 {
				lineEnd = m[0] + i
			}
		}
		sum += m[1] - m[0] + 2
		most = max(most, sum)
	}
	return most
}

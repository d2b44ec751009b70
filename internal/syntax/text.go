package syntax

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// escapedSyntax are escapes that end a line, a comment or a string. Java reads
// them before anything else (JLS 3.3), the grammar does not.
var escapedSyntax = regexp.MustCompile(`(?i)(?:^|[^\\])(?:\\\\)*\\u+00(?:0[ad]|2[27af]|5c)`)

// OddBreak is where a text has a carriage return without a line feed, NEL, U+2028, U+2029 or what
// ends a file early, -1 if it has none. They end a line, and so a comment, to Python, ECMAScript,
// Java or C#, but not to each grammar.
func OddBreak(src []byte) int {
	for i, c := range src {
		switch {
		case c == '\r' && (i+1 == len(src) || src[i+1] != '\n'), c == 0x04, c == 0x1a,
			c == 0xc2 && bytes.HasPrefix(src[i:], []byte("\u0085")),
			c == 0xe2 && (bytes.HasPrefix(src[i:], []byte("\u2028")) ||
				bytes.HasPrefix(src[i:], []byte("\u2029"))):
			return i
		}
	}
	return -1
}

// isText refuses sources that are not plain UTF-8 text. A grammar may take a NUL byte
// for the end of the source, and bytes of another encoding for white space.
func isText(lang Language, src []byte) error {
	switch {
	case lang == Java && escapedSyntax.Match(src):
		at := escapedSyntax.FindIndex(src)[0]
		return fmt.Errorf(
			"%w: line %d escapes a character that Java takes for syntax",
			ErrNotText,
			lineOf(src, at),
		)
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return fmt.Errorf("%w: it is UTF-16", ErrNotText)
	case bytes.IndexByte(src, 0) >= 0:
		return fmt.Errorf(
			"%w: line %d has a NUL byte",
			ErrNotText,
			lineOf(src, bytes.IndexByte(src, 0)),
		)
	case !utf8.Valid(src):
		at := 0
		for at < len(src) {
			r, size := utf8.DecodeRune(src[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return fmt.Errorf(
			"%w: line %d has the byte 0x%02x, which is not UTF-8",
			ErrNotText,
			lineOf(src, at),
			src[at],
		)
	}
	if at := OddBreak(src); at >= 0 {
		r, _ := utf8.DecodeRune(src[at:])
		return fmt.Errorf(
			"%w: line %d has %U, which ends a line to some programs only",
			ErrNotText,
			lineOf(src, at),
			r,
		)
	}
	return nil
}

func lineOf(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }

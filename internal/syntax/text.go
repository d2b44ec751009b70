package syntax

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// isText refuses sources that are not UTF-8 text. A grammar may take a NUL byte
// for the end of the source, and bytes of another encoding for white space.
func isText(src []byte) error {
	switch {
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return fmt.Errorf("%w: it is UTF-16", ErrNotText)
	case bytes.IndexByte(src, 0) >= 0:
		return fmt.Errorf("%w: line %d has a NUL byte", ErrNotText, lineOf(src, bytes.IndexByte(src, 0)))
	case !utf8.Valid(src):
		at := 0
		for at < len(src) {
			r, size := utf8.DecodeRune(src[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return fmt.Errorf("%w: line %d has the byte 0x%02x, which is not UTF-8", ErrNotText, lineOf(src, at), src[at])
	}
	return nil
}

func lineOf(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }

// Package bom reads texts of editors and shells that write a byte order mark.
package bom

import (
	"bytes"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// UTF8 is a text without its byte order mark, and decoded where that says UTF-16. A text without
// one is returned as it is.
func UTF8(data []byte) []byte {
	for _, mark := range []string{"\ufeff", "\xff\xfe", "\xfe\xff"} {
		if !bytes.HasPrefix(data, []byte(mark)) {
			continue
		}
		if text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), data); err == nil {
			return text
		}
	}
	return data
}

package xmlscan

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// charset decodes what an XML declaration names: ASCII and the encodings of one byte a character.
// The tables of the Asian encodings would be a thirtieth of this program, and no tool that writes
// reports needs them. UTF-16 arrives here already decoded by its byte order mark.
func charset(label string, r io.Reader) (io.Reader, error) {
	name := plain(label)
	switch {
	case strings.HasPrefix(name, "utf16"), name == "usascii", name == "ascii":
		return r, nil
	case name == "latin1":
		name = "iso88591"
	}
	if number, ok := strings.CutPrefix(name, "cp"); ok {
		name = "windows" + number
	}
	for _, enc := range charmap.All {
		if plain(fmt.Sprint(enc)) == name {
			return enc.NewDecoder().Reader(r), nil
		}
	}
	return nil, fmt.Errorf("unknown character encoding %q; write the report in UTF-8", label)
}

// plain is an encoding's name without what people spell in different ways.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

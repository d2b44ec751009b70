package runner

import (
	"errors"
	"strings"
)

// parseINI reads what Python's configparser and pytest's iniconfig read: sections, "key = value" or
// "key: value", indented continuation lines, and comments that begin a line. Every line of a value
// is a value of its own.
func parseINI(src []byte) (options, error) {
	var b builder
	section := ""
	var key []string
	for i, raw := range lines(src) {
		line, text := i+1, strings.TrimSpace(raw)
		switch indented := raw != strings.TrimLeft(raw, " \t"); {
		case text == "" || text[0] == '#' || text[0] == ';':
		case indented && key != nil:
			b.add(key, line, value{text: text, line: line})
		case text[0] == '[':
			end := strings.IndexByte(text, ']')
			if end < 0 {
				return nil, errors.New("a section's name is not closed")
			}
			section, key = strings.TrimSpace(text[1:end]), nil
			b.add([]string{section}, line)
		default:
			name, val := cutKey(text)
			key = []string{section, name}
			if section == "" {
				key = key[1:]
			}
			b.add(key, line)
			if val != "" {
				b.add(key, line, value{text: val, line: line})
			}
		}
	}
	return b.read()
}

// cutKey splits "key = value" or "key: value"; a line without either is a key alone.
func cutKey(text string) (key, val string) {
	i := strings.IndexAny(text, "=:")
	if i < 0 {
		return text, ""
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
}

// lines splits a source, without line terminators and byte order mark.
func lines(src []byte) []string {
	text := strings.TrimPrefix(string(src), "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(text, "\n")
}

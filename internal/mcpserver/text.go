package mcpserver

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isBinary applies git's rule: a NUL byte in the first 8,000 bytes.
func isBinary(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0 }

// splitLines cuts a text into lines without their terminators. A trailing terminator starts no
// further line.
func splitLines(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

// show makes a line fit to be shown: valid UTF-8, without carriage return, at
// most maxLine bytes with a note where it was cut.
func show(line string) string {
	line = strings.ToValidUTF8(strings.TrimSuffix(line, "\r"), "\uFFFD")
	if len(line) <= maxLine {
		return line
	}
	n := maxLine
	for !utf8.RuneStart(line[n]) {
		n--
	}
	return fmt.Sprintf("%s [line cut: %d bytes more]", line[:n], len(line)-n)
}

// name shows a path so that it cannot imitate further lines.
func name(p string) string {
	p = strings.ToValidUTF8(p, "\uFFFD")
	if strings.IndexFunc(p, unicode.IsControl) >= 0 {
		p = strconv.Quote(p)
	}
	return show(p)
}

// page is one answer under construction, at most maxAnswer bytes.
type page struct {
	b     strings.Builder
	shown int
}

// add appends a line unless the answer is full.
func (p *page) add(line string) bool {
	if p.b.Len()+len(line)+1 > maxAnswer {
		return false
	}
	p.b.WriteString(line)
	p.b.WriteByte('\n')
	p.shown++
	return true
}

// window is the part of a list that a call asks for: items from offset (counted from 0), at most
// limit.
type window struct{ offset, limit int }

// newWindow brings a call's numbers into range; limit 0 is the default.
func newWindow(offset, limit, byDefault, most int) window {
	if limit <= 0 {
		limit = byDefault
	}
	return window{offset: max(offset, 0), limit: min(limit, most)}
}

// pageOf shows the window of n items under a heading, and says how to go on if there are more. An
// answer is never cut in the middle of a line.
func pageOf(heading string, w window, n int, noun string, item func(i int) string) string {
	p := &page{}
	p.add(heading)
	p.shown = 0
	from := min(w.offset, n)
	for i := from; i < min(n, from+w.limit); i++ {
		if !p.add(item(i)) {
			break
		}
	}
	return p.b.String() + footer(noun, w.offset, p.shown, n)
}

// footer says which part of n items was shown.
func footer(noun string, from, shown, n int) string {
	switch {
	case n == 0:
		return fmt.Sprintf("[no %s]", noun)
	case shown == 0:
		return fmt.Sprintf("[no %s at offset %d: the end is at %d]", noun, from, n)
	case from+shown < n:
		return fmt.Sprintf("[%s %d-%d of %d; for more: offset %d]",
			noun, from+1, from+shown, n, from+shown)
	}
	return fmt.Sprintf("[%s %d-%d of %d, the end]", noun, from+1, n, n)
}

package codex

import "bytes"

// lines hands on the lines that are written to it. One of more than max bytes is passed over, and
// isOver says so from then on. It is an io.Writer that never fails.
type lines struct {
	max    int
	take   func(line []byte) // valid until it returns
	line   []byte
	skip   bool // the rest of an overlong line
	isOver bool
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part, after, isEnd := bytes.Cut(rest, []byte("\n"))
		rest = after
		if len(l.line)+len(part) > l.max {
			l.skip, l.isOver = true, true
		}
		if !l.skip {
			l.line = append(l.line, part...)
		}
		if !isEnd {
			break
		}
		if !l.skip {
			l.take(l.line)
		}
		l.line, l.skip = l.line[:0], false
	}
	return len(p), nil
}

package textdiff

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"workflow-reviewer/internal/change"
)

// Format renders hunks as a unified diff; "" without hunks. oldPath "" means that the file kept its
// path. Lines are written byte for byte, so the text is valid UTF-8 only if the files are. A path
// with quotes or control characters is quoted, so that it cannot imitate lines of the diff.
func Format(path, oldPath string, hunks []change.Hunk) string {
	if len(hunks) == 0 {
		return ""
	}
	oldPath = cmp.Or(oldPath, path)
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", quote("a/"+oldPath), quote("b/"+path))
	for _, h := range hunks {
		old, added := lineRange(h.OldStart, h.OldLines), lineRange(h.NewStart, h.NewLines)
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", old, added)
		for _, l := range h.Lines {
			b.WriteByte(l.Op)
			b.WriteString(l.Text)
			b.WriteByte('\n')
			if l.NoNewline {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	return b.String()
}

// lineRange is a range in a hunk's head, as diff writes it: without the count where it is 1.
func lineRange(start, lines int) string {
	if lines == 1 {
		return strconv.Itoa(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// quote is a path as it may stand in a diff's head. Paths with quotes, backslashes, control
// characters or line ends are quoted as in Go.
func quote(path string) string {
	control := strings.ContainsFunc(path, func(r rune) bool { return r < ' ' })
	if !control && !strings.ContainsAny(path, "\"\\\x7f\u0085\u2028\u2029") {
		return path
	}
	return strconv.Quote(path)
}

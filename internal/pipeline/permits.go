package pipeline

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// Bounds of what is read of RFCs.
const (
	maxRFCs     = 200
	maxRFCBytes = 8 << 20
)

// permits tells what allows a change of approved tests: whoever the request names, or an approved
// RFC on the base that names the path.
func permits(req Request, set change.Set) (func(path string) string, []workflow.Finding, error) {
	if req.Permit != "" {
		return func(string) string { return req.Permit }, nil, nil
	}
	rfcs, notices, err := readRFCs(set.BaseTree)
	if err != nil {
		return nil, nil, err
	}
	return func(p string) string {
		for _, r := range rfcs {
			if namesPath(r.text, p) {
				return r.path
			}
		}
		return ""
	}, notices, nil
}

// rfc is a document of rfcs/approved on the base.
type rfc struct{ path, text string }

// readRFCs reads the approved RFCs of the base. What is too much is left out with a notice: it then
// permits nothing.
func readRFCs(base change.Tree) (out []rfc, notices []workflow.Finding, err error) {
	var size int64
	for _, folder := range []string{"rfcs/approved", "project-meta/rfcs/approved", "project-content/rfcs/approved"} {
		entries, err := base.List(folder)
		if err != nil {
			return nil, nil, fmt.Errorf("list %q of the base: %w", folder, err)
		}
		for _, e := range entries {
			if why := unreadRFC(e); why != "" {
				notices = append(
					notices,
					workflow.Finding{File: e.Path, Text: "This RFC permits nothing: " + why},
				)
				continue
			}
			if size += e.Size; len(out) == maxRFCs || size > maxRFCBytes {
				return out, append(notices, workflow.Finding{
					Level: workflow.Warn, File: folder,
					Text: fmt.Sprintf(
						"Only the first %d approved RFCs are read; move those that are done elsewhere.",
						len(out),
					),
				}), nil
			}
			data, err := base.ReadFile(e.Path)
			if errors.Is(err, change.ErrLFSPointer) {
				notices = append(notices, workflow.Finding{
					Level: workflow.Warn, File: e.Path, Text: "This RFC permits nothing: " + change.ErrLFSPointer.Error(),
				})
				continue
			}
			if err != nil {
				return nil, nil, fmt.Errorf("read %q of the base: %w", e.Path, err)
			}
			out = append(out, rfc{e.Path, string(data)})
		}
	}
	return out, notices, nil
}

// unreadRFC says why a file among the approved RFCs is not read, "" if it is.
func unreadRFC(e change.Entry) string {
	texts := []string{".md", ".txt", ".rst", ".adoc"}
	switch {
	case e.Mode == change.ModeSymlink || e.Mode == change.ModeSubmodule:
		return "it is no file"
	case !slices.Contains(texts, strings.ToLower(path.Ext(e.Path))):
		return "only " + strings.Join(texts, ", ") + " are read"
	}
	return ""
}

// namesPath reports whether a text names a path as a word of its own: not as a part of a longer
// path.
func namesPath(text, p string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], p)
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(p)
		before := strings.TrimSuffix(text[:start], "./")
		if last, _ := utf8.DecodeLastRuneInString(before); (before == "" || !isPathRune(last)) &&
			!startsPath(text[end:]) {
			return true
		}
		from = start + 1
	}
}

// startsPath reports whether a text begins with what could belong to a path; a full stop before a
// space ends a sentence.
func startsPath(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	if r == '.' {
		next, _ := utf8.DecodeRuneInString(s[size:])
		return s[size:] != "" && isPathRune(next)
	}
	return s != "" && isPathRune(r)
}

func isPathRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`_-/.\`, r)
}

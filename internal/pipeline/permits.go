package pipeline

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// Bounds of what is read of RFCs.
const (
	maxRFCs     = 200
	maxRFCBytes = 8 << 20
)

// permits tells what allows a change of approved tests: whoever the request names, or an approved
// RFC on the base that names the path. RFCs of the branch permit nothing: who changes tests must
// not be who permits it.
func permits(req Request, set change.Set) (func(path string) string, []workflow.Finding, error) {
	if req.Permit != "" {
		return func(string) string { return req.Permit }, nil, nil
	}
	rfcs, notices, err := readRFCs(set.BaseTree)
	if err != nil {
		return nil, nil, err
	}
	return func(p string) string {
		named := namesPath(p)
		for _, r := range rfcs {
			if named.MatchString(r.text) {
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
	for _, root := range []string{"", "project-meta", "project-content"} {
		folder := path.Join(root, "rfcs/approved")
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
						"Only the first %d approved RFCs are read; move those that are done "+
							"elsewhere.",
						len(out),
					),
				}), nil
			}
			data, err := base.ReadFile(e.Path)
			if errors.Is(err, change.ErrLFSPointer) {
				notices = append(notices, workflow.Finding{
					Level: workflow.Warn, File: e.Path,
					Text: "This RFC permits nothing: " + change.ErrLFSPointer.Error(),
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

// namesPath matches a path as a word of its own: not as a part of a longer path. A full stop before
// a space ends a sentence.
func namesPath(path string) *regexp.Regexp {
	return regexp.MustCompile(
		`(?:^|[^\pL\pN_\-/.\\])(?:\./)?` + regexp.QuoteMeta(path) + `(?:\.?$|\.?[^\pL\pN_\-/.\\])`,
	)
}

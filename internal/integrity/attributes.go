package integrity

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// attributes finds new git attributes by which an approved file is checked out
// as something else than what is compared: in another encoding, or through a
// filter. Line ends and what concerns diffs, merges and archives do not matter.
func (c *checker) attributes(ctx context.Context) error {
	known := slices.Sorted(maps.Keys(c.records()))
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(known) == 0 || path.Base(f.Path) != ".gitattributes" || f.Status == change.Deleted || f.Blob == f.OldBlob {
			continue
		}
		before, after, err := c.versions(side{f.Path, f.OldBlob != "", true, f.OldPath})
		if err != nil {
			return err
		}
		had := literal.LinesOf(before)
		is := literal.LinesOf(after)
		for n := 1; n <= min(len(is), maxAttributes); n++ {
			if slices.Contains(had, is.At(n)) {
				continue
			}
			if at, attribute := converts(is.At(n), path.Dir(f.Path), known); at != "" {
				c.violate(violation.Added(violation.FileChanged, violation.Place{Path: f.Path, Line: n, Text: is.At(n)},
					fmt.Sprintf("Approved file changed when it is checked out: %s gets the attribute %s", at, attribute)))
				break
			}
		}
	}
	return nil
}

// maxAttributes is how many lines of one file of attributes are looked at.
const maxAttributes = 5000

// converts is the first of the paths to which a line of a folder's attributes
// gives one that changes what is checked out.
func converts(line, dir string, paths []string) (at, attribute string) {
	fields := strings.Fields(line)
	if len(fields) < 2 || strings.HasPrefix(fields[0], "#") {
		return "", ""
	}
	i := slices.IndexFunc(fields[1:], func(a string) bool {
		name, value, _ := strings.Cut(a, "=")
		return name == "working-tree-encoding" && !strings.EqualFold(value, "utf-8") || name == "filter" && value != "" && value != "lfs" ||
			name == "ident"
	})
	if i < 0 {
		return "", ""
	}
	for _, p := range paths {
		if attributed(strings.Trim(fields[0], `"`), dir, p) {
			return p, fields[1+i]
		}
	}
	return "", ""
}

// attributed reports whether a pattern in a folder's attributes matches a path.
// Macros may stand for any attribute of any path.
func attributed(pattern, dir, p string) bool {
	if strings.HasPrefix(pattern, "[attr]") {
		return true
	}
	rel, ok := strings.CutPrefix(p, dir+"/")
	switch {
	case dir == ".":
		rel = p
	case !ok:
		return false
	}
	if !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		rel = path.Base(rel)
	}
	match, err := doublestar.Match(strings.TrimPrefix(pattern, "/"), rel)
	return match && err == nil
}

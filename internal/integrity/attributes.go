package integrity

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// attributes finds new git attributes by which an approved file is checked out as something else
// than what is compared: in another encoding, or through a filter; and lines by which a container
// or an archive that tests run in leaves one out. Line ends and what concerns diffs and merges do
// not matter.
func (c *checker) attributes(ctx context.Context) error {
	known := slices.Sorted(maps.Keys(c.records()))
	archives := c.anyConfig(func(_ string, text []byte) bool { return bytes.Contains(text, []byte("git archive")) })
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		ignores := strings.HasSuffix(f.Path, ".dockerignore") &&
			c.anyConfig(func(p string, _ []byte) bool { return containers.MatchString(p) })
		if len(known) == 0 || path.Base(f.Path) != ".gitattributes" && !ignores || f.Status == change.Deleted || f.Blob == f.OldBlob {
			continue
		}
		before, after, err := c.versions(side{f.Path, f.OldBlob != "", true, f.OldPath})
		if err != nil {
			return err
		}
		had := strings.Split(string(before), "\n")
		is := strings.Split(string(after), "\n")
		for n := 1; n <= min(len(is), maxAttributes); n++ {
			if slices.Contains(had, is[n-1]) {
				continue
			}
			if ignores {
				c.leavesOut(f.Path, n, strings.TrimSpace(is[n-1]), known)
				continue
			}
			if at, attribute := converts(strings.TrimSpace(is[n-1]), path.Dir(f.Path), known, archives); at != "" {
				c.violate(violation.Added(violation.FileChanged, violation.Place{Path: f.Path, Line: n, Text: strings.TrimSpace(is[n-1])},
					fmt.Sprintf("Approved file changed when it is checked out: %s gets the attribute %s", at, attribute)))
				break
			}
		}
	}
	return nil
}

// containers are files of containers.
var containers = lazyregexp.New(`(?i)(?:^|/)(?:(?:docker|container)file[^/]*|[^/]*\.dockerfile|(?:docker-)?compose[^/]*\.ya?ml)$`)

// anyConfig reports whether one of the approved files that run the tests is so.
func (c *checker) anyConfig(is func(p string, text []byte) bool) bool {
	for p, f := range c.records() {
		if f.Role != approval.Config {
			continue
		}
		if text, err := content(c.Set.MergeBaseTree, p); err == nil && is(p, text) {
			return true
		}
	}
	return false
}

// leavesOut finds the approved test that a new line of a .dockerignore leaves out.
func (c *checker) leavesOut(file string, n int, line string, known []string) {
	pattern := strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "./"), "/")
	if pattern == "" || pattern[0] == '#' || pattern[0] == '!' {
		return
	}
	for _, p := range known {
		for at := p; at != "." && c.records()[p].Role != approval.Config; at = path.Dir(at) {
			if ok, err := doublestar.Match(pattern, at); ok || err != nil {
				c.violate(violation.Added(violation.ConfigNarrowed, violation.Place{Path: file, Line: n, Text: line},
					"Test collection changed: the container that tests run in is made without "+p))
				return
			}
		}
	}
}

// maxAttributes is how many lines of one file of attributes are looked at.
const maxAttributes = 5000

// converts is the first of the paths to which a line of a folder's attributes
// gives one that changes what is checked out.
func converts(line, dir string, paths []string, archives bool) (at, attribute string) {
	fields := strings.Fields(line)
	if len(fields) < 2 || strings.HasPrefix(fields[0], "#") {
		return "", ""
	}
	i := slices.IndexFunc(fields[1:], func(a string) bool {
		switch name, value, _ := strings.Cut(a, "="); name {
		case "working-tree-encoding":
			return !strings.EqualFold(value, "utf-8")
		case "filter":
			return value != "" && value != "lfs"
		default:
			return name == "ident" || archives && strings.HasPrefix(name, "export-")
		}
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

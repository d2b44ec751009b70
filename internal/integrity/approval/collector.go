package approval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/workflow"
)

// collector gathers files by following what they name.
type collector struct {
	tree    change.Tree
	entries map[string]change.Entry
	paths   []string            // sorted
	folders map[string][]string // files directly in a folder; nil for one that has only folders
	roles   map[string]Role
	queue   []string
	text    map[string]string // of the files that were read
	aliases map[string]map[string][]string
	// folders of the packages of JavaScript, by name; nil: not looked for
	packages map[string]string
	kept     int // bytes of text that were read
	notices  []workflow.Finding
	full     bool
	scripts  *runner.Tree
	parts    map[string]string // of a test file of Go, what approved tests reach
	packed   map[string]bool   // folders of Go whose tests were looked through
	rejected map[string]int    // files that are no support, by how many had roles then
	words    map[string]bool   // of what is not collected; nil: not looked for
}

// newCollector prepares the search for what tests load, over all files of a tree.
func newCollector(tree change.Tree, entries []change.Entry) *collector {
	c := &collector{
		tree: tree, entries: make(map[string]change.Entry,
			len(entries)), folders: map[string][]string{},
		roles: map[string]Role{}, text: map[string]string{},
		aliases: map[string]map[string][]string{},
		parts:   map[string]string{}, packed: map[string]bool{},
		rejected: map[string]int{},
	}
	for _, e := range entries {
		c.entries[e.Path] = e
		c.paths = append(c.paths, e.Path)
		dir := path.Dir(e.Path)
		c.folders[dir] = append(c.folders[dir], e.Path)
		for d := path.Dir(dir); ; d = path.Dir(d) {
			if _, ok := c.folders[d]; ok {
				break
			}
			c.folders[d] = nil
		}
	}
	slices.Sort(c.paths)
	c.scripts = runner.NewTree(c.contentOf)
	c.scripts.Configs = func() (out []string) {
		for p, role := range c.roles {
			if role == Config {
				out = append(out, p)
			}
		}
		return out
	}
	return c
}

// notice keeps a warning, at most 20.
func (c *collector) notice(p, text string) {
	if len(c.notices) < 20 {
		c.notices = append(c.notices, workflow.Finding{Level: workflow.Warn, File: p, Text: text})
	}
}

// add puts a file of the tree into the record and, unless it is only
// configuration, into the queue of those whose references are followed.
func (c *collector) add(p string, role Role) {
	if _, ok := c.entries[p]; !ok {
		return
	}
	if _, ok := c.roles[p]; ok {
		return
	}
	if len(c.roles) >= maxCollected {
		if !c.full {
			c.full = true
			c.notice(
				"",
				fmt.Sprintf("the tests load more than %d files: the others are not recorded",
					maxCollected),
			)
		}
		return
	}
	if c.entries[p].Mode == change.ModeSubmodule {
		c.notice(p, "the tests use a submodule, whose files cannot be recorded")
		return
	}
	c.roles[p] = role
	if role != Config {
		c.queue = append(c.queue, p)
	}
}

// follow adds what the queued files load, and what these load.
func (c *collector) follow(ctx context.Context) error {
	for len(c.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := c.queue[0]
		c.queue = c.queue[1:]
		text, ok, err := c.read(p)
		if err != nil {
			return err
		}
		c.beside(p)
		if part, partly := c.parts[p]; partly && c.roles[p] != Test {
			text = part
		}
		if ok {
			c.references(p, text)
		}
	}
	return nil
}

// read returns a file's text; false if it is not one that is followed.
func (c *collector) read(p string) (string, bool, error) {
	if t, ok := c.text[p]; ok {
		return t, true, nil
	}
	e, ok := c.entries[p]
	if !ok || e.Size > maxRead || e.Mode == change.ModeSymlink || e.Mode == change.ModeSubmodule {
		return "", false, nil
	}
	data, err := c.tree.ReadFile(p)
	if errors.Is(err, change.ErrNotRegular) || errors.Is(err, change.ErrTooLarge) ||
		errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read %q: %w", p, err)
	}
	text := string(data)
	if strings.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return "", false, nil
	}
	if c.kept += len(text); c.kept < maxKept {
		c.text[p] = text
	}
	return text, true, nil
}

// support adds a file if it belongs to tests.
func (c *collector) support(p string) {
	_, has := c.roles[p]
	roles, rejected := c.rejected[p]
	if has || c.entries[p].Path == "" || rejected && roles == len(c.roles) {
		return
	}
	if c.isSupport(p) {
		c.add(p, Support)
	} else {
		c.rejected[p] = len(c.roles) // nothing else decides
	}
}

// protected adds the files that the configured entries name.
func (c *collector) protected(entries []string) {
	for _, p := range c.paths {
		if glob.NamesAny(entries, p) {
			c.add(p, Config)
		}
	}
}

// isData reports whether a file is no source code: that is recorded only where it is imported.
func isData(p string) bool {
	return conventions.Language(p) == ""
}

// contentOf is what a file holds, nil if it is none that is followed.
func (c *collector) contentOf(p string) []byte {
	text, ok, err := c.read(p)
	if err != nil || !ok {
		return nil
	}
	return []byte(text)
}

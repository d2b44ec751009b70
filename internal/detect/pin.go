package detect

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
)

// ownUse is a use of this action or of its setup, in whoever's repository: in a step, or as an
// entry of GitHub's lock of actions.
var ownUse, ownEntry = lazyregexp.New(use), lazyregexp.New(use + `.*(?:\n        .*)*`)

const use = `[\w.-]{1,100}/workflow-reviewer(?:/setup|/slim)?@[\w./-]{1,100}`

// reviewUse is a use of this action that reviews, with codex or without.
var reviewUse = lazyregexp.New(`/workflow-reviewer(?:/slim)?@`)

// UsesAction reports whether the text of a workflow uses this action, in whoever's repository.
func UsesAction(text string) bool { return reviewUse.MatchString(text) }

// notePins warns of a change of the version of this action that a workflow or the lock names. It
// decides what judges the next change, and nobody is asked to review it.
func (d *detector) notePins() error {
	for _, f := range d.set.Files {
		if !strings.HasPrefix(f.Path, ".github/") {
			continue
		}
		before, err := pins(d.set.MergeBaseTree, cmp.Or(f.OldPath, f.Path))
		if err != nil {
			return err
		}
		after, err := pins(d.set.HeadTree, f.Path)
		if err != nil {
			return err
		}
		if slices.Equal(before, after) {
			continue
		}
		d.notes.add(
			len(before) > 0 || isLock(f.Path),
			f.Path,
			"changes which version of this action reviews: %s before, %s now. "+
				"Is that meant, and a version that its authors released? No review answers this",
			listed(before), listed(after),
		)
	}
	return nil
}

// pins are the uses of this action in a file, in a lock with what it says of each. None in what
// cannot be read.
func pins(tree change.Tree, path string) ([]string, error) {
	data, err := tree.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist),
		errors.Is(err, change.ErrNotRegular),
		errors.Is(err, change.ErrTooLarge):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	pattern := ownUse
	if isLock(path) {
		pattern = ownEntry
	}
	out := pattern.FindAllString(string(data), -1)
	for i := range out {
		out[i] = strings.Join(strings.Fields(out[i]), " ")
	}
	return out, nil
}

// listed names pins, cut to what a notice can hold.
func listed(pins []string) string {
	const most = 300
	if len(pins) == 0 {
		return "none"
	}
	text := strings.Join(pins, ", ")
	if len(text) > most {
		text = text[:most] + "…"
	}
	return fmt.Sprintf("%q", text)
}

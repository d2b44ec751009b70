package detect

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// Entry is a path, folder or pattern of the config, with its key.
type Entry struct {
	Key, Names string
	OfBase     bool // the base's files alone count
}

// Unmatched warns of entries that name no file, neither of the base nor, where it counts, of the
// head. File is the config's path. Errors are those of the trees.
func Unmatched(
	set change.Set,
	opt Options,
	file string,
	entries []Entry,
) ([]workflow.Finding, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	r, err := newRules(set, opt)
	if err != nil {
		return nil, err
	}
	open := slices.Clone(entries)
	for _, tree := range trees(set) {
		files, err := tree.List("")
		if err != nil {
			return nil, fmt.Errorf("list files of %s: %w", short(tree.Commit()), err)
		}
		for _, f := range files {
			at := r.place(f.Path)
			open = slices.DeleteFunc(open, func(e Entry) bool {
				return (!e.OfBase || tree == set.BaseTree) &&
					matchAny([]string{e.Names}, f.Path, at) != ""
			})
		}
	}
	var out []workflow.Finding
	for _, e := range open {
		where := map[bool]string{true: "of the base", false: "of the base or the head"}[e.OfBase]
		text := fmt.Sprintf(
			"%s: %q matches no file %s; correct it, or remove it",
			e.Key, e.Names, where,
		)
		out = append(out, workflow.Finding{Level: workflow.Warn, File: file, Text: text})
	}
	return out, nil
}

package question

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/workaround"
)

// Unreadable asks about files that could not be read as code. Those of one
// folder and reason are one question: a vendored library is one decision.
func (a *Asker) Unreadable(files []workaround.Unread) {
	type group struct{ folder, why string }
	members := map[group][]string{}
	for _, f := range files {
		g := group{topFolder(f.Path), f.Why}
		members[g] = append(members[g], f.Path)
	}
	byName := func(x, y group) int {
		return cmp.Or(strings.Compare(x.folder, y.folder), strings.Compare(x.why, y.why))
	}
	for _, g := range slices.SortedFunc(maps.Keys(members), byName) {
		paths := slices.Sorted(slices.Values(members[g]))
		what := paths[0] + " was"
		if len(paths) > 1 {
			what = fmt.Sprintf("%d files under %s were", len(paths), g.folder)
		}
		a.ask(Unread, g.folder, paths[0], 1, g.why, fmt.Sprintf(
			"%s not read by the check (%s). Is it what it claims to be, and nothing that answers the tests instead of the code?", what,
			g.why),
			strings.Join(paths[:min(5, len(paths))], "\n"))
	}
}

// topFolder is the outermost two folders of a path.
func topFolder(p string) string {
	parts := strings.Split(path.Dir(p), "/")
	return strings.Join(parts[:min(2, len(parts))], "/")
}

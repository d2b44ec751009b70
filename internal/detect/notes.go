package detect

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// maxNamed is how many files with one and the same reason get a warning each;
// more of them share one, as those do that are no reason to worry. maxWarned is how
// many a shared warning names: what should have been reviewed is found by its name.
const maxNamed, maxWarned = 5, 100

// notes gathers notices: those of single decisions, and the files that a reason puts in no
// artifact.
type notes struct {
	single  []workflow.Finding
	skipped []skipped // in the order in which their reasons came up first
}

// skipped collects files that are passed over for one reason, which is told once.
type skipped struct {
	reason  string
	warning bool
	paths   []string
}

func (n *notes) warn(path, format string, args ...any) { n.add(true, path, format, args...) }

// note tells what is no reason to worry.
func (n *notes) note(path, format string, args ...any) { n.add(false, path, format, args...) }

func level(warning bool) workflow.Level {
	if warning {
		return workflow.Warn
	}
	return workflow.Note
}

// add takes a notice, once.
func (n *notes) add(warning bool, path, format string, args ...any) {
	notice := workflow.Finding{
		Level: level(warning),
		File:  path,
		Text:  fmt.Sprintf(format, args...),
	}
	if !slices.Contains(n.single, notice) {
		n.single = append(n.single, notice)
	}
}

// skip notes that a file is in no artifact.
func (n *notes) skip(warning bool, path, reason string) {
	i := slices.IndexFunc(n.skipped, func(s skipped) bool { return s.reason == reason })
	if i < 0 {
		i = len(n.skipped)
		n.skipped = append(n.skipped, skipped{reason: reason})
	}
	s := &n.skipped[i]
	s.warning = s.warning || warning
	s.paths = append(s.paths, path)
}

// reason is why a file is in no artifact, "" if nothing was said.
func (n *notes) reason(path string) string {
	for _, s := range n.skipped {
		if slices.Contains(s.paths, path) {
			return s.reason
		}
	}
	return ""
}

// list is all notices: the skipped files by reason, then the others.
func (n *notes) list() []workflow.Finding {
	var out []workflow.Finding
	for _, s := range n.skipped {
		if len(s.paths) > maxNamed || len(s.paths) > 1 && !s.warning {
			most := maxNamed - 2
			if s.warning {
				most = maxWarned
			}
			text := fmt.Sprintf("not reviewed, %s: %s", s.reason, listAtMost(most, s.paths))
			out = append(out, workflow.Finding{Level: level(s.warning), Text: text})
			continue
		}
		for _, p := range s.paths {
			out = append(
				out,
				workflow.Finding{
					Level: level(s.warning),
					File:  p,
					Text:  "not reviewed: " + s.reason,
				},
			)
		}
	}
	return append(out, n.single...)
}

// listFew names the first few paths and counts the rest.
func listFew(paths []string) string { return listAtMost(maxNamed-2, paths) }

// listAtMost lists paths, sorted, at most the given number and how many more there are.
func listAtMost(most int, paths []string) string {
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	if len(paths) <= max(most, maxNamed) {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:most], ", "), len(paths)-most)
}

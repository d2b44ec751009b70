package testdiff

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// add notes a finding; doubles and what is too many of a file go in result.
func (c *comparison) add(v workflow.Finding) { c.out.Violations = append(c.out.Violations, v) }

// result is what was found, sorted and capped.
func (c *comparison) result() Result {
	c.out.Violations = violation.Distinct(c.out.Violations)
	slices.Sort(c.out.Harmless)
	c.out.Harmless = slices.Compact(c.out.Harmless)
	slices.Sort(c.out.NotAnalysed)
	return c.out
}

// lines are the lines of a source.
type lines [][]byte

func linesOf(src []byte) lines { return bytes.Split(src, []byte("\n")) }

// at is the text of a line, counted from 1; "" if there is none.
func (l lines) at(n int) string {
	if n < 1 || n > len(l) {
		return ""
	}
	return string(bytes.TrimSpace(l[n-1]))
}

func (l lines) place(path string, n int) violation.Place {
	return violation.Place{Path: path, Line: n, Text: l.at(n)}
}

// oneLine cuts a text to 80 bytes.
func oneLine(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}

// IsData is the kind of finding that a change of a data file is; "" for a file that is not data but
// code.
func IsData(name string) violation.Kind {
	if conventions.Language(name) != "" && !strings.HasPrefix(name, "testdata/") &&
		!strings.Contains(name, "/testdata/") {
		return ""
	}
	if expectedName.MatchString(name) {
		return violation.SnapshotRewritten
	}
	return violation.FixtureChanged
}

// expectedName are data files that hold what tests expect.
var expectedName = regexp.MustCompile(
	`(?i)(golden|snap(shot)?s?\b|__snapshots__|expected|expect|approved|baseline|want|reference|output)`,
)

package testdiff

import (
	"bytes"
	"encoding/json"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// data compares a file that is not code.
func (c *comparison) data(p Pair) {
	kind := IsData(p.Path)
	switch {
	case sameData(p.Path, p.Before, p.After):
		c.harmless(p.Path, "data laid out differently")
		return
	case strings.HasSuffix(p.Path, ".snap") && onlyMoreSnapshots(p.Before, p.After):
		c.harmless(p.Path, "snapshots added")
		return
	}
	what := "Test fixture data changed"
	if kind == violation.SnapshotRewritten {
		what = "Expected output rewritten"
	}
	all := hunks(p.Before, p.After)
	for _, h := range all {
		c.add(h.violation(p, kind, what))
	}
	if len(all) == 0 { // only line ends, or binary
		c.add(
			violation.Added(kind,
				violation.Place{Path: p.AfterPath, Line: 1, Text: linesOf(p.After).at(1)}, what),
		)
	}
}

// maxNested is how deep data may be nested that is compared as a value.
const maxNested = 1000

// sameData reports whether two JSON documents are the same value.
func sameData(name string, a, b []byte) bool {
	if strings.ToLower(path.Ext(name)) != ".json" {
		return false
	}
	var x, y any
	return unmarshal(a, &x) && unmarshal(b, &y) && reflect.DeepEqual(x, y) &&
		strictjson.UniqueKeys(b, maxNested, nil) == nil
}

// unmarshal reads one JSON value, and reports false for anything else.
func unmarshal(data []byte, v *any) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v) == nil && !d.More()
}

// onlyMoreSnapshots reports whether every entry of a jest snapshot file is in the other one as it
// was.
func onlyMoreSnapshots(before, after []byte) bool {
	was, is := snapshots(before), snapshots(after)
	for _, s := range was {
		if !slices.Contains(is, s) {
			return false
		}
	}
	return len(was) > 0
}

var snapshotStart = regexp.MustCompile("(?m)^exports\\[`")

// snapshots are the entries of a jest snapshot file.
func snapshots(src []byte) []string {
	var out []string
	starts := snapshotStart.FindAllIndex(src, -1)
	for i, s := range starts {
		end := len(src)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		out = append(out, strings.TrimSpace(string(src[s[0]:end])))
	}
	return out
}

// hunk is one run of changed lines: the first of each side that is not blank, nil if there is none.
type hunk struct{ was, is *change.Line }

// isBlank reports whether there is nothing to show on a side of a hunk.
func isBlank(l *change.Line) bool { return l == nil || strings.TrimSpace(l.Text) == "" }

// hunks are the differing places of two texts, each with the first line of either side that is not
// blank.
func hunks(before, after []byte) []hunk {
	var out []hunk
	for _, h := range textdiff.Hunks(before, after, 0) {
		var one hunk
		for i, l := range h.Lines {
			if l.Op == '-' && isBlank(one.was) {
				one.was = &h.Lines[i]
			}
			if l.Op == '+' && isBlank(one.is) {
				one.is = &h.Lines[i]
			}
		}
		out = append(out, one)
	}
	return out
}

// violation is at the changed line of the head, or at the approved one where lines were only
// removed.
func (h hunk) violation(p Pair, kind violation.Kind, description string) workflow.Finding {
	var was, is violation.Place
	if h.was != nil {
		was = violation.Place{Path: p.Path, Line: h.was.Old, Text: h.was.Text}
	}
	if h.is != nil {
		is = violation.Place{Path: p.AfterPath, Line: h.is.New, Text: h.is.Text}
	}
	return violation.Between(kind, was, is, description)
}

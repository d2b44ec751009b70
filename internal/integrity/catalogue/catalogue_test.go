package catalogue

import (
	"slices"
	"testing"

	"workflow-reviewer/internal/syntax"
)

// TestNoContradiction: of two assertions that one call may be, no framework says that one is stronger and another
// that it is weaker.
func TestNoContradiction(t *testing.T) {
	every, pairs := All(), 0
	for _, a := range every {
		for k := range a.stronger {
			for _, b := range every {
				if !slices.ContainsFunc(a.Languages, func(l syntax.Language) bool { return slices.Contains(b.Languages, l) }) {
					continue
				}
				pairs++
				for back := range b.stronger {
					if back[1] == k[2] && back[2] == k[1] && a.shares(b, k[1]) {
						t.Errorf("%s: %s > %s, %s: %s > %s", a.Name, k[1], k[2], b.Name, back[1], back[2])
					}
				}
			}
		}
	}
	if pairs < 100 {
		t.Errorf("only %d pairs", pairs)
	}
}

// shares reports whether two frameworks have an assertion of one name on one receiver.
func (fw *Framework) shares(other *Framework, name string) bool {
	for _, e := range fw.Entries {
		for _, o := range other.Entries {
			isShared := func(r string) bool { return slices.Contains(o.Receivers, r) }
			if e.Name == name && o.Name == name && slices.ContainsFunc(e.Receivers, isShared) {
				return true
			}
		}
	}
	return false
}

func TestDataErrors(t *testing.T) {
	for _, text := range []string{
		"", "language Go\nEqual a b", "language Go\non t\nrelation x y", "language Go\non t\nrelation x\nA\norder A > B",
		"language Go\non t\nrelation x\nA\nB\norder A < B",
	} {
		if _, err := parse("x", text); err == nil {
			t.Errorf("parse(%q) gives no error", text)
		}
	}
}

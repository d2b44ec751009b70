package layout_test

import (
	"slices"
	"testing"

	"workflow-reviewer/internal/layout"
)

// TestCanonical: a document has one canonical path in all its states, by the
// layouts of the set alone.
func TestCanonical(t *testing.T) {
	own := layout.Layout{
		Spec: layout.Patterns{
			"proposals/{state}/{feature}.md",
		}, Companions: layout.Patterns{"proposals/{state}/{feature}/**"},
		Bug: layout.Patterns{
			"defects/open/{feature}.md",
		}, Fixed: layout.Patterns{"defects/closed/{feature}.md"},
		State: layout.State{Folders: layout.Folders{
			Proposed: layout.Patterns{
				"draft",
			}, Todo: layout.Patterns{"accepted"}, Done: layout.Patterns{"done", "dropped-????"},
		}}, OnApproved: "move",
	}
	s := set(t, append([]layout.Layout{own}, layout.Builtin()...)...)
	for path, want := range map[string]string{
		"specs/todo/x.md": "specs/*/x.md", "bugs/fixing/x.md": "bugs/fixed/x.md", "bugs/fixed/x.md": "bugs/fixed/x.md",
		"proposals/draft/x.md": "proposals/*/x.md", "proposals/dropped-2026/x.md": "proposals/*/x.md",
		"proposals/accepted/x/notes.md": "proposals/*/x/notes.md", "proposals/elsewhere/x.md": "proposals/elsewhere/x.md",
		"defects/open/x.md": "defects/closed/x.md", "defects/closed/x.md": "defects/closed/x.md",
		"src/x.py": "src/x.py", "": "",
	} {
		if got := s.Canonical(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
	for _, at := range []string{"draft", "accepted", "done"} {
		m, _ := s.Match("proposals/" + at + "/x.md")
		if got := m.Companions().Among([]string{"proposals/draft/x/notes.md"}); !slices.Equal(
			got,
			[]string{"proposals/draft/x/notes.md"},
		) {
			t.Errorf("a spec in %s has the companions %q", at, got)
		}
	}
}

//go:build !race

package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/workflow"
)

// TestLosses: one finding says what tests that nobody approved lost, and nothing of
// what is only suspected.
func TestLosses(t *testing.T) {
	ask := func(kind, file string, line int, shown bool) workflow.Finding {
		return workflow.Finding{Key: fmt.Sprint(kind, file, line), Kind: kind, File: file, Line: line, Text: kind, Shown: shown}
	}
	for name, c := range map[string]struct {
		questions []workflow.Finding
		want      string // the title, and the places below
	}{
		"nothing":        {nil, ""},
		"only suspected": {[]workflow.Finding{ask("echo", "a.py", 3, false), ask("config_narrowed", "tox.ini", 2, false)}, ""},
		"one": {
			[]workflow.Finding{ask("echo", "a.py", 3, false), ask("test_skipped", "t.py", 4, true)},
			"test skipped\n- test skipped: t.py:4",
		},
		"several kinds": {
			[]workflow.Finding{
				ask("test_skipped", "t.py", 4, true), ask("test_skipped", "t.py", 5, true),
				ask("retries_added", "t.py", 10, true), ask("tautology", "t.py", 11, true), ask("test_focused", "t.py", 12, true),
			},
			"retries added, test focused, test skipped\n" +
				"- test skipped: t.py:4\n- test skipped: t.py:5\n- retries added: t.py:10\n- test focused: t.py:12",
		},
		"only warned of": {[]workflow.Finding{
			ask("test_deleted", "t.py", 1, true), ask("assertion_removed", "t.py", 3, true), ask("params_dropped", "t.py", 8, true),
			ask("helper_weakened", "u.py", 1, true), ask("ci_neutered", "ci.yml", 1, true),
			ask("assertion_weakened", "t.py", 4, true), ask("exception_swallowed", "t.py", 9, true),
			ask("early_return", "t.py", 10, true), ask("test_uncollected", "t.py", 7, true),
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, i := range losses(c.questions) {
				_, places, _ := strings.Cut(i.Text, "\n")
				got += strings.TrimPrefix(i.Title, "Tests demand less than before: ") + "\n" + places
				if i.Level != workflow.Warn || i.Kind == "" || i.File == "" {
					t.Errorf("%+v", i)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	many := make([]workflow.Finding, 14)
	for n := range many {
		many[n] = ask("test_skipped", "t.py", n+2, true)
	}
	if text := losses(many)[0].Text; strings.Count(text, "\n- ") != maxPlaces+1 || !strings.HasSuffix(text, "- and 4 more") {
		t.Errorf("not cut: %s", text)
	}
}

package detect_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/detect"
)

// TestPinOfThisAction: a change of what reviews is told, whatever else it
// changes.
func TestPinOfThisAction(t *testing.T) {
	const (
		flow = ".github/workflows/review.yml"
		lock = ".github/workflows/actions.lock"
		uses = "jobs:\n  r:\n    steps:\n      - uses: actions/checkout@v7\n" +
			"      - uses: octo/workflow-reviewer@v1\n        with:\n          engine: rules\n"
		// As GitHub's extension writes it.
		locked = "version: 'v0.0.2'\ndependencies:\n    'actions/checkout@v7':\n        ref: 'v7'\n        commit: 'sha1-aaaa'\n" +
			"    'octo/workflow-reviewer@v1':\n        ref: 'v1'\n        commit: 'sha1-1111'\n        owner_id: 1\n" +
			"    'z/z@v1':\n        commit: 'sha1-2222'\n"
	)
	for name, tt := range map[string]struct {
		old, now files
		want     string // of a warning; "" for none
	}{
		"another version": {
			files{flow: uses},
			files{flow: strings.Replace(uses, "r@v1", "r@v2", 1)},
			`"octo/workflow-reviewer@v1" before, "octo/workflow-reviewer@v2" now`,
		},
		"another version of the setup": {
			files{flow: strings.ReplaceAll(uses, "r@v1", "r/setup@v1")},
			files{flow: strings.ReplaceAll(uses, "r@v1", "r/setup@v2")},
			`"octo/workflow-reviewer/setup@v1" before, "octo/workflow-reviewer/setup@v2" now`,
		},
		"another version without codex": {
			files{flow: strings.ReplaceAll(uses, "r@v1", "r/slim@v1")},
			files{flow: strings.ReplaceAll(uses, "r@v1", "r/slim@v2")},
			`"octo/workflow-reviewer/slim@v1" before, "octo/workflow-reviewer/slim@v2" now`,
		},
		"another owner": {
			files{flow: uses}, files{flow: strings.Replace(uses, "octo", "evil", 1)}, `"evil/workflow-reviewer@v1" now`,
		},
		"taken out": {
			files{flow: uses}, files{flow: strings.Replace(uses, "octo/workflow-reviewer@v1", "octo/other@v1", 1)}, "none now",
		},
		"the workflow deleted":     {files{flow: uses, "a.txt": "a"}, files{"a.txt": "a"}, "none now"},
		"the workflow renamed":     {files{flow: uses}, files{".github/workflows/other.yml": uses}, ""},
		"another action's version": {files{flow: uses}, files{flow: strings.Replace(uses, "@v7", "@v8", 1)}, ""},
		"another commit in the lock": {
			files{lock: locked}, files{lock: strings.Replace(locked, "1111", "6666", 1)}, "commit: 'sha1-6666'",
		},
		"first entry in a lock": {files{lock: "version: 'v0.0.2'\n"}, files{lock: locked}, "none before"},
		"another's commit in the lock": {
			files{lock: locked}, files{lock: strings.NewReplacer("aaaa", "bbbb", "2222", "3333").Replace(locked)}, "",
		},
		"first use": {files{"a.txt": "a"}, files{"a.txt": "a", flow: uses}, ""},
		"mentioned in a README": {
			files{"README.md": uses}, files{"README.md": strings.Replace(uses, "r@v1", "r@v2", 1)}, "",
		},
		"a long list": {
			files{flow: uses}, files{flow: strings.Repeat("octo/workflow-reviewer@v2\n", 1000)}, "…",
		},
		"what no terminal shows": {
			files{flow: uses}, files{flow: strings.Replace(uses, "r@v1", "r@v1\x1b[2K", 1) + "# octo/workflow-reviewer@v9\x1b"}, `@v9"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, n := range find(t, tt.old, tt.now, detect.Options{}).Notices {
				if n.Warns() && strings.Contains(n.Text, "version of this action") {
					got += n.File + ": " + n.Text + "\n"
				}
			}
			if !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") ||
				len(got) > 2000 ||
				strings.Contains(got, "\x1b") {
				t.Errorf("warnings %q, want %q", got, tt.want)
			}
		})
	}
}

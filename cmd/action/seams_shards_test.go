package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestShardSeams: what lies between plan, review and report is none of theirs
// unless it fits; whatever it is, the report ends, and green only with a review
// of each artifact of this head.
func TestShardSeams(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	ev := w.pull("opened")
	w.inputs["commit"] = "off" // every report begins on the same head
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	good := w.delivered("1")
	edit := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("no %q in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, c := range map[string]struct {
		content  string // of the shard's file
		change   func()
		code     int
		decision string
		says     string
	}{
		"a NUL in a path":       {edit(`specs/proposed/login.md`, `specs/proposed/login.md\u0000`), nil, 2, "ERROR", "is of other files"},
		"cut within an escape":  {good[:strings.Index(good, `\"`)+1], nil, 2, "ERROR", "does not fit its schema"},
		"UTF-16":                {"\xff\xfe" + strings.Join(strings.Split(good, ""), "\x00"), nil, 2, "ERROR", "does not fit its schema"},
		"nested 1,000,000 deep": {strings.Repeat("[", 1_000_000), nil, 2, "ERROR", "does not fit its schema"},
		"a shard's number twice": {
			edit(`"shard": 1,`, `"shard": 1, "shard": 2,`), nil, 2, "ERROR", "results-1.json",
		},
		"attempt 100,001":        {edit(`"attempt": 1`, `"attempt": 100001`), nil, 2, "ERROR", "does not fit its schema"},
		"more tokens than exist": {edit(`"output": `, `"output": 9223372036854775807`), nil, 2, "ERROR", "does not fit its schema"},
		"an additional shard":    {good, func() { w.deliver("2", edit(`"shard": 1,`, `"shard": 2,`)) }, 0, "APPROVED", ""},
		"an additional file that is no result": {good, func() {
			if err := os.WriteFile(filepath.Join(w.results(), "results-x.json"), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, 0, "APPROVED", ""},
		"a file in the folder's place": {"", func() {
			remove(t, w.results())
			if err := os.WriteFile(w.results(), []byte(good), 0o600); err != nil {
				t.Fatal(err)
			}
		}, 2, "ERROR", ""},
		"nothing at all": {"", func() { remove(t, w.results()) }, 2, "ERROR", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			remove(t, w.results())
			w.deliver("1", c.content)
			inputs := w.inputs
			w.inputs = with(inputs)
			defer func() { w.inputs = inputs }()
			if c.change != nil {
				c.change()
			}
			o := w.report(ev)
			o.ends(c.code, c.decision)
			if !strings.Contains(o.outputs["reviews"]+o.saved("report.json"), c.says) {
				t.Errorf("nothing says %q: %s", c.says, o.summary)
			}
			w.allClosed()
			if gate := w.check(w.head(), "workflow-reviewer"); (gate.Conclusion == "success") != (c.code == 0) {
				t.Errorf("exit status %d and the gate %+v", o.code, gate)
			}
		})
	}
	t.Run("types set between the jobs", func(t *testing.T) {
		w.t = t
		remove(t, w.results())
		w.report(ev).ends(2, "ERROR")
		w.inputs["types"] = "scope"
		defer delete(w.inputs, "types")
		w.report(ev).ends(2, "ERROR") // nothing of this type, which is no verdict for the others
		w.gateIs("failure", "#7 into `main` did not run")
	})
	t.Run("a push between the jobs", func(t *testing.T) {
		w.t = t
		remove(t, w.results())
		w.deliver("1", good)
		w.push(map[string]string{"specs/proposed/login.md": goodSpec + "\nMore.\n"})
		w.report(ev).ends(2, "ERROR")
		for _, c := range w.gh.Checks() {
			if c.HeadSHA == w.head() && c.Name == "workflow-reviewer" && c.Conclusion == "success" {
				t.Errorf("what was pushed is green unreviewed: %+v", c)
			}
		}
	})
}

package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestCommandsBehindAWord: with "commands": {"prefix": "/wr"} another tool's /review asks nothing of us, and every text
// that names a command names ours.
func TestCommandsBehindAWord(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		map[string]string{
			".workflow/config.json": `{"commands":{"prefix":"/wr"},"iterations":{"max":1}}`,
			"ROADMAP.md":            roadmap,
		},
		map[string]string{"specs/proposed/login.md": goodSpec},
		codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))),
	)
	head := w.head()
	w.run(w.comment("octocat", "/review")).ends(0, "NONE")
	w.run(w.comment("mallory", "/review please")).ends(0, "NONE")
	if n := len(w.gh.Checks()) + len(w.gh.Reactions()) + w.model.Count(); n > 0 || len(w.gh.Comments()) != 2 {
		t.Fatalf("another tool's command was followed or answered: %d, %+v", n, w.gh.Comments())
	}
	w.run(w.comment("octocat", "/wr review")).ends(1, "NEEDS-CHANGES")
	texts := w.check(head, "workflow-reviewer").Summary
	w.run(w.pull("synchronize")).ends(1, "NEEDS-CHANGES") // a person must decide
	w.run(w.comment("octocat", "/wr override")).ends(0, "NONE")
	for _, c := range w.gh.Comments() {
		if c.Author == "github-actions[bot]" {
			texts += c.Body
		}
	}
	for _, c := range w.gh.Checks() {
		texts += c.Summary + c.Text
	}
	for _, command := range []string{"review", "override", "dismiss"} {
		if !strings.Contains(texts, "/wr "+command) || strings.Contains(texts, "`/"+command) ||
			strings.Contains(texts, "omment /"+command) {
			t.Errorf("the command %q is not named as it is to be written:\n%s", command, texts)
		}
	}
	w.run(w.comment("mallory", "/wr review")).ends(0, "NONE")
	if w.model.Count() != 1 {
		t.Errorf("%d model requests", w.model.Count())
	}
}

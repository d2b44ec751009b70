package rules_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestPageOfKnownValues: what other files of the project call a function with, and the types of its
// TypeScript, say whether a text of somebody else can come into a page.
func TestPageOfKnownValues(t *testing.T) {
	const show = "export function show(kind) {\n  box.innerHTML = `<b>${kind}</b>`;\n}\n"
	const card = "import { Metric } from './types';\n\nexport class Card {\n  draw(m: Metric) {\n" +
		"    this.el.innerHTML = `<b>${m.total}</b><i>${m.kind}</i>`;\n  }\n}\n"
	for name, c := range map[string]struct {
		file  string
		texts map[string]string
		want  int
	}{
		"nobody calls it": {"src/show.js", map[string]string{"src/show.js": show}, 1},
		"constants alone": {"src/show.js", map[string]string{
			"src/show.js": show, "src/a.js": "import { show } from './show';\nshow('info');\nshow(KINDS.error);\n",
			"index.html": `<button onclick="show('csv')">CSV</button>`,
		}, 0},
		"another value": {"src/show.js", map[string]string{
			"src/show.js": show, "src/a.js": "import { show } from './show';\nshow('info');\nshow(post.kind);\n",
		}, 1},
		"handed on": {"src/show.js", map[string]string{
			"src/show.js": show, "src/a.js": "import { show } from './show';\nshow('info');\nposts.forEach(show);\n",
		}, 1},
		"handed on by a name": {"src/show.js", map[string]string{
			"src/show.js": show, "src/a.js": "import { show } from './show';\nshow('info');\nsetUp({ onKind: show });\n",
		}, 1},
		"under another name": {"src/show.js", map[string]string{
			"src/show.js": show, "src/a.js": "import { show as display, show } from './show';\nshow('info');\ndisplay(post.kind);\n",
		}, 1},
		"the file's own": {"src/show.js", map[string]string{
			"src/show.js": "export default " + show[len("export "):], "src/a.js": "import draw from './show';\ndraw(post.kind);\n",
			"src/b.js": "show('info');\n",
		}, 1},
		"in a test alone": {"src/show.js", map[string]string{
			"src/show.js": show, "src/show.test.js": "import { show } from './show';\ntest('a', () => show('info'));\n",
		}, 1},
		"numbers and a choice": {"src/card.ts", map[string]string{
			"src/card.ts": card, "src/types.ts": "export type Kind = 'a' | 'b';\n\n" +
				"export interface Metric {\n  total: number;\n  kind: Kind;\n}\n",
		}, 0},
		"a text among them": {"src/card.ts", map[string]string{
			"src/card.ts": card, "src/types.ts": "export interface Metric {\n  total: number;\n  kind: string;\n}\n",
		}, 1},
		"two types of a name": {"src/card.ts", map[string]string{
			"src/card.ts": card, "src/types.ts": "export interface Metric {\n  total: number;\n  kind: number;\n}\n",
			"src/more.ts": "export interface Metric {\n  total: number;\n  kind: string;\n}\n",
		}, 1},
		"the type of a parameter": {"src/a.ts", map[string]string{
			"src/a.ts": "export function draw(v: { active: number; total: number }) {\n  box.innerHTML = `<b>${v.active}</b>`;\n}\n",
		}, 0},
		"a text of a parameter": {"src/a.ts", map[string]string{
			"src/a.ts": "export function draw(v: { active: number; label: string }) {\n  box.innerHTML = `<b>${v.label}</b>`;\n}\n",
		}, 1},
	} {
		if got := found(t, input(workflow.Implementation, nil, c.texts, c.file), "code/unsafe-html"); len(got) != c.want {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

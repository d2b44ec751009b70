package main_test

import (
	"strings"
	"testing"
)

// TestWhatIsNotReadIsSaid: a language without a parser is named in the review file, the comment and the terminal; the
// scripts of components are read.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	t.Parallel()
	base, change := map[string]string{"README.md": "# Shop\n"}, map[string]string{
		"src/Cart.kt": "fun total(a: Int): Int {\n  return a\n}\n", "src/cart.swift": "func total() -> Int { 1 }\n", "src/cart.php": "<?php function total() { return 1; }\n",
		"src/Cart.vue": "<script>export default { name: 'cart' }</script>\n", "src/Sum.svelte": "<script>let a = 1;</script>\n",
	}
	w := newWorld(t, base, change, nil)
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	code, terminal, _ := program(t, "local", "--repo", adderClone(t, base, change), "--base", "origin/main", "--engine", "rules")
	const says = "Of Kotlin, Swift only the text was looked at, as for secrets."
	for place, text := range map[string]string{
		"file": w.repo.Git("show", "feature/login:"+o.reviews()[0].Path), "comment": w.gh.Comments()[0].Body,
		"terminal": strings.Join(strings.Fields(terminal), " "),
	} {
		if !strings.Contains(text, says) {
			t.Errorf("the %s (exit status %d) lacks %q:\n%s", place, code, says, text)
		}
	}
}

package detect

import (
	"strings"
	"unicode"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

// onlyImports reports whether hunks without context add imports alone, of names that the source did
// not have before: what it did, it does. What an import binds by `*` may give way to other names,
// so nothing is known where there is one.
func onlyImports(tree *syntax.Tree, before []byte, hunks []change.Hunk) bool {
	had := map[string]bool{}
	for _, word := range strings.FieldsFunc(string(before), isNoName) {
		had[word] = true
	}
	takesNew := map[syntax.Node]bool{}
	for m := range query.For(tree.Language(), "imports").Matches(tree.Root()) {
		n := m.Node("import")
		if strings.Contains(n.Text(), "*") {
			return false
		}
		takesNew[n] = bindsNew(n, m.Node("from"), had)
	}
	says := map[int]string{} // by line what stands there
	for n := range tree.Root().Children() {
		for line := n.StartLine(); line <= n.EndLine(); line++ {
			if says[line] == "" && takesNew[n] {
				says[line] = "new import"
			} else {
				says[line] = "more"
			}
		}
	}
	for _, h := range hunks {
		for line := h.NewStart; line < h.NewStart+h.NewLines; line++ {
			if says[line] != "new import" {
				return false
			}
		}
		if h.OldLines > 0 {
			return false
		}
	}
	return len(hunks) > 0
}

// bindsNew reports whether an import names something, and nothing that is in had.
func bindsNew(n, from syntax.Node, had map[string]bool) bool {
	source := map[syntax.Node]bool{}
	for leaf := range from.All("identifier") {
		source[leaf] = true
	}
	names := 0
	for leaf := range n.All("identifier", "type_identifier") {
		if source[leaf] {
			continue
		}
		if names++; had[leaf.Text()] {
			return false
		}
	}
	return names > 0
}

func isNoName(r rune) bool {
	return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/workflow"
)

// onlyImports are tests that demand no more than that a name can be imported:
// its import would fail by itself. Tests of what a package exports may.
func onlyImports(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, c := range s.cases() {
		if !c.touched() || strings.Contains(strings.ToLower(c.name+c.file.path), "export") {
			continue
		}
		imported := importedNames(c.tree)
		name, others := "", false
		c.node.Walk(func(n *kernel.Node) bool {
			if !c.tree.InBlock(n) {
				return true
			}
			a, ok := c.tree.AssertionOf(n)
			if !ok {
				return true
			}
			subject := nameAsserted(c.tree, a)
			if subject == "" || !imported[subject] {
				others = true
			}
			name = subject
			return false
		})
		if name != "" && !others && len(c.tree.Body(c.node).Arguments()) <= maxExistence {
			out = append(out, c.issue(fmt.Sprintf("%q only asserts that %s exists", c.name, name)))
		}
	}
	return out
}

// maxExistence is how many statements a test may have that is said to do no more.
const maxExistence = 6

var importedName = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

// importedNames are the names that the file's imports bind.
func importedNames(t *kernel.Tree) map[string]bool {
	out := map[string]bool{}
	t.Root.Walk(func(n *kernel.Node) bool {
		if !strings.HasPrefix(n.Kind, "import") && n.Kind != "future_import_statement" {
			return true
		}
		for _, name := range importedName.FindAllString(t.Text(n), -1) {
			out[name] = true
		}
		return false
	})
	return out
}

var existence = regexp.MustCompile(`^(?:(?:assert\s+)?(?:callable\s*\(\s*)?([A-Za-z_$][\w$]*)\s*\)?(?:\s+is\s+not\s+None)?` +
	`|expect\(\s*(?:typeof\s+)?([A-Za-z_$][\w$]*)\s*\)\.(?:toBeDefined\(\)|toBeTruthy\(\)|not\.toBeUndefined\(\)|not\.toBeNull\(\)|toBe\(['"]function['"]\)|toBeInstanceOf\(Function\))` +
	`|(?:self\.)?assert(?:IsNotNone|True|\.ok|\.isDefined|\.isFunction)\(\s*(?:callable\()?([A-Za-z_$][\w$]*)\)?\s*\))$`)

// nameAsserted is the name whose being there is all that an assertion demands.
func nameAsserted(t *kernel.Tree, a kernel.Assertion) string {
	m := existence.FindStringSubmatch(strings.TrimSuffix(strings.TrimSpace(t.Text(a.Node)), ";"))
	return strings.Join(m[min(1, len(m)):], "")
}

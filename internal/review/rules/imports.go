package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/lazyregexp"
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
			m := existence.FindStringSubmatch(strings.TrimSuffix(strings.TrimSpace(c.tree.Text(a.Node)), ";"))
			subject := strings.Join(m[min(1, len(m)):], "") // whose being there is all that is demanded
			if subject == "" || !imported[subject] {
				others = true
			}
			name = subject
			return false
		})
		if name != "" && !others && !s.testedBeside(c, name) && len(c.tree.Body(c.node).Arguments()) <= maxExistence {
			out = append(out, c.issue(fmt.Sprintf("%q only asserts that %s exists", c.name, name)))
		}
	}
	return out
}

// testedBeside reports whether another test of the file says the name too.
func (s *subject) testedBeside(of testCase, name string) bool {
	return slices.ContainsFunc(s.cases(), func(c testCase) bool {
		return c.file == of.file && c.node != of.node &&
			lazyregexp.New(`\b`+lazyregexp.Quote(name)+`\b`).MatchString(c.tree.Text(c.node))
	})
}

// maxExistence is how many statements a test may have that is said to do no more.
const maxExistence = 6

var importedName = lazyregexp.New(`[A-Za-z_$][\w$]*`)

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

var existence = lazyregexp.New(`^(?:(?:assert\s+)?(?:callable\s*\(\s*)?([A-Za-z_$][\w$]*)\s*\)?(?:\s+is\s+not\s+None)?` +
	`|expect\(\s*(?:typeof\s+)?([A-Za-z_$][\w$]*)\s*\)\.(?:toBeDefined\(\)|toBeTruthy\(\)|not\.toBeUndefined\(\)|not\.toBeNull\(\)` +
	`|toBe\(['"]function['"]\)|toBeInstanceOf\(Function\))` +
	`|(?:self\.)?assert(?:IsNotNone|True|\.ok|\.isDefined|\.isFunction)\(\s*(?:callable\()?([A-Za-z_$][\w$]*)\)?\s*\))$`)

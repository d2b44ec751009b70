package rules

import (
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// testCase is one test as its runner would collect it: the outermost one where tests hold subtests.
type testCase struct {
	file *source
	tree *kernel.Tree
	node *kernel.Node
	name string
}

// canonical is the tree that the test-integrity check reads, nil if the file was not parsed.
func (f *source) canonical() *kernel.Tree {
	if f.read == nil && f.tree != nil {
		f.read = kernel.Read(f.tree)
	}
	return f.read
}

// cases lists the tests of a file.
func (f *source) cases() []testCase {
	t := f.canonical()
	if t == nil {
		return nil
	}
	var out []testCase
	t.Root.Walk(func(n *kernel.Node) bool {
		u, ok := t.Unit(n)
		if !ok || !isCase(t, u) {
			return true
		}
		out = append(out, testCase{f, t, n, strings.Trim(u.Name, "\"'`")})
		return false
	})
	return out
}

// isCase tells a test from a suite that is skipped, a fixture that is called
// test_client, and a benchmark.
func isCase(t *kernel.Tree, u kernel.Unit) bool {
	marked := func(names ...string) bool {
		return slices.ContainsFunc(t.Marks(u.Node), func(m *kernel.Node) bool {
			name, _ := t.IsMark(m)
			return slices.Contains(names, strings.TrimSuffix(lastPart(name), "Attribute"))
		})
	}
	suite, _, _ := strings.Cut(t.Callee(u.Node), ".")
	switch {
	case t.Lang == syntax.Go && t.IsDefinition(u.Node):
		return u.Role == kernel.Test && u.Node.Is("function_declaration") && u.Name != "TestMain" &&
			(strings.HasPrefix(u.Name, "Test") || strings.HasPrefix(u.Name, "Fuzz"))
	case t.Lang == syntax.Java || t.Lang == syntax.CSharp: // imports may stand in another file
		return u.Role == kernel.Test || marked("Test", "ParameterizedTest", "Fact", "Theory", "TestMethod", "TestCase")
	default:
		return u.Role == kernel.Test && !marked("fixture") && !t.Catalogue().Has("suite", strings.TrimPrefix(strings.TrimSuffix(suite,
			"()"), "x"))
	}
}

func lastPart(name string) string { return name[strings.LastIndexAny(name, ".:")+1:] }

func (s *subject) cases() []testCase {
	var out []testCase
	for _, f := range s.tests() {
		out = append(out, f.cases()...)
	}
	return out
}

// touched reports whether the change adds or rewrites a line of the test that
// is more than a comment.
func (c testCase) touched() bool {
	for l := c.node.Line; l <= c.node.End; l++ {
		if c.file.added(l) && strings.TrimSpace(c.file.code[l-1]) != "" {
			return true
		}
	}
	return false
}

func (c testCase) issue(title string) workflow.Issue {
	return workflow.Issue{File: c.file.path, Line: c.node.Line, EndLine: c.node.End, Title: title}
}

// empty reports whether the body holds no statement but pass or a doc string.
func (c testCase) empty() bool {
	body := c.tree.Body(c.node)
	return body != nil && !slices.ContainsFunc(body.Kids, func(n *kernel.Node) bool {
		return n.Kind != n.Text && !n.Is("pass_statement", "string", "expression_statement") ||
			n.Is("expression_statement") && !(len(n.Kids) == 1 && n.Kids[0].Is("string", "ellipsis"))
	}) && !hasExpression(c)
}

// idle reports whether the test does nothing, or only sets values to constants; one of
// pytest-bdd has its steps. Ruby's calls look like names, so its tests never do.
func (c testCase) idle() bool {
	body := c.tree.Body(c.node)
	return !slices.ContainsFunc(c.tree.Marks(c.node), func(m *kernel.Node) bool {
		name, _ := c.tree.IsMark(m)
		return lastPart(name) == "scenario"
	}) && (c.empty() || body != nil && c.tree.Lang != syntax.Ruby && !hasExpression(c) && !body.Any(func(n *kernel.Node) bool {
		return c.tree.Callee(n) != "" || acts.MatchString(n.Kind)
	}))
}

// acts matches the kinds of nodes that may run code, or that demand something.
var acts = lazyregexp.New(`(?:^|_)(?:call|new|creation|invocation|macro|await|yield|throw|raise|assert|try|with|using|import|delete` +
	`|attribute|member|selector|field|subscript|index|element|` +
	`update|inc|dec|augmented|compound|binary|boolean|comparison|return|jsx|satisfies|function|lambda|class|for|while|if|send|go` +
	`|defer)(?:_|$)`)

// hasExpression reports whether the test is an expression without a block: the
// block that was found belongs to something in it.
func hasExpression(c testCase) bool {
	body := c.tree.Body(c.node)
	fn := c.tree.FunctionOf(body)
	return fn != nil && fn != c.node && c.tree.UnitOf(fn).Node != c.node
}

// skipped reports whether the test never runs, for certain or under a condition.
func (c testCase) skipped() bool {
	return c.node.Any(func(n *kernel.Node) bool {
		name, mark := c.tree.IsMark(n)
		return mark && (c.tree.Catalogue().Has("skip", name) || name == "Ignore" || name == "Disabled") ||
			skipOf(c.tree, n) != "" || c.tree.Skips(n) || strings.HasSuffix(c.tree.Callee(n), ".Skip")
	})
}

// wordsOf are the words of the names in a node, in lower case: getByText is get,
// by and text. What stands in strings does not count.
func wordsOf(n *kernel.Node, visit func(word string) bool) {
	n.Leaves(func(l *kernel.Node) bool {
		if strings.Contains(l.Kind, "string") || strings.Contains(l.Kind, "comment") || !strings.ContainsFunc(l.Text, unicode.IsLetter) {
			return true
		}
		for _, w := range wordAt.FindAllString(splitCamel(l.Text), 20) {
			if !visit(strings.ToLower(w)) {
				return false
			}
		}
		return true
	})
}

var camel = lazyregexp.New(`([a-z0-9])([A-Z])`)

func splitCamel(s string) string {
	return strings.ReplaceAll(camel.ReplaceAllString(s, "$1 $2"), "_", " ")
}

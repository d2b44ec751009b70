package rules

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// testCase is one test function as a runner would collect it.
type testCase struct {
	file  *source
	node  syntax.Node // the whole: function, or call that registers it
	body  syntax.Node // no node if it has none
	name  string
	scope int // first byte of the class or function that holds it, 0 for the file
}

// text is the test without comments and the content of strings.
func (c testCase) text() string {
	return strings.Join(c.file.code[c.node.StartLine()-1:min(c.node.EndLine(), len(c.file.code))], "\n")
}

// touched reports whether the change adds or rewrites a line of the test that
// is more than a comment.
func (c testCase) touched() bool {
	for l := c.node.StartLine(); l <= c.node.EndLine(); l++ {
		if c.file.added(l) && strings.TrimSpace(c.file.code[l-1]) != "" {
			return true
		}
	}
	return false
}

// cases lists the test functions of a file.
func (f *source) cases() []testCase {
	if f.tree == nil {
		return nil
	}
	var out []testCase
	f.tree.Root().Walk(func(n syntax.Node) bool {
		c, ok := f.asCase(n)
		if ok {
			c.file, c.node = f, n
			c.scope = n.Up("class_definition", "class_declaration", "class", "module", "function_definition", "mod_item", "call", "call_expression").StartByte()
			out = append(out, c)
		}
		return !ok
	})
	return out
}

var (
	goTest    = regexp.MustCompile(`^(?:Test|Fuzz)(?:$|[^a-z])`)
	scriptRun = regexp.MustCompile(`^(?:it|test|specify|xit|xtest|fit)(?:\.[\w.]+)*$`)
	javaTest  = regexp.MustCompile(`@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b`)
	csTest    = regexp.MustCompile(`\b(?:Test|Fact|Theory|TestMethod|TestCase|DataTestMethod)(?:Attribute)?\b`)
	rustTest  = regexp.MustCompile(`\[(?:\w+::)*(?:test|rstest)\b`)
)

func (f *source) asCase(n syntax.Node) (testCase, bool) {
	name := n.Field("name").Text()
	c := testCase{name: name, body: n.Field("body")}
	switch f.language {
	case syntax.Python:
		return c, n.Is("function_definition") && strings.HasPrefix(name, "test")
	case syntax.Go:
		return c, n.Is("function_declaration") && goTest.MatchString(name) && name != "TestMain"
	case syntax.Java:
		return c, n.Is("method_declaration") && javaTest.MatchString(n.Child("modifiers").Text())
	case syntax.CSharp:
		return c, n.Is("method_declaration") && hasAttribute(n, csTest)
	case syntax.Rust:
		return c, n.Is("function_item") && rustAttribute(n)
	case syntax.Ruby:
		return f.rubyCase(n, c)
	default:
		return f.scriptCase(n)
	}
}

func hasAttribute(n syntax.Node, re *regexp.Regexp) bool {
	for c := range n.Children() {
		if c.Is("attribute_list") && re.MatchString(c.Text()) {
			return true
		}
	}
	return false
}

// rustAttribute looks at the attributes above a function, its elder siblings.
func rustAttribute(n syntax.Node) bool {
	found := false
	for c := range n.Parent().Children() {
		switch {
		case c.StartByte() >= n.StartByte():
			return found
		case c.Is("attribute_item"):
			found = found || rustTest.MatchString(c.Text())
		case !c.IsComment():
			found = false
		}
	}
	return found
}

func (f *source) rubyCase(n syntax.Node, c testCase) (testCase, bool) {
	if n.Is("method") {
		return c, strings.HasPrefix(c.name, "test_")
	}
	if !n.Is("call") || n.Field("block").IsZero() {
		return c, false
	}
	c.body = n.Field("block")
	c.name = cutLine(n.Field("arguments").Text(), 80)
	switch n.Field("method").Text() {
	case "it", "specify", "xit", "fit", "test":
		return c, n.Field("receiver").IsZero()
	default:
		return c, false
	}
}

// scriptCase takes it("…", () => {…}) and its kin.
func (f *source) scriptCase(n syntax.Node) (testCase, bool) {
	if !n.Is("call_expression") {
		return testCase{}, false
	}
	callee := n.Field("function")
	if callee.Is("call_expression") { // it.each(table)("…", …)
		callee = callee.Field("function")
	}
	if !scriptRun.MatchString(blanks.ReplaceAllString(callee.Text(), "")) {
		return testCase{}, false
	}
	args := n.Field("arguments").Named()
	if len(args) < 2 {
		return testCase{}, false
	}
	for _, a := range args[1:] {
		if a.Is("arrow_function", "function_expression", "generator_function") {
			return testCase{name: cutLine(strings.Trim(args[0].Text(), "\"'`"), 80), body: a.Field("body")}, true
		}
	}
	return testCase{}, false
}

// Package testcount counts the tests of a source by its syntax: how many a runner runs at least,
// and how many of these may be skipped. What depends on more than the source – loops, conditions,
// inherited and generated tests – counts as none, so that the count is never above what runs.
package testcount

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// Count counts the tests that a source has at least.
type Count struct {
	Tests int
	// Skips of them may be skipped: they are marked so, or have a call that skips.
	Skips int
}

// Add is the sum of two counts.
func (c Count) Add(o Count) Count { return Count{c.Tests + o.Tests, c.Skips + o.Skips} }

// Of counts the tests of a source. One of a language that is not read, or that cannot be parsed,
// has none.
func Of(ctx context.Context, p string, src []byte) Count {
	lang, ok := syntax.LanguageOf(p)
	count := counters[lang]
	if !ok || count == nil {
		return Count{}
	}
	tree, err := syntax.Parse(ctx, lang, src)
	if err != nil || tree.HasError() {
		return Count{}
	}
	c := &counter{path: p, src: string(src), seen: map[string]bool{}}
	count(c, tree.Root())
	return c.Count
}

var counters = map[syntax.Language]func(c *counter, root syntax.Node){
	syntax.Python: python, syntax.Go: golang, syntax.JavaScript: scripts, syntax.TypeScript: scripts, syntax.TSX: scripts,
	syntax.Java: java, syntax.CSharp: csharp, syntax.Rust: rust, syntax.Ruby: ruby,
}

// counter counts the tests of one source.
type counter struct {
	Count
	path, src string
	seen      map[string]bool // names of tests: the second of a name takes the first one's place
}

// test counts one of a name.
func (c *counter) test(name string, skips bool) {
	if name != "" && c.seen[name] {
		return
	}
	c.seen[name] = true
	c.Tests++
	if skips {
		c.Skips++
	}
}

var (
	pythonSkips = lazyregexp.New(`\b(?:skip\w*|xfail|SkipTest|importorskip)\b`)
	moduleSkips = lazyregexp.New(`(?m)^(?:pytestmark\b.*(?:skip|xfail)|\s*pytest\.(?:skip|importorskip)\(.*|raise \w*\.?SkipTest)`)
	usesPytest  = lazyregexp.New(`(?m)^\s*(?:import|from)\s+pytest\b`)
	usesUnit    = lazyregexp.New(`(?m)^\s*(?:import|from)\s+(?:unittest|django\.test)\b`)
)

// python counts functions and classes at the level of the module. Files of unittest have no tests
// outside of classes.
func python(c *counter, root syntax.Node) {
	all := moduleSkips.MatchString(c.src)
	unit := usesUnit.MatchString(c.src) && !usesPytest.MatchString(c.src)
	for _, n := range root.Named() {
		definition, marks := undecorated(n)
		switch {
		case definition.Is("function_definition") && !unit && strings.HasPrefix(name(definition), "test"):
			c.test(name(definition), all || pythonSkips.MatchString(n.Text()))
		case definition.Is("class_definition"):
			c.pythonClass(definition, unit, all || pythonSkips.MatchString(marks))
		}
	}
}

// undecorated is a definition of Python without its decorators, and these.
func undecorated(n syntax.Node) (definition syntax.Node, marks string) {
	if !n.Is("decorated_definition") {
		return n, ""
	}
	definition = n.Field("definition")
	return definition, n.Text()[:definition.StartByte()-n.StartByte()]
}

func name(n syntax.Node) string { return n.Field("name").Text() }

// pythonClass counts the methods of a class that a runner collects: none if it is called like no
// test, has a constructor, or says __test__.
func (c *counter) pythonClass(class syntax.Node, unit, skips bool) {
	bases := class.Field("superclasses").Text()
	isUnit := strings.Contains(bases, "Test")
	if !isUnit && (unit || !strings.HasPrefix(name(class), "Test")) {
		return
	}
	var tests []syntax.Node
	for _, n := range class.Field("body").Named() {
		method, _ := undecorated(n)
		switch {
		case !isUnit && name(method) == "__init__", strings.HasPrefix(n.Text(), "__test__"):
			return // no runner takes the class for tests
		case method.Is("function_definition") && strings.HasPrefix(name(method), "test"):
			tests = append(tests, n)
		}
	}
	skips = skips || skipsAll.MatchString(class.Field("body").Text())
	for _, n := range tests {
		method, _ := undecorated(n)
		c.test(name(class)+"."+name(method), skips || pythonSkips.MatchString(n.Text()))
	}
}

// skipsAll is a method that runs before all tests of a class and may skip them.
var skipsAll = lazyregexp.New(`(?s)def (?:setUp|setUpClass|setup_method|setup_class)\b.*?\b(?:skip\w*|SkipTest)\b`)

var (
	goConstraint = lazyregexp.New(`(?m)^//(?:go:build| \+build)`)
	goPlatform   = lazyregexp.New(`_(?:windows|darwin|linux|freebsd|netbsd|openbsd|plan9|js|wasm|amd64|arm64|386|arm)_test\.go$`)
	goSkips      = lazyregexp.New(`\.Skip(?:f|Now)?\(`)
)

// golang counts functions of the forms that go test runs. A file with a build constraint, or for
// one platform, may not run at all and counts none.
func golang(c *counter, root syntax.Node) {
	if !strings.HasSuffix(c.path, "_test.go") || goConstraint.MatchString(c.src) || goPlatform.MatchString(c.path) {
		return
	}
	for _, n := range root.Named() {
		parameters := n.Field("parameters").Text()
		if n.Is("function_declaration") && (isGoTest(name(n), "Test") && strings.Contains(parameters, "testing.T)") ||
			isGoTest(name(n), "Fuzz") && strings.Contains(parameters, "testing.F)")) {
			c.test(name(n), goSkips.MatchString(n.Text()))
		}
	}
}

// isGoTest reports whether go test takes a function of that name for a test.
func isGoTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(first)
}

var (
	scriptTest  = lazyregexp.New(`^(?:it|test|specify|xit|xtest|fit)(?:\.(?:skip|only|todo|concurrent|failing|fails|sequential))*$`)
	scriptSuite = lazyregexp.New(`^(?:x|f)?(?:describe|suite|context)(?:\.(?:skip|only|concurrent|sequential|todo))*$`)
	scriptSkips = lazyregexp.New(`^x|\.(?:skip|todo)\b`)
	skipsInside = lazyregexp.New(`\b(?:this|t|ctx|context|test)\.(?:skip|todo)\(|\b(?:skip|todo):`)
)

func scripts(c *counter, root syntax.Node) { c.scriptBlock(root, false) }

// scriptBlock counts the statements of a file, or of what a suite is given as its function.
func (c *counter) scriptBlock(block syntax.Node, skips bool) {
	for _, statement := range block.Named() {
		call := statement.Child("call_expression", "await_expression")
		if call.Is("await_expression") {
			call = call.Child("call_expression")
		}
		if !statement.Is("expression_statement") || call.IsZero() {
			continue
		}
		callee := call.Field("function").Text()
		arguments := call.Field("arguments")
		switch skipped := skips || scriptSkips.MatchString(callee); {
		case scriptTest.MatchString(callee):
			c.test("", skipped || skipsInside.MatchString(arguments.Text()))
		case scriptSuite.MatchString(callee):
			for _, f := range arguments.Named() {
				if body := f.Field("body"); body.Is("statement_block") {
					c.scriptBlock(body, skipped || strings.Contains(arguments.Text(), "skip:"))
				}
			}
		}
	}
}

var (
	javaTest   = lazyregexp.New(`^@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b`)
	javaSkips  = lazyregexp.New(`@(?:[\w.]+\.)?(?:Disabled\w*|Ignore|Enabled\w*)\b`)
	javaAssume = lazyregexp.New(`\b(?:assume\w*|Assume|Assumptions)\b|enabled\s*=\s*false`)
)

// java counts the tests of the classes at the top of a file.
func java(c *counter, root syntax.Node) {
	for _, n := range root.Named() {
		if n.Is("class_declaration") {
			c.javaClass(n, false)
		}
	}
}

// javaClass counts methods that are marked as tests, or called so in a TestCase. Nested classes
// count, abstract ones do not.
func (c *counter) javaClass(class syntax.Node, skips bool) {
	marks := class.Child("modifiers")
	if strings.Contains(" "+marks.Text()+" ", " abstract ") {
		return
	}
	skips = skips || javaSkips.MatchString(marks.Text())
	old := strings.Contains(class.Field("superclass").Text(), "TestCase")
	for _, n := range class.Field("body").Named() {
		m := n.Child("modifiers")
		switch {
		case n.Is("class_declaration") && strings.Contains(m.Text(), "@Nested"):
			c.javaClass(n, skips)
		case n.Is("method_declaration") && (isMarked(m, javaTest) || old && strings.HasPrefix(name(n), "test")):
			c.test("", skips || javaSkips.MatchString(m.Text()) || javaAssume.MatchString(n.Text()))
		}
	}
}

func isMarked(marks syntax.Node, as *lazyregexp.Regexp) bool {
	return slices.ContainsFunc(marks.Named(), func(m syntax.Node) bool { return as.MatchString(m.Text()) })
}

var (
	csharpTest  = lazyregexp.New(`\b(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)(?:Attribute)?\b`)
	csharpSkips = lazyregexp.New(`\bSkip\s*=|\b(?:Ignore|Explicit)\b|\b(?:Skip|Assume|Assert\.(?:Ignore|Inconclusive))\b`)
)

// csharp counts methods with an attribute of a test in classes that are not abstract.
func csharp(c *counter, root syntax.Node) {
	for class := range root.All("class_declaration") {
		if strings.Contains(class.Text()[:max(0, class.Field("body").StartByte()-class.StartByte())], "abstract ") {
			continue
		}
		for _, n := range class.Field("body").Named() {
			marks := n.Child("attribute_list")
			if n.Is("method_declaration") && csharpTest.MatchString(marks.Text()) {
				c.test("", csharpSkips.MatchString(n.Text()))
			}
		}
	}
}

var (
	rustTest = lazyregexp.New(`^#\[\s*(?:\w+\s*::\s*)*test\s*(?:\(.*\))?\s*\]$`)
	rustSkip = lazyregexp.New(`^#\[\s*(?:ignore|should_skip)\b`)
	rustOnly = lazyregexp.New(`^#\[\s*cfg(?:_attr)?\b`)
)

func rust(c *counter, root syntax.Node) { c.rustItems(root) }

// rustItems counts functions behind #[test] and its like, in modules too. Items of a condition
// other than cfg(test) are left out.
func (c *counter) rustItems(block syntax.Node) {
	isTest, skips, only := false, false, false
	for _, n := range block.Named() {
		text := n.Text()
		switch {
		case n.IsComment():
			continue
		case n.Is("attribute_item"):
			isTest = isTest || rustTest.MatchString(text)
			skips = skips || rustSkip.MatchString(text)
			only = only || rustOnly.MatchString(text) && strings.Join(strings.Fields(text), "") != "#[cfg(test)]"
			continue
		case only:
		case n.Is("function_item") && isTest:
			c.test("", skips)
		case n.Is("mod_item"):
			c.rustItems(n.Field("body"))
		}
		isTest, skips, only = false, false, false
	}
}

var (
	rubySuite = lazyregexp.New(`^(?:RSpec\.)?x?(?:describe|context)$`)
	rubyTest  = lazyregexp.New(`^(?:it|specify|example|test|xit|xspecify|xexample|fit|pending|skip)$`)
	rubySkips = lazyregexp.New(`\b(?:skip|pending)\b`)
)

func ruby(c *counter, root syntax.Node) { c.rubyBlock(root, false) }

// rubyBlock counts the methods of test classes, and the calls by which RSpec and Minitest declare
// tests.
func (c *counter) rubyBlock(block syntax.Node, skips bool) {
	for _, n := range block.Named() {
		switch {
		case n.Is("class") && strings.Contains(n.Field("superclass").Text(), "Test"), n.Is("module"):
			c.rubyBlock(n.Child("body_statement"), skips)
		case n.Is("method") && strings.HasPrefix(name(n), "test_") && !block.Parent().Is("module"):
			c.test(block.Parent().Field("name").Text()+"#"+name(n), skips || rubySkips.MatchString(n.Text()))
		case n.Is("call"):
			c.rubyCall(n, skips)
		}
	}
}

// rubyCall counts a declared test, or enters a declared suite. An x before the name skips all
// below.
func (c *counter) rubyCall(n syntax.Node, skips bool) {
	callee := n.Field("method").Text()
	if receiver := n.Field("receiver"); !receiver.IsZero() {
		callee = receiver.Text() + "." + callee
	}
	block := n.Field("block")
	body := block.Field("body")
	if body.IsZero() {
		body = block
	}
	arguments := n.Field("arguments").Text()
	switch {
	case block.IsZero():
	case rubySuite.MatchString(callee):
		c.rubyBlock(body, skips || strings.HasPrefix(callee, "x") || rubySkips.MatchString(arguments))
	case rubyTest.MatchString(callee):
		c.test("", skips || strings.HasPrefix(callee, "x") || rubySkips.MatchString(callee+n.Text()))
	}
}

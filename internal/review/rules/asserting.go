package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// assertiveWords begin the words of names that may hold an assertion,
// generously: a false alarm costs more here than a miss.
func assertiveWords() []string {
	return strings.Fields("assert expect eq should verif check must require rais warn fail panic throw ensur valid compar match " +
		"snapshot golden approv equal contain fatal error unwrap reject resolv receiv satisf given quick proptest eventually wait wont " +
		"refut done try lint pass")
}

// speaksOfAsserting reports whether a name in the node is like that of an assertion, or is one of the helpers.
func speaksOfAsserting(n *kernel.Node, helpers map[string]bool) bool {
	found := false
	words := assertiveWords()
	n.Leaves(func(l *kernel.Node) bool {
		found = helpers[l.Text]
		return !found
	})
	if !found {
		wordsOf(n, func(w string) bool {
			found = slices.ContainsFunc(words, func(a string) bool { return strings.HasPrefix(w, a) })
			return !found
		})
	}
	return found
}

// asserts reports whether a test may fail by anything but a crash.
func (c testCase) asserts(helpers map[string]bool) bool {
	parts := c.node.Kids
	if body := c.tree.Body(c.node); body != nil && c.tree.IsDefinition(c.node) {
		parts = append(slices.Clone(c.tree.Marks(c.node)), body) // its own name says nothing
	}
	return slices.ContainsFunc(parts, func(n *kernel.Node) bool {
		return speaksOfAsserting(n, helpers) || n.Any(func(k *kernel.Node) bool {
			_, ok := c.tree.AssertionOf(k)
			return ok || c.passesOn(k)
		})
	}) || c.typed() || c.handed()
}

// parameters matches the names that a JavaScript test takes out of its parameter.
var parameters = lazyregexp.New(`\(\s*\{([\w$\s,:]+)\}\s*\)\s*(?:=>|\{)`)

// handed reports whether the test calls a function, other than the one that ends
// it, that it takes out of its parameter: test('a', ({ is, end }) => …).
func (c testCase) handed() bool {
	if !c.file.script() {
		return false
	}
	text := strings.Join(c.file.code[c.node.Line-1:min(c.node.End, len(c.file.code))], "\n")
	for _, m := range ofTape.FindAllStringSubmatch(text, -1) {
		if !slices.Contains([]string{"end", "plan", "comment", "log", "pass", "timeout", "context", "teardown"}, m[1]) {
			return true
		}
	}
	m := parameters.FindStringSubmatch(text)
	return m != nil && slices.ContainsFunc(strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(" ,:\n\t", r) }),
		func(name string) bool {
			return name != "end" && lazyregexp.New(`(?:^|[^.\w$])`+lazyregexp.Quote(name)+`\(`).MatchString(text)
		})
}

// ofTape matches the methods of what tape and its like hand to a test.
var ofTape = lazyregexp.New(`\bt{1,2}\.(\w+)\(`)

// idleMethods are those of Go's *testing.T that cannot fail a test.
const idleMethods = " Log Logf Parallel Helper Run Name Cleanup TempDir Setenv Context "

// passesOn reports whether a node can fail the test in a way of its language:
// Go's *testing.T handed on or used, Rust's "?".
func (c testCase) passesOn(n *kernel.Node) bool {
	if method, ok := strings.CutPrefix(n.Source(), "t . "); ok && n.Is("selector_expression") {
		return !strings.Contains(idleMethods, " "+method+" ")
	}
	return n.Is("try_expression") || c.tree.Lang == syntax.Go && n.Is("argument_list") && slices.ContainsFunc(n.Arguments(),
		func(a *kernel.Node) bool {
			return slices.Contains([]string{"t", "tb", "b", "f", "c"}, a.Text)
		})
}

// implements matches Go's assertion that a type has the methods of another.
var (
	implements = lazyregexp.New(`^\s*var\s+_\s+[\w.*]+(?:\[.*\])?\s*=`)
	sameType   = lazyregexp.New(`^\s*[a-z]\w*\s*=\s*([a-z]\w*)\s*$`)
)

// typed reports whether the test is one for the compiler: what it demands are types.
func (c testCase) typed() bool {
	if !c.file.script() && !c.file.is(syntax.Go) {
		return false
	}
	for l := c.node.Line; l <= min(c.node.End, len(c.file.lines)); l++ {
		if c.file.is(syntax.Go) {
			m := sameType.FindStringSubmatch(c.file.code[l-1])
			if implements.MatchString(c.file.code[l-1]) || m != nil && !slices.Contains([]string{"nil", "true", "false"}, m[1]) {
				return true
			}
			continue
		}
		if strings.Contains(c.file.code[l-1], " satisfies ") || strings.Contains(c.file.lines[l-1], "@ts-expect-error") {
			return true
		}
	}
	return c.file.script() && (strings.Contains(c.file.path, ".test-d.") || strings.Contains(c.file.path, "types"))
}

// mayOnlyRun matches the names of tests that say that not failing is all they demand.
var mayOnlyRun = lazyregexp.New(`(?i)no_?(?:error|exception|crash)|without_?(?:error|crash|fail)|(?:not?|nt)_?(?:raise|throw|crash` +
	`|fail|panic)|graceful|smoke|compile|assignab|benchmark|perf|passing|accept|repr(?:_|$)|instantiat|tostring|utf8|types?(?:_|$)`)

// allNames matches imports, at a file's top level, of whatever other files define.
var allNames = lazyregexp.New(`^(?:use [\w:]+::\*;|from [\w.]+ import \*)`)

// borrows reports whether any name in a file of tests may be that of a helper in a file
// that was not read. Tests beside the code, in a module of their own, borrow the code.
func (f *source) borrows() bool {
	return conventions.IsTest(f.path) && slices.ContainsFunc(f.code, allNames.MatchString)
}

// minSmoke is how many tests must all assert nothing: one or two may well be there to see that the code runs.
const minSmoke = 3

func assertionless(s *subject) []workflow.Issue {
	var first workflow.Issue
	found := 0
	helpers := s.assertingHelpers()
	for _, c := range s.cases() {
		switch {
		case c.file.is(syntax.Go) && slices.ContainsFunc(c.file.functions(), func(fn syntax.Function) bool {
			return fn.StartLine <= c.node.Line && c.node.Line <= fn.EndLine && strings.HasPrefix(fn.Name, "Benchmark")
		}):
		case c.asserts(helpers), mayOnlyRun.MatchString(c.name), c.file.borrows():
			return nil
		case c.touched() && !c.idle() && !c.skipped():
			if found++; found == 1 {
				first = c.issue("")
			}
		}
	}
	if found < minSmoke {
		return nil
	}
	first.Title = fmt.Sprintf("None of the %d tests asserts anything", found)
	return []workflow.Issue{first}
}

// assertingHelpers are the names of the functions in the files under review
// that may hold an assertion, or call one that may.
func (s *subject) assertingHelpers() map[string]bool {
	names := map[string]bool{}
	for range 3 { // helpers that call helpers
		before := len(names)
		for _, f := range s.everySource() {
			if t := f.canonical(); t != nil {
				t.Root.Walk(func(n *kernel.Node) bool {
					if name := n.Child("name").Source(); t.IsDefinition(n) && name != "" && !names[name] &&
						speaksOfAsserting(&kernel.Node{Kids: bodyOf(n)}, names) {
						names[name] = true
					}
					return true
				})
			}
		}
		if len(names) == before {
			break
		}
	}
	return names
}

// bodyOf is a definition without its name.
func bodyOf(n *kernel.Node) []*kernel.Node {
	return slices.DeleteFunc(slices.Clone(n.Kids), func(k *kernel.Node) bool { return k.Field == "name" })
}

// tautologies are assertions of constants that hold. Those in a branch or in a
// function of their own say that it was reached; what is skipped is never asked.
func tautologies(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.tests() {
		t := f.canonical()
		if t == nil {
			continue
		}
		t.Root.Walk(func(n *kernel.Node) bool {
			skipped := t.Callee(n) != "" && t.Catalogue().Has("skip", t.Callee(n))
			if skipped || !t.InBlock(n) {
				return !skipped
			}
			if a, ok := t.AssertionOf(n); ok && a.Node.Line == n.Line && f.added(n.Line) && alwaysTrue(a) && unconditional(t, n) &&
				!f.defines(t.Callee(n)) && !(testCase{f, t, t.UnitOf(n).Node, ""}).typed() {
				unit := t.UnitOf(n).Node
				i := workflow.Issue{File: f.path, Line: n.Line, EndLine: n.End, Title: cutLine(t.Text(n), 60) + " cannot fail"}
				if unit != nil && f.passesIf(t, unit, n) {
					i.Severity = milder
				}
				out = append(out, i)
				return false
			}
			return true
		})
	}
	return out
}

// passesIf reports whether a test says that it passes if the code that it calls does not fail, or, in Rust, if it
// compiles; or whether it asserts something else in its own block.
func (f *source) passesIf(t *kernel.Tree, unit, assertion *kernel.Node) bool {
	text := strings.Join(f.lines[unit.Line-1:assertion.Line], "\n")
	others := unit.Any(func(k *kernel.Node) bool {
		a, ok := t.AssertionOf(k)
		return ok && k.Line == a.Node.Line && k.Line < assertion.Line && !alwaysTrue(a) && unconditional(t, k)
	})
	ran := unit.Any(func(k *kernel.Node) bool {
		return k.Line > unit.Line && k.Line < assertion.Line && t.Callee(k) != ""
	})
	return others || ran && onlyRan.MatchString(text) || f.is(syntax.Rust) && compiles.MatchString(path.Base(f.path)+text)
}

// What is said of such tests.
var (
	compiles = lazyregexp.New(`(?i)compiles(?:\b|_)|re_?-?export`)
	onlyRan  = lazyregexp.New(`(?i)no[- ]?op\b|no[- ]throw|n.t (?:throw|crash|panic|raise|fail)|not (?:throw|raise|crash|panic)|` +
		`without (?:an? )?(?:error|throwing|exception|crash)|reached? (?:here|this)|idempotent`)
)

// defines reports whether a file has a function of this name itself: it is no assertion of a framework.
func (f *source) defines(name string) bool {
	return name != "" && slices.ContainsFunc(f.functions(), func(fn syntax.Function) bool { return fn.Name == name })
}

// alwaysTrue reports whether an assertion is about constants, and holds.
func alwaysTrue(a kernel.Assertion) bool {
	var values []string
	for _, v := range operands(a) {
		c, ok := constantOf(v)
		if !ok {
			return false
		}
		values = append(values, c)
	}
	if a.Entry == nil {
		return len(values) == 1 && truthy(values[0])
	}
	name := strings.ToLower(a.Entry.Name)
	switch {
	case a.Negated:
		return false
	case a.Entry.Relation == "equality":
		return len(values) == 2 && values[0] == values[1]
	case a.Entry.Relation == "truth" && len(values) == 1:
		if strings.Contains(name, "fals") || name == "refute" {
			return values[0] == "false"
		}
		return truthy(values[0]) && (strings.Contains(name, "true") || strings.Contains(name, "truthy") || strings.HasPrefix(name,
			"assert") || name == "ok")
	default:
		return false
	}
}

// operands are what an assertion compares: of expect(a).toBe(b), a and b, and of assertThat(a).as("text").isTrue() a.
func operands(a kernel.Assertion) []*kernel.Node {
	var out []*kernel.Node
	if isCall(a.Object) {
		for _, k := range innermost(a.Object).Kids {
			if k.Is("arguments", "argument_list") {
				out = append(out, k.Arguments()...)
			}
		}
	}
	var roles []string
	if a.Entry != nil {
		roles = a.Entry.Roles
	}
	if len(roles) > 0 && roles[0] == "t" && len(a.Values) > 0 && !ofTest.MatchString(a.Values[0].Source()) {
		roles = roles[1:] // assert := assert.New(t)
	}
	for i, v := range a.Values {
		if i >= len(roles) || !strings.HasPrefix(roles[i], "msg") && roles[i] != "t" {
			out = append(out, v)
		}
	}
	return out
}

// ofTest matches what Go's assertions get of the test first.
var ofTest = lazyregexp.New(`^(?:t|tt|tb|b|c|f|testing\w*)$|\bT \( \)$`)

func isCall(n *kernel.Node) bool {
	return n != nil && n.Is("call_expression", "call", "method_invocation")
}

// innermost is the first call of a chain.
func innermost(call *kernel.Node) *kernel.Node {
	for _, k := range call.Kids {
		if inner := k.Find(isCall); inner != nil && !k.Is("arguments", "argument_list") {
			return innermost(inner)
		}
	}
	return call
}

// constantOf is the value of a literal in one spelling for all languages.
func constantOf(n *kernel.Node) (string, bool) {
	text := strings.ToLower(n.Source())
	switch {
	case text == "true" || text == "not false" || text == "! false":
		return "true", true
	case text == "false" || text == "nil" || text == "null" || text == "none":
		return text, true
	case n.Is("string", "string_literal", "interpreted_string_literal", "number", "integer", "float", "int_literal", "integer_literal",
		"decimal_integer_literal"):
		return n.Source(), true
	default:
		return "", false
	}
}

func truthy(constant string) bool {
	return !slices.Contains([]string{"false", "nil", "null", "none", "0", `""`, "''"}, constant)
}

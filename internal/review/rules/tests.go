package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

func noTests(s *subject) []workflow.Issue {
	promised := false
	for _, f := range s.tests() {
		if old, changed := s.changed[f.path]; changed && old.Status != change.Added {
			return nil
		}
		stub := s.Artifact.SpecPath == "" && len(f.functions()) == 0 || // as a framework makes it
			strings.EqualFold(strings.TrimSuffix(path.Base(f.path), path.Ext(f.path)), "test") || // a module of that name, a program
			f.script() && exportsAny.MatchString(strings.Join(f.code, "\n")) || f.defines("TestMain")
		promised = promised || f.tree != nil && !stub && conventions.IsTestName(path.Base(f.path)) && !helper.MatchString(f.path)
	}
	if !promised || len(s.cases()) > 0 || s.testsOtherwise() {
		return nil
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}

// helper matches what is named like a test but serves others.
var helper = lazyregexp.New(`(?i)help|util|fixture|setup|conftest|support|common|main_test|export_test|example|mock|fake|bench` +
	`|types|program\.cs`)

// testsOtherwise reports whether the files hold tests of a framework in which a test is no function of a known shape:
// something is called as the file is loaded, or a class inherits its tests.
func (s *subject) testsOtherwise() bool {
	return slices.ContainsFunc(s.tests(), func(f *source) bool {
		t := f.canonical()
		return t != nil && t.Root.Any(func(n *kernel.Node) bool {
			return t.Callee(n) != "" && t.FunctionOf(n) == nil || n.Is("superclass", "class_heritage", "base_list") ||
				n.Field == "superclasses"
		})
	})
}

// startsContext matches what has a framework start a program before its tests, ofContext
// the name of a test that asks for no more.
var (
	startsContext = lazyregexp.New(`^@(?:SpringBootTest|DataJpaTest|WebMvcTest|QuarkusTest|MicronautTest|ContextConfiguration)\b`)
	ofContext     = lazyregexp.New(`(?i)context|(?:load|start)s?(?:up)?$`)
)

// ofTemplate matches a file that a project generator made, or that makes tests.
var ofTemplate = lazyregexp.New(`(?:^|/)UnitTest1\.cs$|Template\.\w+$`)

func emptyTests(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, c := range s.cases() {
		if ofContext.MatchString(c.name) && slices.ContainsFunc(c.file.code, startsContext.MatchString) {
			continue // it is started before the test
		}
		text := squeezed(strings.Join(c.file.lines[c.node.Line-1:c.node.End], " "))
		if c.touched() && c.idle() && !c.skipped() && !c.typed() && !fixture.MatchString(c.file.path) &&
			!(c.file.is(syntax.Rust) && compiles.MatchString(c.name)) &&
			!ofTemplate.MatchString(c.file.path) && !strings.Contains(squeezed(s.before(c.file.path)), text) {
			out = append(out, c.issue(fmt.Sprintf("%q does nothing", cutLine(c.name, 80))))
		}
	}
	return out
}

func shadowed(s *subject) []workflow.Issue {
	type key struct {
		block *kernel.Node
		name  string
	}
	first := map[key]testCase{}
	var out []workflow.Issue
	for _, c := range s.cases() {
		if !c.file.is(syntax.Python, syntax.Ruby) || !c.tree.IsDefinition(c.node) {
			continue
		}
		block := c.node.Up
		for block != nil && !c.tree.InBlock(c.node) && block.Up != nil && block.Is("decorated_definition") {
			block = block.Up
		}
		k := key{block, c.name}
		if earlier, ok := first[k]; ok && (c.touched() || earlier.touched()) && c.node.Source() != earlier.node.Source() {
			out = append(out, earlier.issue(fmt.Sprintf("%s never runs: line %d defines it again", cutLine(c.name, 60), c.node.Line)))
		}
		first[k] = c
	}
	return out
}

// unsaid is what a find function gives of a node that is not to be shown.
const unsaid = "-"

// inTests makes a rule of what one node of a test file is: one issue for each on a line that the change adds. find
// gives what is to be shown of it, "" for nothing.
func inTests(wrong string, find func(t *kernel.Tree, n *kernel.Node) string) func(*subject) []workflow.Issue {
	return func(s *subject) []workflow.Issue {
		var out []workflow.Issue
		for _, f := range s.tests() {
			t := f.canonical()
			if t == nil {
				continue
			}
			var found []workflow.Issue
			t.Root.Walk(func(n *kernel.Node) bool {
				if n.Line == 0 || !f.added(n.Line) && n.Line == n.End {
					return true
				}
				what := find(t, n)
				if what != "" && f.added(n.Line) {
					found = append(found, workflow.Issue{File: f.path, Line: n.Line, Title: strings.TrimSuffix(wrong+": "+cutLine(what,
						50), ": "+unsaid)})
				}
				return what == ""
			})
			out = append(out, together(found)...)
		}
		return out
	}
}

// focusOf is the callee of a call that makes the runner ignore other tests.
func focusOf(t *kernel.Tree, n *kernel.Node) string {
	callee := t.Callee(n)
	if n.Is("expression_statement", "await_expression") || callee == "" {
		return ""
	}
	if kernel.Focuses(t.Lang, callee) {
		return callee
	}
	if _, ok := t.Unit(n); ok && t.Lang == syntax.Ruby {
		for _, k := range n.Kids {
			for _, a := range k.Arguments() {
				if text := strings.ReplaceAll(a.Source(), " ", ""); k.Is("argument_list") && (text == ":focus" || strings.HasPrefix(text,
					"focus:true")) {
					return text
				}
			}
		}
	}
	return ""
}

// conditionalSkips are the names of skips that hold under a condition of their own.
func conditionalSkips() []string {
	return strings.Fields("skipif skipIf skipUnless runIf importorskip flaky enabled Platform Retry cfg_attr DisabledIf EnabledIf " +
		"DisabledOnOs EnabledOnOs DisabledOnJre EnabledOnJre " +
		"DisabledIfEnvironmentVariable EnabledIfEnvironmentVariable DisabledIfSystemProperty EnabledIfSystemProperty " +
		"assumeTrue assumeFalse assumingThat assumeNotNull assumeThat assumeNoException Pass Explicit")
}

// skipOf is the mark or call that keeps a test from running, whatever the platform.
func skipOf(t *kernel.Tree, n *kernel.Node) string {
	name, mark := t.IsMark(n)
	if !mark {
		name = t.Callee(n)
		if n.Is("expression_statement", "await_expression", "identifier") && !t.Skips(n) {
			return ""
		}
	}
	if reasoned.MatchString(t.Text(n)) {
		return ""
	}
	if t.Lang == syntax.CSharp && mark && n.Any(func(k *kernel.Node) bool { return k.Text == "Skip" }) {
		return t.Text(n)
	}
	if name == "" && t.InBlock(n) && t.Skips(n) {
		name = n.Source()
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".():", r) })
	if len(parts) == 0 || !t.Catalogue().Has("skip", name) && !(mark && slices.Contains([]string{"Disabled", "Ignore"}, name)) ||
		kernel.Focuses(t.Lang, name) ||
		slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(conditionalSkips(), p) }) {
		return ""
	}
	args := given(n)
	saysWhy := len(args) > 0 && whyInTitle.MatchString(args[0].Source())
	if registers(name) && (conditional(n) || slices.Contains(parts, "todo") || saysWhy) {
		return ""
	}
	if _, is := t.Unit(n); mark || is || registers(name) {
		return name
	}
	if t.UnitOf(n).Role == kernel.Test && unconditional(t, n) {
		return name
	}
	return ""
}

// skippedTests leaves out those above or in which a comment says why.
func skippedTests(s *subject) []workflow.Issue {
	return slices.DeleteFunc(inTests("A test is skipped", skipOf)(s), func(i workflow.Issue) bool {
		return slices.ContainsFunc(s.source(i.File).comments, func(c comment) bool {
			return (c.line == i.Line-1 || c.line == i.Line+1) && len(strings.Fields(c.text)) > 3
		})
	})
}

// conditional reports whether a call is Playwright's test.skip(condition, reason).
func conditional(n *kernel.Node) bool {
	args := given(n)
	return len(args) == 2 && !args[0].Is("string", "template_string") && args[1].Is("string", "template_string", "binary_expression")
}

// given are the arguments of a call, or of the call that a statement is.
func given(n *kernel.Node) []*kernel.Node {
	if n.Is("expression_statement") && len(n.Kids) > 0 {
		n = n.Kids[0]
	}
	for _, k := range n.Kids {
		if k.Is("arguments", "argument_list") {
			return k.Arguments()
		}
	}
	return nil
}

// reasoned matches a mark or call that gives a reason of some words.
var reasoned = lazyregexp.New(`(?s)^[^\n{]{0,80}(?:\(|=|,)\s*(?:reason\s*=\s*)?["'][^"'\n]{3,} [^"'\n]{3,} ` +
	`[^"'\n]+["']\s*\)?\s*[)\]]?;?$`)

// whyInTitle matches a title that says in parentheses why its test is skipped.
var whyInTitle = lazyregexp.New(`(?i)\((?:[^()]*\b)?(?:only|pending|requires?|needs?|until|when|because|flaky|manual|not supported` +
	`|unsupported|see|blocked|slow)\b[^()]*\)`)

// registers reports whether a callee names a test without one: it.todo.
func registers(name string) bool {
	return strings.HasPrefix(name, "x") || strings.HasPrefix(name, "it.") || strings.HasPrefix(name, "test.") || strings.HasPrefix(name,
		"describe.")
}

// unconditional reports whether a statement of a test always runs.
func unconditional(t *kernel.Tree, n *kernel.Node) bool {
	unit := t.UnitOf(n).Node
	for at := n.Up; at != nil && at != unit; at = at.Up {
		if at.Is("try_statement") && strings.Contains(at.Source(), "fail (") {
			return false // it says that nothing was raised, which fails
		}
		for _, word := range []string{
			"if", "unless", "conditional", "ternary", "case", "switch", "catch", "except", "rescue", "for",
			"while", "binary", "boolean", "modifier", "select",
		} {
			if strings.Contains(at.Kind, word) {
				return false
			}
		}
	}
	fn := t.FunctionOf(n)
	return fn == unit || fn != nil && t.UnitOf(fn).Node == unit && (fn.Up == unit || fn.Up.Up == unit)
}

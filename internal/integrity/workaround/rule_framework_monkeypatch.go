package workaround

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// frameworkMonkeypatch looks for what docs/integrity-rules.md says under framework-monkeypatch.
// Implementation code that changes the test framework decides itself what counts as passed.
func frameworkMonkeypatch(p *pass) {
	for _, a := range p.Assigns {
		if !a.Declares && a.Def == nil {
			p.frameworkAssigned(a)
		}
	}
	for _, c := range p.Calls {
		p.frameworkCall(c)
	}
	for _, c := range p.Classes {
		p.frameworkClass(c)
		p.frameworkShadow(c)
	}
	p.selfLoaded()
	p.builtinShadow()
	for c := range p.Root.Src.All("comment") {
		if p.lang(syntax.Go) && linkedTesting.MatchString(c.Text()) {
			p.report(c.StartLine(), "the implementation reaches into the testing package")
		}
	}
}

var (
	frameworkType = whole("framework-type")
	builtinType   = whole("builtin-type")
	predeclared   = whole("predeclared")
	// assertingExtension are names of assertions that libraries add to all values,
	// and anyType the types of such values that are nobody's own.
	assertingExtension = whole("asserting-extension")
	anyType            = lazyregexp.New(`^(?:[a-z]\w*|T\w{0,8}` +
		`|(?:I?Enumerable|I?List|I?Collection|I?Dictionary|Action|Func|DateTime|Guid|Exception).*)\??$`)
	runnerGlobals   = whole("runner-global-set")
	linkedTesting   = lazyregexp.New(`^//go:linkname\s+\S+\s+testing\.\S*\s*$`)
	runnerFlag      = lazyregexp.New(`^-{0,2}test\.`)
	standardMatcher = within("standard-matcher")
	reopening       = whole("reopening")
)

func (p *pass) frameworkAssigned(a *code.Node) {
	target := a.Kid(0)
	name := p.targetName(target)
	module, loads := strings.CutPrefix(name, "sys.modules.")
	switch {
	case p.restores(name, a.Kid(1)):
	case target.Is(code.Member, code.Index) && framework(name) && p.isForeign(target), loads && framework(module):
		p.report(a.Line, "the test framework is patched: “"+name+"” is assigned")
	case p.script() && runnerGlobals.MatchString(name) && p.isForeign(target):
		p.report(a.Line, "the test framework's “"+last(name)+"” is replaced")
	case p.lang(syntax.Python) && name == "TEST_RUNNER": // Django's
		p.report(a.Line, "the test runner is replaced by one of the implementation")
	case p.lang(syntax.Go) && name == "os.Args" && textIn(a.Kid(1), runnerFlag) != "":
		p.report(a.Line, "the test runner's flags are set by the implementation")
	}
}

func (p *pass) frameworkCall(c *code.Node) {
	callee, args := p.Callee(c), c.Args()
	object, method := cutLast(callee)
	switch {
	case p.lang(syntax.Python) && method == "fixture" && slices.ContainsFunc(args, func(a *code.Node) bool {
		return strings.ReplaceAll(a.Src.Text(), " ", "") == "autouse=True"
	}):
		p.report(c.Line, "a fixture of the implementation runs around all tests that import it")
	case len(args) == 0 || forTesting(p.Path):
	case setters.MatchString(callee) || callee == "delattr" || callee == "Object.assign":
		name := p.FullName(args[0])
		if p.isForeign(args[0]) && (framework(name) || len(args) > 1 && runnerGlobals.MatchString(name+"."+literal.Text(args[1]))) {
			p.report(c.Line, "the test framework is patched: “"+name+"” gets another attribute")
		}
	case p.lang(syntax.Go) && callee == "flag.Set" && runnerFlag.MatchString(literal.Text(args[0])):
		p.report(c.Line, "the test runner's flags are set by the implementation")
	case p.script() && (callee == "expect.extend" || strings.HasSuffix(callee, ".expect.extend")):
		for _, entry := range args[0].Kids {
			key := entry.Text
			if entry.Is(code.Pair) {
				key = entry.Kid(0).Text
			}
			if standardMatcher.MatchString(key) && args[0].Is(code.Dict) {
				p.report(c.Line, "the test framework's matchers are replaced", entry.Line)
				p.report(entry.Line, "the test framework's “"+key+"” is replaced")
			}
		}
	case p.script() && (method == "overwriteMethod" || method == "overwriteProperty"):
		p.report(c.Line, "an assertion of the test framework is replaced")
	case p.lang(syntax.Ruby) && framework(object) && reopening.MatchString(method):
		p.report(c.Line, "the test framework is patched: “"+object+"”")
	}
}

// frameworkClass looks for the framework's own classes in implementation code.
func (p *pass) frameworkClass(c *code.Node) {
	switch {
	case forTesting(p.Path) || !c.Any(func(n *code.Node) bool { return n.Is(code.Func) && n.Text != "" }):
	case p.lang(syntax.Ruby) && c.Outer(code.Class) == nil && framework(strings.ReplaceAll(c.Text, "::", ".")):
		p.report(c.Def.Line, "the test framework's “"+c.Text+"” is reopened")
	case p.lang(syntax.CSharp) && c.Def.Has("namespace") && framework(c.Text):
		p.report(c.Def.Line, "own code is put into the test framework's namespace “"+c.Text+"”")
	case p.lang(syntax.Java) && c.Outer(code.Class) == nil:
		for _, k := range p.Root.Kids {
			if name, ok := strings.CutPrefix(k.Text, "package "); ok && (framework(name) || strings.HasPrefix(name, "java.lang")) {
				p.report(k.Line, "own code is put into the package “"+strings.TrimSuffix(name, ";")+"”", c.Def.Line)
			}
		}
	}
}

// frameworkShadow looks for types that tests find before the framework's one of
// the same name, as they stand in the tests' own package or around it.
func (p *pass) frameworkShadow(c *code.Node) {
	top := c.Outer(code.Class) == nil || c.Outer(code.Class).Def.Has("namespace")
	if !top || !p.lang(syntax.CSharp, syntax.Java) {
		return
	}
	if frameworkType.MatchString(c.Text) && slices.ContainsFunc(p.Packages(), func(name string) bool { return p.Tests.Packages[name] }) {
		p.report(c.Def.Line, "the type “"+c.Text+"” takes the place of the test framework's in the tests")
	}
	if builtinType.MatchString(c.Text) && p.besideTests() {
		p.report(c.Def.Line, "the type “"+c.Text+"” takes the place of the language's own in the tests")
	}
}

// besideTests reports whether the file's types are found in the approved tests before those of the language.
func (p *pass) besideTests() bool {
	return slices.ContainsFunc(p.Packages(), func(name string) bool {
		_, known := p.Tests.Packages[name]
		return known
	})
}

// builtinShadow looks for what tests find in place of a name of the language
// itself in Go, or of an assertion in C#, whose nearest extension method counts.
func (p *pass) builtinShadow() {
	switch p.Lang {
	case syntax.Go:
		for n := range p.Root.Src.All("function_declaration", "type_spec", "type_alias", "const_spec", "var_spec") {
			if name := n.Field("name").Text(); predeclared.MatchString(name) && n.Up("block").IsZero() {
				p.report(n.StartLine(), "“"+name+"” takes the place of the language's own in the package and its tests")
			}
		}
	case syntax.CSharp:
		for n := range p.Root.Src.All("method_declaration") {
			name, first := n.Field("name").Text(), strings.TrimPrefix(n.Field("parameters").Text(), "(")
			if what := strings.Fields(first); len(what) > 1 && what[0] == "this" && assertingExtension.MatchString(name) &&
				anyType.MatchString(what[1]) && p.besideTests() {
				p.report(n.StartLine(), "“"+name+"” takes the place of the test framework's assertion in the tests")
			}
		}
	}
}

// selfLoaded reports files that Python loads by itself and that reach for the
// framework, and modules that take the place of the framework's.
func (p *pass) selfLoaded() {
	own := path.Base(p.Path) == "sitecustomize.py" || path.Base(p.Path) == "usercustomize.py"
	for _, m := range p.Modules {
		for _, name := range strings.Fields(m.Text) {
			if own && framework(name) {
				p.report(m.Line, "a file that Python loads by itself reaches for the test framework: “"+name+"”")
			}
		}
	}
	name := strings.TrimSuffix(strings.TrimPrefix(p.Path, "src/"), "/__init__.py")
	if p.lang(syntax.Python) && p.changed.Before == nil && !strings.Contains(name, "/") {
		if name = strings.TrimSuffix(name, ".py"); framework(name) {
			p.report(1, "the module takes the place of the test framework “"+name+"”")
		}
	}
}

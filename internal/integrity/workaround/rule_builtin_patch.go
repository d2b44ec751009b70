package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// builtinPatch looks for what docs/integrity-rules.md says under builtin-patch. Replacing the clock, chance,
// equality, assert or a method of a built-in type changes what the tests see and compare, in the whole process.
func builtinPatch(p *pass) {
	for _, a := range p.Assigns {
		own := p.lang(syntax.Python) && a.Kid(0).Is(code.Name) // a name of the file's own
		if t := a.Kid(0); !own && !a.Declares && a.Text == "=" && isReplacement(a, a.Kid(1)) {
			p.patched(a.Line, t, a.Kid(1), p.targetName(t))
		}
	}
	for _, c := range p.Calls {
		p.patchedByCall(c)
	}
	for _, c := range p.Classes {
		outside := c.Outer(code.Class) == nil || c.Def.Type == "singleton"
		if p.lang(syntax.Ruby) && rubyCore.MatchString(c.Text) && outside && len(c.Def.Bases) == 0 {
			p.coreMethods(c, c.Text)
		}
	}
	for m := range p.Root.Src.All("macro_definition") {
		if name := m.Field("name").Text(); standardMacro.MatchString(name) {
			p.report(m.StartLine(), "the macro “"+name+"!” takes the place of the standard one")
		}
	}
}

// standardLibrary are functions that other code computes and compares with, by
// language: what a program puts there under another name is no replacement.
var (
	pythonLibrary = whole("python-library")
	scriptLibrary = whole("script-library")
	goLibrary     = lazyregexp.New(`^rand\.Reader$`)
	rubyCore      = whole("ruby-core")
	rubyMethod    = whole("ruby-method")
	standardMacro = lazyregexp.New(`^(?:debug_)?assert(?:_eq|_ne)?$|^panic$`)
	patchLibrary  = whole("patch-library")
	setters       = whole("setter")
)

// targetName is the full name of what is assigned to, also of an element.
func (p *pass) targetName(t *code.Node) string {
	if name := p.FullName(t); name != "" || !t.Is(code.Index) {
		return name
	}
	return p.FullName(t.Kid(0)) + ".[" + code.Dotted(t.Kid(1)) + "]"
}

// isReplacement reports whether a node puts code of the file in the place of other code, unconditionally.
func isReplacement(n, value *code.Node) bool {
	for at := n; at.Up != nil; at = at.Up {
		if at.Up.Is(code.If, code.Ternary, code.Try, code.Binary) {
			return false
		}
	}
	return !value.Is(code.Literal, code.Template, code.List, code.Binary)
}

func (p *pass) patched(line int, target, value *code.Node, name string) {
	known := map[syntax.Language]*lazyregexp.Regexp{syntax.Python: pythonLibrary, syntax.Go: goLibrary}[p.Lang]
	if p.script() {
		known = scriptLibrary
	}
	if known == nil || !known.MatchString(name) || !p.isForeign(target) || p.restores(name, value) {
		return
	}
	p.report(line, "“"+name+"” is replaced for the whole process")
}

// restores reports whether a value is what the name was before: a variable that was assigned the name.
func (p *pass) restores(name string, v *code.Node) bool {
	return v.Is(code.Name) && slices.ContainsFunc(p.Assigned(v.Text), func(a *code.Node) bool { return p.FullName(a.Kid(1)) == name })
}

func (p *pass) patchedByCall(c *code.Node) {
	callee, args := p.Callee(c), c.Args()
	switch {
	case patchLibrary.MatchString(callee):
		p.report(c.Line, "the running program is patched by “"+callee+"”")
	case len(args) == 3 && setters.MatchString(callee) && isReplacement(c, args[2]):
		p.patched(c.Line, args[0], args[2], p.FullName(args[0])+"."+literal.Text(args[1]))
	case len(args) == 2 && callee == "Object.assign" && isReplacement(c, args[1]):
		for _, pair := range args[1].Kids {
			name := pair.Text
			if pair.Is(code.Pair) {
				name = pair.Kid(0).Text
			}
			p.patched(pair.Line, args[0], pair, p.FullName(args[0])+"."+name)
		}
	case p.lang(syntax.Ruby) && len(args) > 0:
		object, method := cutLast(callee)
		core := strings.TrimSuffix(object, ".singleton_class")
		switch {
		case !rubyCore.MatchString(core):
		case strings.HasPrefix(method, "define_") && rubyMethod.MatchString(literal.Text(args[0])):
			p.report(c.Line, "“"+core+"” gets another “"+literal.Text(args[0])+"”")
		case method == "prepend":
			for _, m := range p.Classes {
				if m.Text == args[0].Text {
					p.coreMethods(m, core)
				}
			}
		case strings.HasSuffix(method, "_eval"):
			p.coreMethods(args[len(args)-1], core)
		}
	}
}

// coreMethods reports the methods of a core class of Ruby that are defined anew.
func (p *pass) coreMethods(in *code.Node, core string) {
	in.Walk(func(n *code.Node) bool {
		if n.Is(code.Func) && n.Src.Is("method", "singleton_method") && rubyMethod.MatchString(n.Text) {
			p.report(n.Def.Line, "“"+core+"” gets another “"+n.Text+"”")
		}
		return n == in || !n.Is(code.Class) || n.Def.Type == "singleton"
	})
}

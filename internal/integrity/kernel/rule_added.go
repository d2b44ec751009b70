package kernel

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// importAdded allows an import that binds names the approved file does not use,
// and does nothing else: it can't change what the approved lines mean.
func (c *comparer) importAdded(n *Node) bool {
	if !c.table.imports[n.Kind] {
		return false
	}
	im := c.new.importOf(n)
	if im.star {
		outer := n.Up.Is("compilation_unit", "program") && !slices.ContainsFunc(n.Up.Kids[:max(0, slices.Index(n.Up.Kids, n))],
			func(k *Node) bool { return k.Is("file_scoped_namespace_declaration") }) // in a namespace they come before its own
		known := (c.table.lang == syntax.CSharp || c.table.lang == syntax.Java) && outer &&
			slices.ContainsFunc(words["libraries"], func(l string) bool { return im.module == l || strings.HasPrefix(im.module, l+".") })
		if known {
			c.forgive("an import added")
		}
		return known
	}
	if c.table.lang == syntax.Rust && !slices.Contains([]string{"std", "core", "alloc"}, strings.Split(im.module, "::")[0]) &&
		!slices.ContainsFunc(im.binds, func(name string) bool { return c.new.names[name] > 1 }) {
		return false // a trait, whose methods may come before those that are called
	}
	for _, name := range im.binds {
		own := c.seenHereAlone(im)
		if c.old.names[name] > 0 || c.reservedName(name) && !c.ofRunner(n, im, name) || !own && c.used(name) ||
			name == "C" && c.table.lang == syntax.Go { // its comment is a program
			return false
		}
	}
	c.forgive("an import added")
	return true
}

// ofRunner reports whether an import brings a name of a runner from that runner, as what it is called there: in
// JavaScript from the one that the file imports already.
func (c *comparer) ofRunner(n *Node, im imported, name string) bool {
	if c.table.lang == syntax.Java {
		return strings.HasPrefix(im.module, "org.junit.")
	}
	return slices.Contains(words["runners"], im.module) && name != "chai" && n.Any(func(k *Node) bool {
		return k.Is("import_specifier") && k.Child("alias") == nil && k.Child("name").Source() == name
	}) && c.old.Root.Any(func(k *Node) bool { return c.table.imports[k.Kind] && c.old.importOf(k).module == im.module })
}

// seenHereAlone reports whether no other file can see what an import binds, nor a framework look it up: it
// binds names for one file in Go, Java and modules of JavaScript; in Python names of modules that make no
// fixtures, in a file that nobody mentions and pytest hands on to none.
func (c *comparer) seenHereAlone(im imported) bool {
	switch c.table.lang {
	case syntax.Go, syntax.Java, syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return true
	case syntax.Python:
		stem := strings.TrimSuffix(path.Base(c.opt.NewPath), ".py")
		return withoutEffect[im.module] && stem != "conftest" && stem != "__init__" && c.opt.OldPath == c.opt.NewPath && !c.used(stem)
	}
	return false
}

// taken reports whether a name means something to the runner, the language or another approved file.
func (c *comparer) taken(name string) bool { return c.used(name) || c.reservedName(name) }

// reservedName reports whether a name means something to the runner or the language.
func (c *comparer) reservedName(name string) bool {
	ascii := !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) // others may be read as one
	return name == "" || !ascii || c.catalogue.Has("hook", name) || c.table.reserved[name] || strings.HasPrefix(name, "__") ||
		c.catalogue.Has("hook", strings.TrimPrefix(name, "@"))
}

// assertionAdded allows an assertion of the catalogue in a test that calls nothing, or, after everything that
// was approved, what the test calls already: it can fail the test, and can do nothing else.
func (c *comparer) assertionAdded(n *Node, last bool) bool {
	unit, direct := c.unitOf(n)
	if unit == nil || !direct || c.unit(unit).fails {
		return false
	}
	allowed := set{}
	if last && n.Up == c.bodyOf(unit) {
		allowed = maps.Clone(c.unit(unit).calls)
		n.calls(c.table, func(name string) {
			if c.old.names[name] == 0 {
				delete(allowed, name)
			}
		})
	}
	if !c.plainAssertion(n, allowed) {
		return false
	}
	c.forgive("an assertion added")
	return true
}

// unitFacts are what is asked of a test again and again.
type unitFacts struct {
	fails bool // see expectsFailure
	calls set  // the names of the calls in it
}

func (c *comparer) unit(n *Node) unitFacts {
	f, ok := c.units[n]
	if !ok {
		f = unitFacts{c.expectsFailure(n), c.callsOf(n)}
		c.units[n] = f
	}
	return f
}

// plainAssertion reports whether a statement is an assertion whose values call only what is allowed.
func (c *comparer) plainAssertion(n *Node, allowed set) bool {
	if n.Is("assert_statement") {
		return pure(c.table, n, allowed)
	}
	if n.Is("if_statement") {
		return c.failingIf(n, allowed)
	}
	if n.Is("expression_statement") && len(n.Kids) > 0 {
		n = n.Kids[0]
	}
	if n.Is("await_expression") {
		return false
	}
	target := n
	if call, ok := c.table.callOf(n); ok && slices.Contains([]string{"to", "not_to", "to_not"}, call.name) && len(call.args) == 1 {
		target = call.args[0]
	}
	a, ok := c.assertionOf(target)
	if !ok || slices.Contains(words["notDemanding"], a.entry.Relation) || a.block != nil {
		return false
	}
	heads := set{"expect": true, "assertThat": true, "Should": true, "then": true, "to": true, "not_to": true, "to_not": true}
	for k := range allowed {
		heads[k] = true
	}
	inside := true
	n.Walk(func(k *Node) bool {
		if call, is := c.table.callOf(k); is && k != n && k != target && !pureCalls[call.name] && !heads[call.name] && c.chained(n, k) {
			_, known := c.assertionOf(k)
			inside = inside && known
		} else if is && k != n && k != target && !pureCalls[call.name] && !heads[call.name] {
			inside = false
		} else if name := k.tokenCall(); name != "" && !pureCalls[name] && !heads[name] {
			inside = false
		}
		inside = inside && (k == n || k == target || !doers[k.Kind] || k.Is("macro_invocation"))
		return inside
	})
	return inside
}

// failingIf: an if statement that does nothing but fail the test (Go's way to assert).
func (c *comparer) failingIf(n *Node, allowed set) bool {
	body := n.Child("consequence")
	if body == nil || n.Child("alternative") != nil || c.table.lang != syntax.Go {
		return false
	}
	for _, part := range []string{"initializer", "condition"} {
		if p := n.Child(part); p != nil && !pure(c.table, p, allowed) {
			return false
		}
	}
	st := c.statements(body)
	for _, s := range st {
		if !s.Is("expression_statement") {
			return false
		}
		a, ok := c.assertionOf(s.Kids[0])
		if !ok || a.entry.Relation != "failure" || !inert(c.table, a.node.Child("arguments")) {
			return false
		}
	}
	return len(st) > 0
}

// endsTest matches what a test of Go does not come back from, behind its receiver.
var endsTest = lazyregexp.New(`^(?:Fatalf?|FailNow|Skip(?:f|Now)?) \(`)

// unreachedAdded allows a return of Go behind what ends the test, as linters ask for it.
func (c *comparer) unreachedAdded(n *Node) bool {
	at, fn := 0, n.Ancestor(c.table.functions)
	if n.Is("return_statement") {
		at = slices.Index(n.Up.Kids, n)
	}
	if at < 1 || fn == nil || c.table.lang != syntax.Go {
		return false
	}
	name, method, _ := strings.Cut(n.Up.Kids[at-1].Source(), " . ")
	given := fn.Child("parameters").Source()
	ofTest := strings.Contains(given, " "+name+" * testing . ") || strings.Contains(given, " "+name+" testing . TB ")
	if !ofTest || !endsTest.MatchString(method) {
		return false
	}
	c.forgive("a return added that nothing reaches")
	return true
}

// inertAdded allows what a framework knows to change nothing, at the beginning of a test.
func (c *comparer) inertAdded(n *Node) bool {
	if !n.Is("expression_statement") || n.Up == nil {
		return false
	}
	call, ok := c.table.callOf(n.Kids[0])
	fn := n.Ancestor(c.table.functions)
	if !ok || !c.catalogue.Has("inert", c.table.calleeOf(call)) || len(call.args) > 0 || fn == nil || !c.table.definition[fn.Kind] ||
		n.Up.Up != fn.Child("body") {
		return false
	}
	c.forgive("a call added that changes nothing of what is demanded")
	return true
}

// subtestAdded allows a new subtest after everything that was approved of its test.
func (c *comparer) subtestAdded(n *Node, last bool) bool {
	if !last || c.table.lang != syntax.Go || !n.Is("expression_statement") {
		return false
	}
	call, ok := c.table.callOf(n.Kids[0])
	unit, direct := c.unitOf(n)
	if !ok || unit == nil || !direct || c.unit(unit).fails || !c.catalogue.Has("rows", c.table.calleeOf(call)) || len(call.args) != 2 ||
		!isTitle(call.args[0]) ||
		!call.args[1].Is("func_literal") || !c.harmless(n) {
		return false
	}
	c.forgive("a test, helper or constant added under a fresh name")
	return true
}

// chained reports whether a call is a link of the chain that a statement is.
func (c *comparer) chained(n, link *Node) bool {
	for at := n; at != nil; {
		if at == link {
			return true
		}
		call, ok := c.table.callOf(at)
		if !ok {
			return false
		}
		at = call.object
	}
	return false
}

// bodyOf is the block of a test.
func (c *reader) bodyOf(unit *Node) *Node {
	body := unit.Child("body")
	if body == nil {
		return nil
	}
	if i := slices.IndexFunc(body.Kids, func(k *Node) bool { return c.table.blocks[k.Kind] }); i >= 0 {
		return body.Kids[i]
	}
	return body
}

// unitOf is the test that a statement stands in; direct says that nothing
// stands between them that could expect or swallow a failure.
func (c *reader) unitOf(n *Node) (unit *Node, direct bool) {
	for at := n.Up; at != nil; at = at.Up {
		switch {
		case c.table.functions[at.Kind]:
			if c.isTest(at) || c.isTestBody(at) {
				return at, true
			}
			return nil, false
		case c.table.blocks[at.Kind], at.Is("if_statement", "for_statement", "for_in_statement", "enhanced_for_statement",
			"foreach_statement", "for_expression", "if", "else_clause", "then", "body_statement", "range_clause"):
		case at.Is("block") && at.Field == "body" || at.Is("statement_block", "expression_statement"):
		default:
			return nil, false
		}
	}
	return nil, false
}

// isTestBody reports whether a function is what a call hands over that makes a test.
func (c *reader) isTestBody(fn *Node) bool {
	call, ok := c.handedTo(fn)
	callee := c.table.calleeOf(call)
	return ok && (c.holdsTests(callee) && !c.catalogue.Has("suite", callee) && !c.catalogue.Has("skip", callee) ||
		c.catalogue.Has("rows", callee) && c.table.lang == syntax.Go)
}

// handedTo is the call that a function is an argument or the block of.
func (c *reader) handedTo(fn *Node) (call, bool) {
	up := fn.Up
	if up.Is("arguments", "argument_list") {
		up = up.Up
	} else if fn.Field != "block" {
		return call{}, false
	}
	if up == nil {
		return call{}, false
	}
	return c.table.callOf(up)
}

package kernel

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// binding is a name in a function.
type binding struct {
	function *Node
	name     string
}

// lend notes that a local is another name of something: after m := rates, m is
// rates. What a call gives is the test's own, but for classes and their parts.
func (r *reacher) lend(n *Node) {
	name, of := n.Child("left"), n.Child("right")
	if name == nil {
		name, of = n.Child("name"), n.Child("value")
	}
	if name != nil && of == nil && n.Is("variable_declarator") {
		of = n.Kids[len(n.Kids)-1]
	}
	for of.Is("expression_list", "equals_value_clause") && len(of.Kids) > 0 {
		of = of.Kids[len(of.Kids)-1]
	}
	called := func(k *Node) bool {
		_, ok := r.table.callOf(k)
		return ok
	}
	patcher := n.Is("for_statement") || strings.Contains(r.Callee(of), "patch")
	if name == nil || of == nil || of == name || of.Any(called) && !patcher && !classOf.MatchString(of.Source()) {
		return
	}
	r.lent[binding{n.Ancestor(r.table.functions), name.Source()}] = of
}

// classOf is what gives the class of an object, or what that inherits from.
var classOf = lazyregexp.New(`^(?:type|Object \. getPrototypeOf|Reflect \. getPrototypeOf|importlib \. import_module) \( ` +
	`|\. (?:__class__|constructor|singleton_class|class)(?: \.|$)`)

// origin is what the root of an expression is another name of, itself if it is none's.
func (r *reacher) origin(n *Node) *Node {
	for range 8 {
		if n == nil || classOf.MatchString(n.Source()) {
			break
		}
		root := n.root()
		for at := root; at != n; at = at.Up {
			if _, ok := r.table.callOf(at); ok {
				return at
			}
		}
		n = root
		of := r.lent[binding{n.Ancestor(r.table.functions), n.Source()}]
		if of == nil {
			break
		}
		if n = of; patcher.MatchString(of.Source()) {
			break
		}
	}
	return n
}

// common reports whether other files see what an expression names: a part of an
// import or of a class, a variable of the package.
func (r *reacher) common(n *Node) bool {
	at := r.origin(n)
	text := at.Source()
	switch {
	case text == "":
		return false
	case classOf.MatchString(text):
		return true
	case r.Lang == syntax.Go:
		return at.variable && at.bound == nil && text != "_" && !r.vars[text] && !r.imported[text]
	case r.Lang == syntax.Java || r.Lang == syntax.CSharp:
		return text[0] >= 'A' && text[0] <= 'Z' && r.used(text)
	case r.Lang == syntax.Ruby:
		return text == "described_class" || at.Is("constant", "scope_resolution") && r.used(strings.Split(at.joined(), "::")[0])
	default:
		return r.shared(at)
	}
}

// through looks at what a test sets by another name than the one that the
// approved tests use, or by a call that changes its object or first argument.
func (r *reacher) through(n *Node) {
	if target := r.partOf(n); target != nil && r.common(target) && r.runs(n) && !r.settled() && r.once(target.joined()+"=") {
		r.reach(n, "sets for all tests and does not set back: "+target.joined())
		return
	}
	opened := n.Child("object")
	if n.Is("singleton_class") {
		opened = n.Child("value")
	}
	if n.Is("singleton_method", "singleton_class") && opened.Source() != "self" && r.common(opened) {
		r.reach(n, "gives "+opened.Source()+" other methods")
		return
	}
	call, ok := r.table.callOf(n)
	if !ok {
		return
	}
	callee := strings.TrimPrefix(call.object.joined()+"."+call.name, ".")
	switch {
	case callee == "pytest.MonkeyPatch" && !monkeyUndone.MatchString(r.source()),
		(call.name == "start" || call.name == "__enter__") && !undoes.MatchString(r.source()) &&
			(patcher.MatchString(call.object.Source()) || patcher.MatchString(r.origin(call.object).Source())):
		r.reach(n, "replaces a part and does not put it back: "+n.joined())
	case r.Lang == syntax.Ruby && call.name != "define" && changesClass(call) && r.common(call.object):
		r.reach(n, "changes what approved tests use: "+n.joined())
	case len(call.args) > 0 && firstChanged.MatchString(callee) && r.common(call.args[0].valueOf()) &&
		r.runs(n) && !r.settled():
		r.reach(n, "sets for all tests and does not set back: "+n.joined())
	case (mutators[call.name] || changers[call.name]) && r.contains(call.object) && r.common(call.object) &&
		r.runs(n) && !r.settled() &&
		strings.Count(strings.ReplaceAll(r.source(), " ", ""), call.object.joined()+"."+call.name+"(") <= 1:
		r.reach(n, "sets for all tests and does not set back: "+n.joined())
	}
}

// settled reports whether the file has words by which tests put back what they changed.
func (r *reacher) settled() bool {
	return unset.MatchString(r.source()) || putBack.MatchString(r.source())
}

// partOf is the part of something that a node gives a value, by whatever name.
func (r *reacher) partOf(n *Node) *Node {
	target := n.Child("left")
	if !n.Is("assignment", "assignment_expression", "augmented_assignment", "augmented_assignment_expression", "operator_assignment",
		"assignment_statement") {
		return nil
	}
	if target.Is("expression_list") && len(target.Kids) == 1 {
		target = target.Kids[0]
	}
	other := r.lent[binding{target.root().Ancestor(r.table.functions), target.root().Source()}] != nil
	switch r.Lang {
	case syntax.Python, syntax.JavaScript:
		if target.Is("attribute", "subscript", "member_expression", "subscript_expression") &&
			(r.used(target.lastLeaf()) || codeOf.MatchString(target.lastLeaf())) {
			return target
		}
		if r.Lang == syntax.JavaScript && processPart.MatchString(target.Source()) && inProcess.MatchString(r.source()) &&
			r.once(target.joined()+"=") {
			r.reach(n, "sets for all tests and does not set back: "+target.joined())
		}
	case syntax.Go:
		if other && target.Is("index_expression") {
			return target
		}
	case syntax.Java, syntax.CSharp:
		if target.Is("array_access", "element_access_expression") {
			return target
		}
	case syntax.Ruby:
		if target.Is("element_reference", "call") && (target.root().Is("constant", "scope_resolution") || target.Is("call")) {
			return target
		}
	}
	return nil
}

// contains reports whether an expression is one of a container that is known by its name or its place: a constant, a static member.
func (r *reacher) contains(n *Node) bool {
	switch {
	case n == nil:
		return false
	case r.Lang == syntax.Java, r.Lang == syntax.CSharp:
		return n.Is("field_access", "member_access_expression")
	case r.Lang == syntax.JavaScript && n.Is("identifier"):
		return true
	}
	return constantName.MatchString(n.lastName())
}

// valueOf is what an argument holds.
func (n *Node) valueOf() *Node {
	if n.Is("argument") && len(n.Kids) > 0 {
		return n.Kids[len(n.Kids)-1]
	}
	return n
}

// lastName is the last name of a member or a path.
func (n *Node) lastName() string {
	text := n.joined()
	return text[strings.LastIndexAny(text, ".:")+1:]
}

var (
	constantName = lazyregexp.New(`^[A-Z][A-Z0-9_]+$`)
	codeOf       = lazyregexp.New(`^__(?:code|defaults|kwdefaults|bases)__$|^length$`)
	patcher      = lazyregexp.New(`\bpatch\b`)
	monkeyUndone = lazyregexp.New(`\b(?:undo|MonkeyPatch \. context)\b`)
	// firstChanged are calls that change their first argument in place.
	firstChanged = lazyregexp.New(`^(?:delete|clear|copy|(?:java\.util\.)?Arrays\.(?:fill|sort|setAll)|` +
		`(?:System\.)?Array\.(?:Fill|Clear|Sort|Reverse)|` +
		`(?:java\.util\.)?Collections\.(?:fill|sort|swap|shuffle|reverse|addAll))$`)
	// inProcess are frameworks that run all files in one process, processPart what these then share.
	inProcess   = lazyregexp.New(`\b(?:chai|mocha|sinon|jasmine)\b`)
	processPart = lazyregexp.New(`^(?:process \. env (?:\.|\[)|(?:Date|Math|JSON) \. \w+$)`)
)

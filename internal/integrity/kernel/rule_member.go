package kernel

import (
	"bytes"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// memberAdded allows a new test, helper, fixture, type or constant beside the approved members, if its name is
// fresh, so that no approved line means it; if no runner calls it by itself for other tests; and if what it
// does when it runs, or is made, reaches nothing that others see (see harmless).
func (c *comparer) memberAdded(n *Node) bool {
	if !c.memberLevel(n) || n.Kind == broken || n.Kind == gap || !c.harmless(n) {
		return false
	}
	ok := false
	switch {
	case c.table.definition[n.Kind], n.Is("property_declaration") && !strings.Contains(n.Source(), "} ="): // made with its object
		ok = c.definitionAdded(n)
	case n.Is("lexical_declaration", "expression_statement", "assignment", "var_declaration", "const_declaration", "const_item",
		"export_statement", "call", "field_declaration"):
		ok = c.valueAdded(n) || c.suiteAdded(n)
	}
	if ok {
		c.forgive("a test, helper or constant added under a fresh name")
	}
	return ok
}

// memberLevel reports whether a node stands among members: of the file, of a class or of a suite.
func (c *comparer) memberLevel(n *Node) bool {
	for at := n.Up; at != nil; at = at.Up {
		if c.table.functions[at.Kind] {
			call, ok := c.handedTo(at)
			return ok && c.catalogue.Has("suite", c.table.calleeOf(call)) && !c.catalogue.Has("skip", c.table.calleeOf(call))
		}
		if at.Is("if_statement", "try_statement", "with_statement", "for_statement", "while_statement", "begin", "if", "unless") {
			return false
		}
	}
	return true
}

// fresh reports whether a name stands nowhere in the approved file, not even in a text, and means nothing elsewhere.
func (c *comparer) fresh(name string) bool {
	return name != "" && !c.taken(name) && !ContainsWord(c.old.Source, name)
}

// ContainsWord reports whether a name stands in a source as a whole word; the empty one never does.
func ContainsWord(src []byte, word string) bool {
	for at := 0; word != ""; {
		i := bytes.Index(src[at:], []byte(word))
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		if (i == 0 || !wordByte(src[i-1])) && (at == len(src) || !wordByte(src[at])) {
			return true
		}
	}
	return false
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// definitionAdded judges a new function, method, class or type.
func (c *comparer) definitionAdded(n *Node) bool {
	name := n.Child("name").Source()
	if n.Is("impl_item", "type_declaration") {
		name = firstName(n)
	}
	ofNewType := n.Is("method_declaration") && c.table.lang == syntax.Go && c.newType(receiverOf(n))
	if strings.Contains(name, "::") || strings.Contains(name, ".") || !ofNewType && !c.fresh(name) || !c.inertMarks(n) {
		return false
	}
	if c.runsAtLoad(n) || n.Is("impl_item") && !c.newType(n.Child("type").Source()) ||
		n.Any(func(k *Node) bool { return k.Is("parameter") && len(k.Kids) > 0 && k.Kids[0].Text == "this" }) {
		return false
	}
	if c.table.lang == syntax.Java && n.Up.Is("program") {
		return false // it may stand before a class of that name of what is tested
	}
	if n.Is("method_declaration") && c.table.lang == syntax.Go {
		// Any other method more on a known type than a test of a suite may be one that others look for.
		return ofNewType || strings.HasPrefix(name, "Test") && c.collected(name) && len(values(n.Child("parameters"))) == 0
	}
	if n.Any(func(k *Node) bool { // a metaclass, or code that runs when it is loaded
		return k.Is("keyword_argument") && k.Up.Up.Is("class_definition") || k.Is("static_initializer")
	}) {
		return false
	}
	class := n.Ancestor(classKinds)
	if class == nil || c.isTest(n) {
		return true
	}
	bases := basesOf(class)
	if !class.Any(func(k *Node) bool { return c.table.definition[k.Kind] && c.isTest(k) }) {
		return false // what is no test may be looked at by what is tested
	}
	return bases == nil && c.table.lang != syntax.Ruby || c.knownBases(bases) && !ofBase.MatchString(name) &&
		(name[0] != '_' || strings.Contains(bases.joined(), "unittest."))
}

// ofBase matches names that a base of tests may have itself: what asserts, and what unittest calls its own.
var ofBase = lazyregexp.New(`^(?:assert|fail|refute|expect|_*[a-z]+[A-Z]|_(?:outcome|cleanups|class_|subtest|diff|type_|tail_)|__)`)

// newType reports whether only the head declares a type.
func (c *comparer) newType(name string) bool {
	return c.fresh(name) && c.new.Root.Any(func(k *Node) bool {
		return k.Is("struct_item", "enum_item", "type_spec") && k.Child("name").Source() == name && // no alias of another
			k.Ancestor(c.table.functions) == nil
	})
}

// runsAtLoad reports whether a new definition calls something when the file is
// loaded: in the body of a class, or for the default of a parameter.
func (c *comparer) runsAtLoad(n *Node) bool {
	found := false
	n.Walk(func(k *Node) bool {
		if k.Is(markKinds...) || k.Field == "body" && c.table.functions[k.Up.Kind] ||
			k.Is("block", "do_block") && c.table.lang == syntax.Ruby {
			return false
		}
		call, ok := c.table.callOf(k)
		callee := c.table.calleeOf(call)
		found = found || ok && !pureCalls[call.name] && !c.holdsTests(callee) && !c.catalogue.Has("hook", callee) &&
			call.name != "require" && !strings.HasPrefix(call.name, "attr_") && call.name != "private"
		return !found
	})
	return found && slices.Contains([]syntax.Language{syntax.Python, syntax.JavaScript, syntax.TypeScript, syntax.TSX, syntax.Ruby},
		c.table.lang)
}

var classKinds = setOf("class_definition", "class_declaration", "class")

// firstName is the first name in a node.
func firstName(n *Node) string {
	return n.Find(func(k *Node) bool { return k.Is("type_identifier", "identifier") }).leafText()
}

// leafText is the text of a leaf, "" of no node.
func (n *Node) leafText() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// basesOf is the list of a class's bases, nil if it has none.
func basesOf(class *Node) *Node {
	for _, k := range class.Kids {
		if k.Field == "superclasses" || k.Field == "superclass" || k.Field == "interfaces" || k.Field == "bases" ||
			k.Is("base_list", "class_heritage") {
			return k
		}
	}
	return nil
}

// knownBases reports whether a class has no base whose methods a new one could
// replace, besides those of the frameworks.
func (c *comparer) knownBases(bases *Node) bool {
	if bases == nil || c.table.lang == syntax.Ruby {
		return false
	}
	return !slices.ContainsFunc(values(bases), func(b *Node) bool { return !slices.Contains(words["knownBases"], b.joined()) })
}

// inertMarks reports whether the marks of a new definition do no more than describe it.
func (c *comparer) inertMarks(n *Node) bool {
	marks, _ := c.marks(n)
	for _, m := range marks {
		name := c.markName(m)
		known := c.catalogue.Has("mark", name) || c.catalogue.Has("test", name) || c.ownMark(name)
		if !known || m.Any(func(k *Node) bool { return k.Text == "autouse" }) {
			return false
		}
		if strings.HasSuffix(name, "fixture") && m.Any(func(k *Node) bool { // another name, or it lasts
			key := k.Child("name").Source()
			return k.Is("keyword_argument") && (key == "name" || key == "scope" && lasts.MatchString(n.Source()))
		}) {
			return false
		}
	}
	return true
}

// lasts matches what a fixture of more than one test may replace for others.
var lasts = lazyregexp.New(`(?i)patch|mock|set_?attr|environ`)

// valueAdded judges a new constant or variable: its name is fresh, and making its value calls nothing.
func (c *comparer) valueAdded(n *Node) bool {
	if class := n.Ancestor(classKinds); class != nil && basesOf(class) != nil {
		return false // a base may look it up
	}
	if marks, _ := c.marks(n); slices.ContainsFunc(marks, func(m *Node) bool { return lastName(c.markName(m)) != "TempDir" }) {
		return false // a framework may look it up
	}
	found, ok := 0, true
	n.Walk(func(k *Node) bool {
		var name *Node
		switch {
		case k.Is("assignment"):
			name = k.Child("left")
		case k.Is("variable_declarator", "var_spec", "const_spec", "const_item"):
			name = k.Child("name")
		default:
			return true
		}
		found++
		ok = ok && name != nil && c.freshNames(name)
		for _, v := range k.Kids {
			if v != name {
				ok = ok && (pure(c.table, v, set{}) || v.Is(functionValues...) || c.requires(v) || c.markOfPytest(v))
			}
		}
		return false
	})
	return found > 0 && ok
}

// freshNames reports whether all names that a declaration binds are fresh.
func (c *comparer) freshNames(n *Node) bool {
	if len(n.Kids) == 0 {
		return n.Is("identifier", "constant", "shorthand_property_identifier_pattern") && c.fresh(n.Text)
	}
	if !n.Is("object_pattern") {
		return false
	}
	return !slices.ContainsFunc(values(n), func(k *Node) bool { return !c.freshNames(k) })
}

// requires reports whether a value is a module that JavaScript's require loads.
func (c *comparer) requires(n *Node) bool {
	call, ok := c.table.callOf(n)
	return ok && c.table.calleeOf(call) == "require" && len(call.args) == 1 && call.args[0].Is("string")
}

// markOfPytest reports whether a value is a mark that tests which are new may carry, under a condition that
// asks for no more than what there is. Who marks an approved test with it changes that test.
func (c *comparer) markOfPytest(n *Node) bool {
	call, ok := c.table.callOf(n)
	return ok && c.table.lang == syntax.Python && strings.HasPrefix(c.table.calleeOf(call), "pytest.mark.") &&
		!slices.ContainsFunc(call.args, func(a *Node) bool { return !pure(c.table, a, set{"hasattr": true}) })
}

// ownMark reports whether a new name stands for such a mark wherever it is bound.
func (c *comparer) ownMark(name string) bool {
	found, ok := false, c.fresh(name)
	c.new.Root.Walk(func(k *Node) bool {
		if k.Is("assignment") && k.Child("left").Source() == name {
			found, ok = true, ok && c.markOfPytest(k.Child("right"))
		} else if k.Field == "name" && k.Source() == name {
			ok = false // something is defined under the name
		}
		return true
	})
	return found && ok
}

// functionValues run nothing when they are made.
var functionValues = []string{"arrow_function", "function_expression", "lambda", "func_literal"}

// suiteAdded judges a new test or suite that is a call.
func (c *comparer) suiteAdded(n *Node) bool {
	if n.Is("expression_statement") && len(n.Kids) > 0 {
		n = n.Kids[0]
	}
	call, ok := c.table.callOf(n)
	if !ok {
		return false
	}
	callee := c.table.calleeOf(call)
	if callee == "let" && call.block != nil && len(call.args) == 1 {
		return call.args[0].Is("simple_symbol") && c.fresh(strings.TrimPrefix(call.args[0].Text, ":")) // made only where it is used
	}
	untitled := call.block != nil && c.table.lang == syntax.Ruby && slices.Contains([]string{"it", "specify", "example"}, callee)
	included := len(call.args) == 1 && (callee == "it_behaves_like" || callee == "it_should_behave_like") // in a suite of its own
	if !(c.holdsTests(callee) || included) || c.catalogue.Has("skip", callee) || len(call.args) == 0 && !untitled {
		return false
	}
	for i, a := range call.args {
		if !(isTitle(a) || i > 0 && a.Is(functionValues...) || a.Is("constant", "scope_resolution", "number")) {
			return false
		}
	}
	return !n.Any(func(k *Node) bool {
		inner, ok := c.table.callOf(k)
		if !ok {
			return false
		}
		name := c.table.calleeOf(inner)
		return Focuses(c.table.lang, name) || k.Up != nil && name != "run" && c.catalogue.Has("hook", name) && !(included && k == n) &&
			!c.within(k, n) // run is a hook where it is defined
	})
}

// within reports whether a hook stands in a suite that is new as well.
func (c *comparer) within(k, top *Node) bool {
	for at := k.Up; at != nil && at != top.Up; at = at.Up {
		if call, ok := c.table.callOf(at); ok && c.catalogue.Has("suite", c.table.calleeOf(call)) {
			return true
		}
	}
	return false
}

// Focuses reports whether a callee makes a language's runners run nothing but it.
func Focuses(l syntax.Language, callee string) bool {
	switch l {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX, syntax.Ruby:
		only := l != syntax.Ruby && (strings.HasSuffix(callee, ".only") || strings.Contains(callee, ".only."))
		return only || slices.Contains([]string{"fit", "fdescribe", "fcontext", "fspecify", "fexample", "focus"}, callee)
	case syntax.Go:
		return slices.Contains([]string{"FIt", "FDescribe", "FContext", "FEntry", "FSpecify", "FWhen", "FDescribeTable"}, callee)
	}
	return false
}

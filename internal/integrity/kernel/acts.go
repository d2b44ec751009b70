package kernel

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"workflow-reviewer/internal/syntax"
)

// acts says how a new member acts on others when it is loaded or run: "" if it does not, as far as
// the language's table of such names tells. Nothing is followed: neither what a name stands for,
// nor what a call does.
func (c *comparer) acts(n *Node) string {
	switch {
	case c.opt.Loose && n.Is("package_clause"):
		return "" // a test file of Go belongs to a package, whose tests are asked about anyway
	case n.Is("package_declaration"):
		return "joins a package, where its classes may take the place of others: " + oneLine(n)
	}
	if c.table.imports[n.Kind] {
		if c.importOf(n).star {
			return "imports names that are not written down: " + oneLine(n)
		}
		return ""
	}
	if c.memberLevel(n) {
		if what := c.loaded(n); what != "" {
			return what
		}
	}
	return c.reached(cmp.Or(c.exported(n), n))
}

// reached says how what runs with a new member or row reaches others.
func (c *comparer) reached(n *Node) string {
	own, what := c.ownNames(n), ""
	n.Walk(func(k *Node) bool {
		if what == "" {
			what = c.reaches(k, n, own)
		}
		return what == ""
	})
	return what
}

// loaded says what a member is to a runner or to other members, before any test of its own runs.
func (c *comparer) loaded(n *Node) string {
	names, plain := c.declares(n)
	unit, isUnit := c.Unit(n.call())
	class := n.Ancestor(classKinds)
	inherits := class != nil && class.bases() != nil
	switch {
	case isUnit && unit.Role == Setup && !c.isFixture(n):
		return "is called by the runner around tests: " + unit.Name
	case isCall(c.Tree, n.call()) && isUnit:
		return ""
	case len(names) == 0 || !plain:
		return "runs when the file is loaded: " + oneLine(n)
	case n.Is("impl_item"), n.Is("method_declaration") && c.Lang == syntax.Go:
		if of := firstType(n); c.newType(of) ||
			strings.HasPrefix(names[0], "Test") && len(values(n.Child("parameters"))) == 0 {
			return ""
		}
		return "gives a type a method that others may call: " + oneLine(n.Child("name"))
	case inherits && !c.Collected(n),
		class != nil && len(c.Marks(n)) > 0 && !c.table.functions[n.Kind] &&
			!c.table.definition[n.Kind]:
		return "is a member that a base or a runner may look up: " + names[0]
	}
	for _, name := range names {
		if c.table.reserved[name] || c.File.Has("hook", name) || strings.HasPrefix(name, "__") ||
			name == "_" {
			return "gives a name of the runner or the language a meaning: " + name
		}
	}
	return ""
}

// isFixture reports whether a definition is one that runs only for tests that ask for it.
func (t *Tree) isFixture(n *Node) bool {
	return slices.ContainsFunc(t.Marks(n), func(m *Node) bool {
		renamed := m.Any(
			func(k *Node) bool {
				return k.Is("keyword_argument") && k.Child("name").leafText() == "name"
			},
		)
		return strings.HasSuffix(t.markName(m), "fixture") && !renamed
	})
}

// reaches says how one node of a new member reaches others.
func (c *comparer) reaches(k, top *Node, own set) string {
	call, isCall := c.table.callOf(k)
	switch {
	case k.Kind == broken:
		return "does not parse"
	case k.Is("global_statement", "global_variable", "class_variable", "singleton_class",
		"refinement", "static_initializer"):
		return "reaches what all share: " + oneLine(k)
	case len(k.Kids) == 0:
		// Python reads letters by their compatibility form, and scripts can be written with
		// escapes.
		odd := strings.Contains(k.Kind, "identifier") &&
			(strings.Contains(k.Text, `\`) || !norm.NFKC.IsNormalString(k.Text))
		if odd || c.table.acts[k.Text] && !c.spared(k) {
			return "uses what reaches others: " + k.Text
		}
	case k.Is("class", "module") && k != top && c.table.reserved[k.Child("name").Normalized()]:
		return "opens again what all use: " + k.Child("name").Normalized()
	case isCall && Focuses(c.Lang, c.table.calleeOf(call)):
		return "keeps others from running: " + c.table.calleeOf(call)
	case assigns[k.Kind] && k != top:
		if target := assigned(k); target != nil && !c.owns(target, own) {
			return "assigns to what is not its own: " + oneLine(target)
		}
	}
	return ""
}

// assigns are kinds of statements and expressions that assign.
var assigns = setOf(
	"assignment",
	"assignment_expression",
	"augmented_assignment",
	"augmented_assignment_expression",
	"assignment_statement",
	"update_expression",
	"operator_assignment",
	"compound_assignment_expr",
	"inc_statement",
	"dec_statement",
	"delete_statement",
	"postfix_unary_expression",
	"prefix_unary_expression",
	"unary_expression",
)

// assigned is what a node assigns to, nil if it only reads.
func assigned(n *Node) *Node {
	if left := n.Child("left"); left != nil {
		return left
	}
	operator := slices.ContainsFunc(n.Kids, func(k *Node) bool {
		return slices.Contains([]string{"++", "--", "del", "delete"}, k.Text)
	})
	i := slices.IndexFunc(n.Kids, func(k *Node) bool { return k.Kind != k.Text })
	if !operator || i < 0 {
		return nil
	}
	return n.Kids[i]
}

// owns reports whether all that a pattern assigns to is the new member's own, or a part of it.
func (c *comparer) owns(n *Node, own set) bool {
	if memberKinds[n.Kind] && len(n.Kids) > 0 {
		inner := slices.IndexFunc(n.Kids, func(k *Node) bool { return k.Kind != k.Text })
		return n.Is("call") && n.Child("receiver") == nil || inner < 0 || c.owns(n.Kids[inner], own)
	}
	if len(n.Kids) > 0 {
		return !slices.ContainsFunc(n.Kids, func(k *Node) bool { return !c.owns(k, own) })
	}
	switch n.Text {
	case "self", "this", "_":
		return true
	}
	return n.Kind == n.Text || n.Is("instance_variable") ||
		!strings.Contains(n.Kind, "identifier") && !n.Is("constant") ||
		own[n.Text]
}

// ownNames are the names that a member binds itself.
func (t *Tree) ownNames(top *Node) set {
	out := set{}
	top.Walk(func(n *Node) bool {
		for _, k := range n.Kids {
			for _, b := range t.table.binds {
				if b.kind == n.Kind && (b.field == "" || b.field == k.Field) {
					t.bound(k, out)
				}
			}
		}
		return true
	})
	return out
}

// bound adds the names in a pattern.
func (t *Tree) bound(n *Node, out set) {
	if len(n.Kids) == 0 {
		out[n.Text] = true
	}
	for _, k := range n.Kids {
		if t.table.pattern[n.Kind] && k.Field != "value" && k.Field != "type" &&
			k.Field != "right" &&
			k.Field != "key" {
			t.bound(k, out)
		}
	}
}

// spared reports whether a name is one of a call that the framework undoes after the test.
func (t *Tree) spared(k *Node) bool {
	for at, up := k.Up, 0; at != nil && up < 2; at, up = at.Up, up+1 {
		if call, ok := t.table.callOf(at); ok && call.callee == k {
			return slices.ContainsFunc(t.table.spares,
				func(s string) bool { return s == t.table.calleeOf(call) })
		}
	}
	return false
}

// newType reports whether only the head declares a type.
func (c *comparer) newType(name string) bool {
	return c.allFresh([]string{name}, true) && c.Root.Any(func(k *Node) bool {
		return k.Is("struct_item", "enum_item", "type_spec") && k.Child("name").Normalized() == name
	})
}

// firstType is the type that an impl of Rust or a method of Go belongs to.
func firstType(n *Node) string {
	at := n.Child("receiver")
	if at == nil {
		at = n.Child("type")
	}
	return at.Find(func(k *Node) bool { return k.Is("type_identifier") }).leafText()
}

var classKinds = setOf("class_definition", "class_declaration", "class")

// bases is the list of a class's bases, nil if it has none.
func (n *Node) bases() *Node {
	for _, k := range n.Kids {
		if slices.Contains([]string{"superclasses", "superclass", "interfaces", "bases"},
			k.Field) ||
			k.Is("base_list", "class_heritage") {
			return k
		}
	}
	return nil
}

// Focuses reports whether a callee makes a language's runners run nothing but it.
func Focuses(l syntax.Language, callee string) bool {
	switch l {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX, syntax.Ruby:
		only := l != syntax.Ruby &&
			(strings.HasSuffix(callee, ".only") || strings.Contains(callee, ".only."))
		return only ||
			slices.Contains(
				[]string{"fit", "fdescribe", "fcontext", "fspecify", "fexample", "focus"},
				callee,
			)
	case syntax.Go:
		return slices.Contains(
			[]string{
				"FIt",
				"FDescribe",
				"FContext",
				"FEntry",
				"FSpecify",
				"FWhen",
				"FDescribeTable",
			},
			callee,
		)
	}
	return false
}

// oneLine is the beginning of a node's text.
func oneLine(n *Node) string {
	if text := []rune(n.Normalized()); len(text) > 80 {
		return string(text[:80]) + "…"
	}
	return n.Normalized()
}

package kernel

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/syntax"
)

// added notes a new statement without a counterpart: a whole member is a gain, all else a
// difference. last says that no approved statement follows it in its block.
func (c *comparer) added(n *Node, last bool) {
	if what, ok := c.member(n, last); ok {
		c.gains = append(c.gains, Gain{Node: n, What: what, Acts: c.acts(n)})
		return
	}
	c.differ(nil, n)
}

// member says what a new statement brings if it stands among members, and under names that are
// fresh.
func (c *comparer) member(n *Node, last bool) (what string, ok bool) {
	switch {
	case n.Kind == broken, n.Kind == gap:
		return "", false
	case c.table.imports[n.Kind]:
		return "import", c.allFresh(c.importOf(n).binds, path.Base(c.opt.Path) == "conftest.py")
	case !c.memberLevel(n):
		title, test := c.subtest(n)
		return "subtest " + title, test && last && c.freshTitle(title)
	case n.Is("export_statement"):
		return c.member(n.Kids[len(n.Kids)-1], last)
	}
	unit, isUnit := c.Unit(n.call())
	if _, call := c.table.callOf(n.call()); call && isUnit {
		return string(unit.Role) + " " + unit.Name, c.freshTitle(unit.Name)
	}
	names, plain := c.declares(n)
	shared := c.shared() || c.exported(n) != nil // which others may spread over theirs
	switch {
	case len(names) == 0 || !plain:
		return "statement", true
	case isUnit:
		return string(unit.Role) + " " + unit.Name, c.allFresh(names, shared)
	}
	return "constant " + names[0], c.allFresh(names, shared)
}

// call is the call that a statement is, else the node itself.
func (n *Node) call() *Node {
	if n.Is("expression_statement") && len(n.Kids) > 0 {
		return n.Kids[0]
	}
	return n
}

// memberLevel reports whether a node stands among members: of the file, of a class or of a suite.
func (t *Tree) memberLevel(n *Node) bool {
	for at := n.Up; at != nil; at = at.Up {
		if t.table.functions[at.Kind] {
			call, ok := t.handedTo(at)
			return ok && t.File.Has("suite", t.table.calleeOf(call)) &&
				!t.File.Has("skip", t.table.calleeOf(call))
		}
		if conditional[at.Kind] {
			return false
		}
	}
	return true
}

var conditional = setOf(
	"if_statement",
	"try_statement",
	"with_statement",
	"for_statement",
	"while_statement",
	"begin",
	"if",
	"unless",
)

// handedTo is the call that a function is an argument or the block of.
func (t *Tree) handedTo(fn *Node) (call, bool) {
	up := fn.Up
	if up.Is("arguments", "argument_list") {
		up = up.Up
	} else if fn.Field != "block" {
		return call{}, false
	}
	return t.table.callOf(up)
}

// subtest is the title of a part of a test of Go that a statement is.
func (t *Tree) subtest(n *Node) (title string, ok bool) {
	call, ok := t.table.callOf(n.call())
	ok = ok && t.Lang == syntax.Go && len(call.args) == 2 &&
		t.File.Has("rows", t.table.calleeOf(call)) &&
		call.args[0].Is("interpreted_string_literal") &&
		call.args[1].Is("func_literal")
	if !ok {
		return "", false
	}
	return call.args[0].Text, true
}

// declares lists the names that a statement gives a meaning; plain is false if it also gives parts
// of something one.
func (t *Tree) declares(n *Node) (names []string, plain bool) {
	plain = true
	if t.exported(n) != nil {
		return []string{n.call().Child("left").Child("property").leafText()}, true
	}
	n.Walk(func(k *Node) bool {
		name := k.Child("name")
		switch {
		case k.Is("assignment"):
			name = k.Child("left")
		case t.table.definition[k.Kind] && name == nil: // an impl of Rust, a list of types of Go
			return true
		case t.table.definition[k.Kind], declarators[k.Kind]:
		default:
			return !t.table.functions[k.Kind] && !isCall(t, k)
		}
		name.Walk(func(l *Node) bool {
			plain = plain && !memberKinds[l.Kind]
			if len(l.Kids) == 0 && l.Kind != l.Text && l.Field != "key" {
				names = append(names, l.Text)
			}
			return true
		})
		return false
	})
	return names, plain
}

// exported is the value that a statement gives a name of the file's own exports, nil if it is none.
func (t *Tree) exported(n *Node) *Node {
	n = n.call()
	left, value := n.Child("left"), n.Child("right")
	of := left.Child("object").Normalized()
	if !n.Is("assignment_expression") || !left.Is("member_expression") ||
		of != "exports" && of != "module . exports" || assigns[value.Kind] {
		return nil
	}
	return value
}

// isCall reports whether a node calls something.
func isCall(t *Tree, n *Node) bool {
	_, ok := t.table.callOf(n)
	return ok
}

var declarators = setOf(
	"variable_declarator",
	"var_spec",
	"const_spec",
	"type_spec",
	"type_alias",
	"const_item",
	"static_item",
)

// memberKinds are kinds of node that are a part of something: a field, an element.
var memberKinds = setOf(
	"attribute",
	"subscript",
	"member_expression",
	"subscript_expression",
	"selector_expression",
	"index_expression",
	"field_expression",
	"field_access",
	"array_access",
	"member_access_expression",
	"element_access_expression",
	"element_reference",
	"call",
	"instance_variable",
	"scope_resolution",
)

// shared reports whether other files see what is defined in this one by its name alone.
func (c *comparer) shared() bool {
	base := path.Base(c.opt.Path)
	switch c.Lang {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return false
	case syntax.Python:
		return base == "conftest.py" || base == "__init__.py"
	}
	return true
}

// allFresh reports whether none of some names stands in the approved file, not even in a text, or,
// if others see what the file defines, in another approved one.
func (c *comparer) allFresh(names []string, shared bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		used := shared && c.opt.Used != nil && c.opt.Used(name)
		return name == "" || used || ContainsWord(c.old.Source, name)
	})
}

// freshTitle reports whether no approved test has a title.
func (c *comparer) freshTitle(title string) bool {
	text := strings.Trim(title, "\"'`")
	return text != "" && !bytes.Contains(c.old.Source, []byte(text+title[len(title)-1:]))
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

// Words are the maximal runs of letters, digits and underscores of a source.
func Words(src []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for end := 0; end < len(src); end++ {
			start := end
			for end < len(src) && wordByte(src[end]) {
				end++
			}
			if end > start && !yield(src[start:end]) {
				return
			}
		}
	}
}

// wordByte reports whether a byte may be part of a name. All that is not ASCII may.
func wordByte(b byte) bool {
	return b == '_' || b >= utf8.RuneSelf || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b))
}

package java

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// style is the order of arguments in a library's assertions.
type style int

// The styles.
const (
	unknown      style = iota
	messageLast        // JUnit 5: expected, actual, message
	messageFirst       // JUnit 3 and 4: message, expected, actual
	actualFirst        // TestNG: actual, expected, message
)

// styleOf tells from where a call's name comes.
func (f *file) styleOf(c clike.Call) style {
	owner := f.static[c.Name]
	if !c.On.IsZero() {
		owner = c.Object
		if full := f.classes[owner]; full != "" {
			owner = full
		}
	} else if owner == "" {
		for _, w := range f.wild {
			if s := byClass(w); s != unknown {
				return s
			}
		}
		if len(f.wild) > 0 {
			return unknown
		}
	}
	s := byClass(owner)
	switch {
	case s == messageFirst && f.testng && (owner == "Assert"):
		return actualFirst
	case s != unknown || owner != "" && owner != "this" && owner != "super":
		return s
	case f.jupiter:
		return messageLast
	case f.testng:
		return actualFirst
	default:
		return messageFirst
	}
}

func byClass(owner string) style {
	switch {
	case strings.HasPrefix(owner, "org.testng"):
		return actualFirst
	case strings.HasSuffix(owner, "jupiter.api.Assertions"), owner == "Assertions":
		return messageLast
	case strings.HasSuffix(owner, "Assert"), strings.HasSuffix(owner, "TestCase"):
		return messageFirst
	default:
		return unknown
	}
}

// form says how many arguments of an assertion count and what it demands.
type form struct {
	relation testmodel.Relation
	negated  bool
	arity    int
	delta    bool // one more may be a tolerance
}

// forms are the assertions of JUnit and TestNG by name.
var forms = map[string]form{
	"assertEquals": {testmodel.Equal, false, 2, true}, "assertNotEquals": {testmodel.Equal, true, 2, true},
	"assertArrayEquals": {testmodel.Equal, false, 2, true}, "assertIterableEquals": {testmodel.Equal, false, 2, false},
	"assertLinesMatch": {testmodel.Matches, false, 2, false}, "assertEqualsNoOrder": {testmodel.LooseEqual, false, 2, false},
	"assertEqualsDeep": {testmodel.Equal, false, 2, false},
	"assertSame":       {testmodel.Identical, false, 2, false}, "assertNotSame": {testmodel.Identical, true, 2, false},
	"assertTrue": {testmodel.Truthy, false, 1, false}, "assertFalse": {testmodel.Falsy, false, 1, false},
	"assertNull": {testmodel.Nil, false, 1, false}, "assertNotNull": {testmodel.NotNil, false, 1, false},
	"assertThrows": {testmodel.Throws, false, 2, false}, "assertThrowsExactly": {testmodel.Throws, false, 2, false},
	"expectThrows": {testmodel.Throws, false, 2, false}, "assertDoesNotThrow": {testmodel.Succeeds, false, 1, false},
	"assertInstanceOf": {testmodel.TypeOf, false, 2, false},
}

// junit is the assertion of a call of JUnit or TestNG and its arguments that
// are no message; nil if it is none.
func (d dialect) junit(b *clike.Body, c clike.Call) ([]testmodel.Assert, []syntax.Node) {
	fm, ok := forms[c.Name]
	st := d.styleOf(c)
	if !ok || st == unknown || len(c.Args) < fm.arity {
		return nil, nil
	}
	args := d.messageless(b, c.Args, fm, st)
	a := testmodel.Assert{Relation: fm.relation, Negated: fm.negated, Name: c.Name}
	switch {
	case fm.relation == testmodel.Truthy || fm.relation == testmodel.Falsy:
		return b.Holds(args[0], fm.relation == testmodel.Truthy), args
	case fm.arity == 1:
		a.Subject = b.Tokens(clike.Run(args[0]))
		return []testmodel.Assert{a}, args
	case fm.relation == testmodel.Throws, fm.relation == testmodel.TypeOf:
		a.Expected, a.Subject = d.types(args[0]), b.Tokens(clike.Run(args[1]))
		return []testmodel.Assert{a}, args
	}
	want, got := args[0], args[1]
	if st == actualFirst {
		want, got = got, want
	}
	a.Subject, a.Expected = b.Tokens(got), b.Tokens(want)
	if len(args) > 2 {
		a = b.Within(a, args[2])
	} else if fm.relation == testmodel.Equal {
		a = b.SizeOf(a, got)
	}
	return []testmodel.Assert{a}, args
}

// messageless are the arguments without the message. Where it cannot be told
// from a tolerance it is taken as one: losing that would be worse.
func (d dialect) messageless(b *clike.Body, args []syntax.Node, fm form, st style) []syntax.Node {
	first, last := args[0], args[len(args)-1]
	switch extra := len(args) - fm.arity; {
	case extra == 0:
		return args
	case st == messageFirst && (extra == 2 || !fm.delta || d.isMessage(b, first)):
		if clike.Mute(first) {
			return args[1:]
		}
		return append(args[1:len(args):len(args)], first)
	case st != messageFirst && (extra == 2 || !fm.delta || d.isMessage(b, last)):
		if clike.Mute(last) {
			return args[:len(args)-1]
		}
	}
	return args
}

// messageName are names that messages have.
var messageName = regexp.MustCompile(`(?i)(msg|message|reason|desc)`)

// isMessage reports whether an argument is a text.
func (d dialect) isMessage(b *clike.Body, n syntax.Node) bool {
	n = clike.Inner(n)
	switch n.Kind() {
	case "string_literal", "lambda_expression", "template_expression":
		return true
	case "binary_expression":
		return n.Has("string_literal")
	case "identifier":
		if typ := b.Types[n.Text()]; typ != "" && typ != "var" {
			return typ == "String"
		}
		return messageName.MatchString(n.Text())
	case "method_invocation":
		c := d.Call(n)
		return c.Object == "String" || c.Name == "formatted" || c.Name == "toString"
	default:
		return false
	}
}

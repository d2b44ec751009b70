package csharp

import (
	"math"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// form says what an assertion demands and which of its arguments is what, from
// 0; -1 is none. More arguments are a tolerance, a comparer or a message.
type form struct {
	relation          testmodel.Relation
	negated           bool
	subject, expected int
}

func (f form) not() form { f.negated = true; return f }

func of(r testmodel.Relation, subject, expected int) form { return form{r, false, subject, expected} }

// forms are the assertions of xUnit, NUnit and MSTest by name.
var forms = map[string]form{
	"Equal": of(testmodel.Equal, 1, 0), "NotEqual": of(testmodel.Equal, 1, 0).not(), "StrictEqual": of(testmodel.Equal, 1, 0),
	"AreEqual": of(testmodel.Equal, 1, 0), "AreNotEqual": of(testmodel.Equal, 1, 0).not(), "Equivalent": of(testmodel.LooseEqual, 1, 0),
	"AreEquivalent": of(testmodel.LooseEqual, 1, 0), "AreNotEquivalent": of(testmodel.LooseEqual, 1, 0).not(),
	"Same": of(testmodel.Identical, 1, 0), "NotSame": of(testmodel.Identical, 1, 0).not(),
	"AreSame": of(testmodel.Identical, 1, 0), "AreNotSame": of(testmodel.Identical, 1, 0).not(),
	"True": of(testmodel.Truthy, 0, -1), "IsTrue": of(testmodel.Truthy, 0, -1), "False": of(testmodel.Falsy, 0, -1), "IsFalse": of(testmodel.Falsy, 0, -1),
	"Null": of(testmodel.Nil, 0, -1), "IsNull": of(testmodel.Nil, 0, -1), "NotNull": of(testmodel.NotNil, 0, -1), "IsNotNull": of(testmodel.NotNil, 0, -1),
	"Contains": of(testmodel.Contains, 1, 0), "DoesNotContain": of(testmodel.Contains, 1, 0).not(),
	"StartsWith": of(testmodel.Prefix, 1, 0), "EndsWith": of(testmodel.Prefix, 1, 0), "Matches": of(testmodel.Matches, 1, 0), "DoesNotMatch": of(testmodel.Matches, 1, 0).not(),
	"InRange": of(testmodel.OneOf, 0, 1), "NotInRange": of(testmodel.OneOf, 0, 1).not(), "Subset": of(testmodel.Subset, 1, 0), "Superset": of(testmodel.Subset, 0, 1),
	"IsType": of(testmodel.TypeOf, 1, 0), "IsNotType": of(testmodel.TypeOf, 1, 0).not(), "IsAssignableFrom": of(testmodel.TypeOf, 1, 0),
	"IsInstanceOf": of(testmodel.TypeOf, 1, 0), "IsNotInstanceOf": of(testmodel.TypeOf, 1, 0).not(), "IsInstanceOfType": of(testmodel.TypeOf, 0, 1),
	"Throws": of(testmodel.Throws, 1, 0), "ThrowsAsync": of(testmodel.Throws, 1, 0), "ThrowsAny": of(testmodel.Throws, 1, 0), "ThrowsAnyAsync": of(testmodel.Throws, 1, 0),
	"ThrowsException": of(testmodel.Throws, 1, 0), "ThrowsExceptionAsync": of(testmodel.Throws, 1, 0), "ThrowsExactly": of(testmodel.Throws, 1, 0),
	"ThrowsExactlyAsync": of(testmodel.Throws, 1, 0), "Catch": of(testmodel.Throws, 1, 0), "CatchAsync": of(testmodel.Throws, 1, 0),
	"DoesNotThrow": of(testmodel.Succeeds, 0, -1), "DoesNotThrowAsync": of(testmodel.Succeeds, 0, -1),
	"Greater": of(testmodel.Compare, 0, 1), "GreaterOrEqual": of(testmodel.Compare, 0, 1), "Less": of(testmodel.Compare, 0, 1), "LessOrEqual": of(testmodel.Compare, 0, 1),
}

// sizes are assertions about how many elements there are.
var sizes = map[string]form{
	"Empty": of(testmodel.Length, 0, 0), "IsEmpty": of(testmodel.Length, 0, 0), "NotEmpty": of(testmodel.Length, 0, 0).not(), "IsNotEmpty": of(testmodel.Length, 0, 0).not(),
	"Single": of(testmodel.Length, 0, 1), "HasCount": of(testmodel.Length, 1, -1),
}

// operators are NUnit's names for comparisons.
var operators = map[string]string{"Greater": ">", "GreaterOrEqual": ">=", "Less": "<", "LessOrEqual": "<="}

// asserted is the assertion of a call of Assert and its arguments that are no
// message; nil if it is none.
func (d dialect) asserted(b *clike.Body, c clike.Call) ([]testmodel.Assert, []syntax.Node) {
	if d.types[c.Object] || !strings.HasSuffix(c.Object, "Assert") && c.Object != "Debug" && c.Object != "ClassicAssert" {
		return nil, nil
	}
	args := inOrder(c.Args)
	if c.Name == "That" && len(args) > 0 {
		return d.that(b, args)
	}
	if c.Object == "Debug" {
		c.Name = "True"
	}
	if size, ok := sizes[c.Name]; ok && len(args) == 1 {
		want := []string{"0"}
		if size.expected == 1 {
			want = []string{"1"}
		}
		return []testmodel.Assert{{Relation: size.relation, Negated: size.negated, Name: c.Name, Subject: b.Tokens(args[0]), Expected: want}}, args
	}
	fm, ok := forms[c.Name]
	if !ok {
		return nil, nil
	}
	if c.Object == "StringAssert" {
		fm.subject, fm.expected = 0, 1 // of MSTest; NUnit's has them the other way round
		if d.framework == nunit {
			fm.subject, fm.expected = 1, 0
		}
	}
	return d.formed(b, c, fm, args)
}

// formed is the assertion of a form with its types and arguments.
func (d dialect) formed(b *clike.Body, c clike.Call, fm form, args []syntax.Node) ([]testmodel.Assert, []syntax.Node) {
	a := testmodel.Assert{Relation: fm.relation, Negated: fm.negated, Name: c.Name}
	if op := operators[c.Name]; op != "" {
		a.Name = op
	}
	count := max(fm.subject, fm.expected) + 1
	if len(c.Types) > 0 && (fm.relation == testmodel.Throws || fm.relation == testmodel.TypeOf) {
		a.Expected, count = b.Tokens(c.Types...), 1
		fm.subject, fm.expected = 0, -1
	} else if fm.relation == testmodel.Throws && len(args) == 1 {
		count, fm.subject, fm.expected = 1, 0, -1
	}
	if len(args) < count {
		return nil, nil
	}
	if fm.relation == testmodel.OneOf {
		count = len(args)
	}
	args = values(d.messageless(b, args, count))
	if fm.relation == testmodel.Truthy || fm.relation == testmodel.Falsy {
		return b.Holds(args[0], fm.relation == testmodel.Truthy), args
	}
	a.Subject = b.Tokens(args[fm.subject])
	if fm.relation == testmodel.Throws || fm.relation == testmodel.Succeeds {
		a.Subject = b.Tokens(clike.Run(args[fm.subject]))
	}
	if fm.expected >= 0 {
		a.Expected = d.expectation(b, fm, args)
	}
	if len(args) > count {
		return []testmodel.Assert{d.near(b, a, args[count:])}, args
	}
	if a.Relation == testmodel.Equal {
		a = b.SizeOf(a, clike.Inner(args[fm.subject]))
	}
	return []testmodel.Assert{a}, args
}

func (d dialect) expectation(b *clike.Body, fm form, args []syntax.Node) []string {
	switch {
	case fm.relation == testmodel.Throws || fm.relation == testmodel.TypeOf:
		return d.typeof(args[fm.expected])
	case fm.relation == testmodel.OneOf:
		return b.Tokens(args[fm.expected:]...)
	default:
		return b.Tokens(args[fm.expected])
	}
}

// near is an assertion with a third argument: a tolerance, digits of precision
// in xUnit, or something that says how to compare.
func (d dialect) near(b *clike.Body, a testmodel.Assert, more []syntax.Node) testmodel.Assert {
	value := clike.Inner(more[0])
	a.ToleranceTokens = b.Tokens(more...)
	number := clike.Number(b.Tokens(value))
	switch {
	case a.Relation != testmodel.Equal:
		return a
	case d.framework != nunit && d.framework != mstest && a.Name == "Equal" && value.Is("integer_literal") && number != nil:
		digits := math.Pow(10, -*number) / 2
		a.Relation, a.Tolerance = testmodel.Approx, &digits
	case number != nil || value.Is("identifier", "member_access_expression") && !strings.Contains(value.Text(), "Compar"):
		tokens := a.ToleranceTokens
		a = b.Within(a, value)
		a.ToleranceTokens = tokens
	}
	return a
}

// inOrder puts expected: and actual: into their places.
func inOrder(args []syntax.Node) []syntax.Node {
	var expected, actual syntax.Node
	var rest []syntax.Node
	for _, a := range args {
		switch a.Field("name").Text() {
		case "expected":
			expected = a
		case "actual":
			actual = a
		default:
			rest = append(rest, a)
		}
	}
	if expected.IsZero() || actual.IsZero() {
		return args
	}
	return append([]syntax.Node{expected, actual}, rest...)
}

// values are arguments without their names.
func values(args []syntax.Node) []syntax.Node {
	out := make([]syntax.Node, len(args))
	for i, a := range args {
		out[i] = clike.Inner(a)
	}
	return out
}

// messageName are names that messages have.
var messageName = regexp.MustCompile(`(?i)(msg|message|reason|because|userMessage)`)

// messageless are the arguments without the message, which are the last of
// more than there must be.
func (d dialect) messageless(b *clike.Body, args []syntax.Node, count int) []syntax.Node {
	for i := count; i < len(args); i++ {
		if d.isMessage(b, args[i]) && clike.Mute(args[i:]...) {
			return args[:i]
		}
	}
	return args
}

// isMessage reports whether an argument is a text.
func (d dialect) isMessage(b *clike.Body, n syntax.Node) bool {
	if name := n.Field("name").Text(); name != "" {
		return messageName.MatchString(name)
	}
	n = clike.Inner(n)
	switch n.Kind() {
	case "string_literal", "interpolated_string_expression", "verbatim_string_literal", "raw_string_literal":
		return true
	case "binary_expression":
		return n.Has("string_literal", "interpolated_string_expression")
	case "identifier":
		if typ := b.Types[n.Text()]; typ != "" && typ != "var" {
			return typ == "string"
		}
		return messageName.MatchString(n.Text())
	case "invocation_expression":
		c := d.Call(n)
		return c.Object == "string" || c.Object == "String"
	default:
		return false
	}
}

package csharp

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// dialect says what calls mean in C#.
type dialect struct{ *file }

// Call takes a call apart.
func (d dialect) Call(n syntax.Node) clike.Call {
	if !n.Is("invocation_expression") {
		return clike.Call{}
	}
	c := clike.Call{Node: n, Args: n.Field("arguments").Named()}
	name := n.Field("function")
	switch name.Kind() {
	case "member_access_expression":
		c = c.WithObject(name.Field("expression"))
		name = name.Field("name")
	case "conditional_access_expression":
		c = c.WithObject(name.Field("condition"))
		name = name.Child("member_binding_expression").Field("name")
	}
	if name.Is("generic_name") {
		c.Types = name.Child("type_argument_list").Named()
		name = name.Child("identifier")
	}
	if name.Is("identifier") {
		c.Name = name.Text()
	}
	return c
}

// Outcome tells what a call does to a test.
func (d dialect) Outcome(b *clike.Body, c clike.Call) testmodel.Kind {
	if d.types[c.Object] {
		return ""
	}
	switch c.Object {
	case "Assert", "Xunit.Assert", "NUnit.Framework.Assert":
		switch c.Name {
		case "Fail":
			return testmodel.Raises
		case "Ignore", "Inconclusive", "Skip", "SkipWhen", "SkipUnless":
			return testmodel.Skip
		case "Pass":
			return testmodel.Returns
		case "Multiple", "MultipleAsync", "EnterMultipleScope":
			return testmodel.With
		}
	case "Assume":
		return testmodel.Skip
	case "Skip":
		return testmodel.Skip
	case "Environment", "System.Environment":
		if c.Name == "Exit" || c.Name == "FailFast" {
			return testmodel.Exits
		}
	}
	if c.Name == "ShouldSatisfyAllConditions" {
		return testmodel.With
	}
	if d.Mocked(b, c.Node) != "" {
		return testmodel.Mocks
	}
	return ""
}

// relations are those of methods that return whether something holds.
var relations = map[string]testmodel.Relation{
	"Equals": testmodel.Equal, "SequenceEqual": testmodel.Equal, "SetEquals": testmodel.LooseEqual, "Contains": testmodel.Contains,
	"StartsWith": testmodel.Prefix, "EndsWith": testmodel.Prefix, "ContainsKey": testmodel.HasField, "ContainsValue": testmodel.Contains,
	"IsMatch": testmodel.Matches, "IsSubsetOf": testmodel.OneOf, "IsSupersetOf": testmodel.Subset,
}

// Predicate is what a call demands that must return true.
func (d dialect) Predicate(b *clike.Body, c clike.Call) (testmodel.Assert, bool) {
	a := testmodel.Assert{Name: c.Name, Relation: relations[c.Name]}
	if a.Relation == "" {
		return a, false
	}
	switch {
	case len(c.Args) == 1 && !c.On.IsZero():
		got, want := c.On, clike.Inner(c.Args[0])
		if a.Relation == testmodel.Equal && b.Expects(got) && !b.Expects(want) {
			got, want = want, got
		}
		a.Subject, a.Expected = b.Tokens(got), b.Tokens(want)
	case len(c.Args) == 2 && (c.Object == "object" || c.Object == "Object" || c.Object == "string" || c.Object == "Equals" || c.On.IsZero()):
		a.Subject, a.Expected = b.Tokens(c.Args[0]), b.Tokens(c.Args[1])
	default:
		return a, false
	}
	return a, true
}

// Mocked is what an expression replaces: the type of a mock, or the call that
// is given an answer.
func (d dialect) Mocked(b *clike.Body, n syntax.Node) string {
	if typ := n.Field("type"); n.Is("object_creation_expression") && typ.Is("generic_name") && typ.Child("identifier").Text() == "Mock" {
		return strings.TrimSuffix(strings.TrimPrefix(typ.Child("type_argument_list").Text(), "<"), ">")
	}
	for _, c := range b.Chain(n) {
		switch {
		case c.IsZero():
		case len(c.Types) == 1 && (c.Object == "Substitute" && strings.HasPrefix(c.Name, "For") || c.Object == "A" && c.Name == "Fake" || c.Object == "Mock" && c.Name == "Of"):
			return c.Types[0].Text()
		case len(c.Args) > 0 && (strings.HasPrefix(c.Name, "Setup") && clike.IsLambda(clike.Inner(c.Args[0]))):
			return c.Object + "." + clike.LambdaBody(clike.Inner(c.Args[0])).Text()
		case c.Name == "Returns" || c.Name == "ReturnsAsync" || c.Name == "Throws" && len(c.Args) > 0 && c.Object != "Assert":
			return c.Object
		}
	}
	return ""
}

// Asserted is what an expression asserts by itself.
func (d dialect) Asserted(b *clike.Body, n syntax.Node) ([]testmodel.Assert, []string) {
	e := clike.Inner(n)
	chain := b.Chain(e)
	if len(chain) == 0 {
		return nil, nil
	}
	as := d.chained(b, chain)
	tokens := b.Tokens(e)
	last := chain[len(chain)-1]
	if as == nil {
		var args []syntax.Node
		if as, args = d.asserted(b, last); as != nil {
			tokens = append([]string{last.Name}, append(b.Tokens(last.Types...), b.Tokens(args...)...)...)
		}
	}
	if as == nil {
		as = d.custom(b, n, last)
	}
	if as != nil && d.unawaited(n, e, last) {
		for i := range as {
			as[i].Lost = true
		}
	}
	return as, tokens
}

// unawaited reports whether a call asserts in a task that nothing waits for.
func (d dialect) unawaited(n, e syntax.Node, c clike.Call) bool {
	if d.framework == nunit && c.Object == "Assert" || !n.Is("expression_statement") {
		return false
	}
	return strings.HasSuffix(c.Name, "Async") && e.Parent() == n
}

// own are names of a project's own assertions.
var own = regexp.MustCompile(`^(Assert|Verify|Check|Expect|Ensure|Validate|Should)([A-Z_]|$)`)

// custom is the assertion of a project's own helper that stands alone.
func (d dialect) custom(b *clike.Body, n syntax.Node, c clike.Call) []testmodel.Assert {
	statement := n.Is("expression_statement", "arrow_expression_clause") || clike.IsLambda(n.Parent())
	if !statement || d.Outcome(b, c) != "" || !own.MatchString(c.Name) && !strings.HasSuffix(c.Object, "Assert") {
		return nil
	}
	name := c.Name
	if c.Object != "" {
		name = c.Object + "." + name
	}
	return []testmodel.Assert{{Relation: testmodel.Custom, Name: name, Subject: b.Tokens(c.Args...), Expected: b.Tokens(c.Types...)}}
}

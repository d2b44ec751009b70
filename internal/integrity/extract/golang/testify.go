package golang

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// testifyShapes are the assertions of testify by name, without the handle.
var testifyShapes = map[string]shape{
	"Equal": two(testmodel.Equal, 1, 0), "NotEqual": two(testmodel.Equal, 1, 0).not(), "Exactly": two(testmodel.Equal, 1, 0),
	"EqualValues": two(testmodel.LooseEqual, 1, 0), "NotEqualValues": two(testmodel.LooseEqual, 1, 0).not(),
	"EqualExportedValues": two(testmodel.LooseEqual, 1, 0), "ElementsMatch": two(testmodel.LooseEqual, 1, 0),
	"NotElementsMatch": two(testmodel.LooseEqual, 1, 0).not(),
	"Same":             two(testmodel.Identical, 1, 0), "NotSame": two(testmodel.Identical, 1, 0).not(),
	"JSONEq": two(testmodel.Equal, 1, 0), "YAMLEq": two(testmodel.Equal, 1, 0),
	"True": one(testmodel.Truthy), "False": one(testmodel.Falsy), "Nil": one(testmodel.Nil), "NotNil": one(testmodel.NotNil),
	"Zero": one(testmodel.Falsy), "NotZero": one(testmodel.Truthy), "Empty": one(testmodel.Falsy), "NotEmpty": one(testmodel.Truthy),
	"Condition": one(testmodel.Truthy), "FileExists": one(testmodel.Truthy), "NoFileExists": one(testmodel.Falsy),
	"DirExists": one(testmodel.Truthy), "NoDirExists": one(testmodel.Falsy),
	"Len": two(testmodel.Length, 0, 1), "Contains": two(testmodel.Contains, 0, 1), "NotContains": two(testmodel.Contains, 0, 1).not(),
	"Subset": two(testmodel.Subset, 0, 1), "NotSubset": two(testmodel.Subset, 0, 1).not(),
	"Error": one(testmodel.Throws), "NoError": one(testmodel.Succeeds), "EqualError": two(testmodel.Throws, 0, 1),
	"ErrorContains": two(testmodel.Throws, 0, 1), "ErrorIs": two(testmodel.Throws, 0, 1), "ErrorAs": two(testmodel.Throws, 0, 1),
	"NotErrorIs": two(testmodel.Throws, 0, 1).not(), "NotErrorAs": two(testmodel.Throws, 0, 1).not(),
	"Positive": one(testmodel.Compare), "Negative": one(testmodel.Compare),
	"Greater": two(testmodel.Compare, 0, 1), "GreaterOrEqual": two(testmodel.Compare, 0, 1),
	"Less": two(testmodel.Compare, 0, 1), "LessOrEqual": two(testmodel.Compare, 0, 1),
	"InDelta": three(testmodel.Approx, 1, 0, 2), "InDeltaSlice": three(testmodel.Approx, 1, 0, 2),
	"InDeltaMapValues": three(testmodel.Approx, 1, 0, 2), "InEpsilon": three(testmodel.Approx, 1, 0, 2),
	"InEpsilonSlice": three(testmodel.Approx, 1, 0, 2), "WithinDuration": three(testmodel.Approx, 1, 0, 2),
	"IsType": two(testmodel.TypeOf, 1, 0), "IsNotType": two(testmodel.TypeOf, 1, 0).not(),
	"Implements": two(testmodel.TypeOf, 1, 0), "NotImplements": two(testmodel.TypeOf, 1, 0).not(),
	"Regexp": two(testmodel.Matches, 1, 0), "NotRegexp": two(testmodel.Matches, 1, 0).not(),
	"Panics": one(testmodel.Throws), "NotPanics": one(testmodel.Succeeds),
	"PanicsWithValue": two(testmodel.Throws, 1, 0), "PanicsWithError": two(testmodel.Throws, 1, 0),
	"Eventually": three(testmodel.Truthy, 0, -1, 1), "Never": three(testmodel.Falsy, 0, -1, 1),
	"EventuallyWithT": three(testmodel.Custom, 0, -1, 1),
}

// comparing are testify's names for operators.
var comparing = map[string]string{"Greater": ">", "GreaterOrEqual": ">=", "Less": "<", "LessOrEqual": "<="}

// testify is the assertion that a call of testify makes; what it does not know
// is taken as it stands. The count is of arguments that are no message.
func (s *scope) testify(c call, args []syntax.Node) ([]testmodel.Assert, int) {
	name := c.name
	sh, ok := testifyShapes[name]
	if !ok {
		name = strings.TrimSuffix(name, "f")
		sh, ok = testifyShapes[name]
	}
	if !ok || len(args) < sh.n {
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: c.name, Subject: s.Tokens(args...)}}, len(args)
	}
	switch {
	case name == "True" || name == "False":
		return s.holds(args[0], name == "True"), sh.n
	case name == "Nil" && s.isError(args[0]):
		sh.relation = testmodel.Succeeds
	case name == "NotNil" && s.isError(args[0]):
		sh.relation = testmodel.Throws
	case name == "Equal" && callOf(args[1]).dotted() == "len" && len(callOf(args[1]).args) == 1:
		return []testmodel.Assert{{Relation: testmodel.Length, Name: "Len", Subject: s.Tokens(callOf(args[1]).args[0]), Expected: s.Tokens(args[0])}}, sh.n
	case comparing[name] != "":
		name = comparing[name]
	case name == "Positive":
		return []testmodel.Assert{{Relation: testmodel.Compare, Name: ">", Subject: s.Tokens(args[0]), Expected: []string{"0"}}}, sh.n
	case name == "Negative":
		return []testmodel.Assert{{Relation: testmodel.Compare, Name: "<", Subject: s.Tokens(args[0]), Expected: []string{"0"}}}, sh.n
	}
	return []testmodel.Assert{s.shaped(sh, name, args[:sh.n])}, sh.n
}

// gotestShapes are the assertions of gotest.tools, which names what is under
// test first.
var gotestShapes = map[string]shape{
	"Equal": two(testmodel.Equal, 0, 1), "DeepEqual": two(testmodel.Equal, 0, 1), "Len": two(testmodel.Length, 0, 1),
	"NilError": one(testmodel.Succeeds), "Error": two(testmodel.Throws, 0, 1), "ErrorContains": two(testmodel.Throws, 0, 1),
	"ErrorIs": two(testmodel.Throws, 0, 1), "ErrorType": two(testmodel.Throws, 0, 1), "Contains": two(testmodel.Contains, 0, 1),
	"Nil": one(testmodel.Nil), "Panics": one(testmodel.Throws), "Regexp": two(testmodel.Matches, 1, 0),
}

// gotest is the assertion of a call of gotest.tools.
func (s *scope) gotest(c call, args []syntax.Node) ([]testmodel.Assert, int) {
	if (c.name == "Assert" || c.name == "Check") && len(args) > 0 {
		if in := callOf(args[0]); s.lib(in) == gotest {
			out, _ := s.gotest(in, in.args)
			return out, 1
		}
		return s.holds(args[0], true), 1
	}
	sh, ok := gotestShapes[c.name]
	if !ok || len(args) < sh.n {
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: c.name, Subject: s.Tokens(args...)}}, len(args)
	}
	a := s.shaped(sh, c.name, args)
	if c.name != "DeepEqual" {
		return []testmodel.Assert{a}, sh.n
	}
	a.ToleranceTokens = s.Tokens(args[2:]...)
	return []testmodel.Assert{a}, len(args)
}

// isShapes are the assertions of the package is.
var isShapes = map[string]shape{"Equal": two(testmodel.Equal, 0, 1), "NoErr": one(testmodel.Succeeds)}

// is is the assertion of a call of the package is.
func (s *scope) is(c call, args []syntax.Node) ([]testmodel.Assert, int) {
	if c.name == "True" && len(args) == 1 {
		return s.holds(args[0], true), 1
	}
	sh, ok := isShapes[c.name]
	if !ok || len(args) < sh.n {
		return nil, 0
	}
	return []testmodel.Assert{s.shaped(sh, c.name, args)}, sh.n
}

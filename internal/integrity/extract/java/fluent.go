package java

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// fluent are the methods of AssertJ and Truth.
var fluent = clike.Fluent{
	Links: map[string]clike.Link{
		"isEqualTo": {Relation: testmodel.Equal}, "isNotEqualTo": {Relation: testmodel.Equal, Negated: true},
		"isEqualByComparingTo": {Relation: testmodel.Equal}, "hasToString": {Relation: testmodel.Equal}, "hasValue": {Relation: testmodel.Equal},
		"isEqualToIgnoringCase": {Relation: testmodel.LooseEqual}, "isEqualToIgnoringWhitespace": {Relation: testmodel.LooseEqual},
		"isSameAs": {Relation: testmodel.Identical}, "isSameInstanceAs": {Relation: testmodel.Identical},
		"isNotSameAs": {Relation: testmodel.Identical, Negated: true},
		"isTrue":      {Relation: testmodel.Truthy}, "isFalse": {Relation: testmodel.Falsy},
		"isNull": {Relation: testmodel.Nil}, "isNotNull": {Relation: testmodel.NotNil}, "isPresent": {Relation: testmodel.NotNil},
		"isEmpty": {Relation: testmodel.Length, Expected: []string{"0"}}, "isNotEmpty": {Relation: testmodel.Length, Negated: true, Expected: []string{"0"}},
		"isNullOrEmpty": {Relation: testmodel.Falsy}, "isBlank": {Relation: testmodel.Falsy}, "isNotBlank": {Relation: testmodel.Truthy},
		"isZero": {Relation: testmodel.Equal, Expected: []string{"0"}}, "isOne": {Relation: testmodel.Equal, Expected: []string{"1"}},
		"isPositive": {Relation: testmodel.Compare, Name: ">", Expected: []string{"0"}}, "isNegative": {Relation: testmodel.Compare, Name: "<", Expected: []string{"0"}},
		"isGreaterThan": {Relation: testmodel.Compare, Name: ">"}, "isGreaterThanOrEqualTo": {Relation: testmodel.Compare, Name: ">="}, "isAtLeast": {Relation: testmodel.Compare, Name: ">="},
		"isLessThan": {Relation: testmodel.Compare, Name: "<"}, "isLessThanOrEqualTo": {Relation: testmodel.Compare, Name: "<="}, "isAtMost": {Relation: testmodel.Compare, Name: "<="},
		"isCloseTo": {Relation: testmodel.Approx, Near: 2},
		"contains":  {Relation: testmodel.Contains}, "containsSequence": {Relation: testmodel.Contains}, "containsEntry": {Relation: testmodel.Contains},
		"containsValue": {Relation: testmodel.Contains}, "containsAnyOf": {Relation: testmodel.Contains}, "containsIgnoringCase": {Relation: testmodel.Contains},
		"containsAll": {Relation: testmodel.Subset}, "containsAtLeast": {Relation: testmodel.Subset}, "containsKey": {Relation: testmodel.HasField}, "containsKeys": {Relation: testmodel.HasField},
		"doesNotContain":  {Relation: testmodel.Contains, Negated: true},
		"containsExactly": {Relation: testmodel.Equal}, "containsExactlyElementsIn": {Relation: testmodel.Equal}, "containsExactlyElementsOf": {Relation: testmodel.Equal},
		"containsExactlyInAnyOrder": {Relation: testmodel.LooseEqual}, "containsOnly": {Relation: testmodel.LooseEqual}, "hasSameElementsAs": {Relation: testmodel.LooseEqual},
		"hasSize": {Relation: testmodel.Length}, "hasLength": {Relation: testmodel.Length}, "hasSameSizeAs": {Relation: testmodel.Length},
		"hasSizeGreaterThan": {Relation: testmodel.Compare, Name: ">"}, "isIn": {Relation: testmodel.OneOf}, "isAnyOf": {Relation: testmodel.OneOf}, "isBetween": {Relation: testmodel.OneOf},
		"startsWith": {Relation: testmodel.Prefix}, "endsWith": {Relation: testmodel.Prefix}, "matches": {Relation: testmodel.Matches}, "containsPattern": {Relation: testmodel.Matches},
		"isInstanceOf": {Relation: testmodel.TypeOf}, "isExactlyInstanceOf": {Relation: testmodel.TypeOf}, "isInstanceOfAny": {Relation: testmodel.TypeOf},
		"hasFieldOrProperty": {Relation: testmodel.HasField}, "hasFieldOrPropertyWithValue": {Relation: testmodel.Contains},
		"hasMessage": {Relation: testmodel.Equal}, "hasMessageContaining": {Relation: testmodel.Contains}, "hasMessageStartingWith": {Relation: testmodel.Prefix},
		"hasMessageMatching": {Relation: testmodel.Matches},
	},
	Describes: map[string]bool{"as": true, "describedAs": true, "withFailMessage": true, "overridingErrorMessage": true, "named": true, "withRepresentation": true},
	Demands:   demanding.MatchString,
}

// demanding are names of methods that assert something.
var demanding = regexp.MustCompile(`^(is|has|contains|does|starts|ends|matches|satisfies|all|any|none|are|have|doNot|can|inOrder|of$|accepts|rejects|zip)([A-Z].*|)$`)

// thrown are the assertions about what code throws.
func (d dialect) thrown(b *clike.Body, c clike.Call, rest []clike.Call) []testmodel.Assert {
	code, name := c, c.Name
	var expected []string
	switch {
	case name == "assertThatThrownBy":
	case name == "assertThatCode" || name == "assertThatNoException":
	case name == "assertThatExceptionOfType" && len(c.Args) == 1:
		expected = d.types(c.Args[0])
	case strings.HasSuffix(name, "Exception"):
		expected = []string{strings.TrimPrefix(name, "assertThat")}
	default:
		return fluent.Read(b, name, b.Tokens(c.Args...), rest)
	}
	var out []testmodel.Assert
	subject := b.Tokens(clike.Run(code.Arg(0)))
	if expected != nil || name == "assertThatNoException" {
		subject = nil
	}
	add := func(r testmodel.Relation, n string, want []string) {
		out = append(out, testmodel.Assert{Relation: r, Name: n, Subject: subject, Expected: want})
	}
	for _, l := range rest {
		switch {
		case l.Name == "isThrownBy" && name == "assertThatNoException":
			subject = b.Tokens(clike.Run(l.Arg(0)))
			add(testmodel.Succeeds, name, nil)
		case l.Name == "isThrownBy":
			subject = b.Tokens(clike.Run(l.Arg(0)))
			add(testmodel.Throws, name, expected)
		case l.Name == "doesNotThrowAnyException":
			add(testmodel.Succeeds, l.Name, nil)
		case l.Name == "isInstanceOf" || l.Name == "isExactlyInstanceOf":
			add(testmodel.Throws, l.Name, d.types(l.Arg(0)))
		case fluent.Describes[l.Name]:
		default:
			add(testmodel.Throws, l.Name, append([]string{l.Name}, b.Tokens(l.Args...)...))
		}
	}
	if out == nil && name == "assertThatThrownBy" {
		add(testmodel.Throws, name, nil)
	}
	for i := range out {
		out[i].Lost = out[i].Subject == nil
	}
	if out == nil {
		out = []testmodel.Assert{{Relation: testmodel.Custom, Name: name, Subject: subject, Lost: true}}
	}
	return out
}

// matchers are the relations of Hamcrest's matchers.
var matchers = map[string]testmodel.Relation{
	"equalTo": testmodel.Equal, "equalToObject": testmodel.Equal, "contains": testmodel.Equal, "arrayContaining": testmodel.Equal,
	"containsInAnyOrder": testmodel.LooseEqual, "equalToIgnoringCase": testmodel.LooseEqual, "equalToCompressingWhiteSpace": testmodel.LooseEqual,
	"sameInstance": testmodel.Identical, "theInstance": testmodel.Identical, "nullValue": testmodel.Nil, "notNullValue": testmodel.NotNil,
	"instanceOf": testmodel.TypeOf, "isA": testmodel.TypeOf, "any": testmodel.TypeOf, "containsString": testmodel.Contains, "hasItem": testmodel.Contains,
	"hasItems": testmodel.Subset, "hasEntry": testmodel.Contains, "hasValue": testmodel.Contains, "hasKey": testmodel.HasField, "hasProperty": testmodel.HasField,
	"startsWith": testmodel.Prefix, "endsWith": testmodel.Prefix, "matchesPattern": testmodel.Matches, "matchesRegex": testmodel.Matches,
	"hasSize": testmodel.Length, "hasLength": testmodel.Length, "oneOf": testmodel.OneOf, "isOneOf": testmodel.OneOf, "in": testmodel.OneOf, "isIn": testmodel.OneOf,
	"anything": testmodel.Always, "closeTo": testmodel.Approx,
	"greaterThan": testmodel.Compare, "greaterThanOrEqualTo": testmodel.Compare, "lessThan": testmodel.Compare, "lessThanOrEqualTo": testmodel.Compare,
}

// operators are the names of comparing matchers as operators.
var operators = map[string]string{"greaterThan": ">", "greaterThanOrEqualTo": ">=", "lessThan": "<", "lessThanOrEqualTo": "<="}

// hamcrest is what assertThat([reason,] actual, matcher) asserts.
func (d dialect) hamcrest(b *clike.Body, args []syntax.Node) []testmodel.Assert {
	if len(args) > 2 || d.Call(args[1]).IsZero() && d.isMessage(b, args[0]) {
		args = args[1:]
	}
	if len(args) == 1 {
		return b.Holds(args[0], true)
	}
	return d.fits(b, args[0], args[1], true)
}

// fits is what a matcher demands of a value, or demands not.
func (d dialect) fits(b *clike.Body, value, matcher syntax.Node, want bool) []testmodel.Assert {
	m := d.Call(clike.Inner(matcher))
	a := testmodel.Assert{Relation: testmodel.Custom, Name: m.Name, Subject: b.Tokens(value), Negated: !want}
	inner := d.Call(clike.Inner(m.Arg(0)))
	switch {
	case m.IsZero():
		a.Name, a.Expected = "matcher", b.Tokens(matcher)
	case m.Name == "is" && !inner.IsZero() && (matchers[inner.Name] != "" || inner.Name == "not" || inner.Name == "empty"):
		return d.fits(b, value, m.Args[0], want)
	case m.Name == "not" && !inner.IsZero() && (matchers[inner.Name] != "" || inner.Name == "is" || inner.Name == "empty"):
		return d.fits(b, value, m.Args[0], !want)
	case m.Name == "is" || m.Name == "not":
		a.Relation, a.Expected = testmodel.Equal, b.Tokens(m.Args...)
		a.Negated = (m.Name == "not") == want
		if text := m.Arg(0).Text(); (text == "true" || text == "false") && !a.Negated {
			return b.Holds(value, text == "true")
		}
		a = b.SizeOf(a, value)
	case (m.Name == "allOf" || m.Name == "both") && want:
		var out []testmodel.Assert
		for _, in := range m.Args {
			out = append(out, d.fits(b, value, in, want)...)
		}
		return out
	case m.Name == "empty" || m.Name == "emptyString":
		a.Relation, a.Expected = testmodel.Length, []string{"0"}
	case m.Name == "closeTo" && len(m.Args) == 2:
		a.Expected = b.Tokens(m.Args[0])
		a = b.Within(a, m.Args[1])
	case matchers[m.Name] == testmodel.TypeOf:
		a.Relation, a.Expected = testmodel.TypeOf, d.types(m.Node.Field("arguments"))
	case matchers[m.Name] != "":
		a.Relation, a.Expected = matchers[m.Name], b.Tokens(m.Args...)
		if op := operators[m.Name]; op != "" {
			a.Name = op
		}
	default:
		a.Expected = b.Tokens(m.Args...)
	}
	return []testmodel.Assert{a}
}

// verified is what verify(mock, times).method(arguments) asserts.
func (d dialect) verified(b *clike.Body, start []clike.Call, method clike.Call) []testmodel.Assert {
	first, last := start[0], start[len(start)-1]
	mode := first.Arg(1)
	if last.Name == "should" {
		mode = last.Arg(0)
	}
	subject := append(b.Tokens(first.Arg(0)), ".", method.Name)
	a := testmodel.Assert{Relation: testmodel.CalledWith, Name: "verify", Subject: subject, Expected: b.Tokens(method.Args...)}
	times := d.Call(clike.Inner(mode))
	if times.Name == "never" {
		a.Negated = true
	}
	out := []testmodel.Assert{a}
	if !times.IsZero() && times.Name != "never" {
		out = append(out, testmodel.Assert{Relation: testmodel.CalledN, Name: times.Name, Subject: subject, Expected: b.Tokens(mode)})
	}
	return out
}

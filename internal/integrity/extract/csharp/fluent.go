package csharp

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
)

// fluent are the methods of FluentAssertions.
var fluent = clike.Fluent{
	Links: map[string]clike.Link{
		"Be": {Relation: testmodel.Equal}, "NotBe": {Relation: testmodel.Equal, Negated: true}, "Equal": {Relation: testmodel.Equal}, "NotEqual": {Relation: testmodel.Equal, Negated: true},
		"BeEquivalentTo": {Relation: testmodel.LooseEqual}, "NotBeEquivalentTo": {Relation: testmodel.LooseEqual, Negated: true},
		"BeSameAs": {Relation: testmodel.Identical}, "NotBeSameAs": {Relation: testmodel.Identical, Negated: true},
		"BeTrue": {Relation: testmodel.Truthy}, "BeFalse": {Relation: testmodel.Falsy}, "BeNull": {Relation: testmodel.Nil}, "NotBeNull": {Relation: testmodel.NotNil},
		"BeEmpty": {Relation: testmodel.Length, Expected: []string{"0"}}, "NotBeEmpty": {Relation: testmodel.Length, Negated: true, Expected: []string{"0"}},
		"BeNullOrEmpty": {Relation: testmodel.Falsy}, "NotBeNullOrEmpty": {Relation: testmodel.Truthy}, "HaveCount": {Relation: testmodel.Length}, "HaveLength": {Relation: testmodel.Length},
		"BeGreaterThan": {Relation: testmodel.Compare, Name: ">"}, "BeGreaterThanOrEqualTo": {Relation: testmodel.Compare, Name: ">="}, "BeGreaterOrEqualTo": {Relation: testmodel.Compare, Name: ">="},
		"BeLessThan": {Relation: testmodel.Compare, Name: "<"}, "BeLessThanOrEqualTo": {Relation: testmodel.Compare, Name: "<="}, "BeLessOrEqualTo": {Relation: testmodel.Compare, Name: "<="},
		"BePositive": {Relation: testmodel.Compare, Name: ">", Expected: []string{"0"}}, "BeNegative": {Relation: testmodel.Compare, Name: "<", Expected: []string{"0"}},
		"BeApproximately": {Relation: testmodel.Approx, Near: 2}, "BeCloseTo": {Relation: testmodel.Approx, Near: 2}, "BeInRange": {Relation: testmodel.OneOf}, "BeOneOf": {Relation: testmodel.OneOf},
		"Contain": {Relation: testmodel.Contains}, "NotContain": {Relation: testmodel.Contains, Negated: true}, "ContainSingle": {Relation: testmodel.Length, Name: "ContainSingle"},
		"ContainKey": {Relation: testmodel.HasField}, "StartWith": {Relation: testmodel.Prefix}, "EndWith": {Relation: testmodel.Prefix}, "Match": {Relation: testmodel.Matches}, "MatchRegex": {Relation: testmodel.Matches},
		"BeSubsetOf": {Relation: testmodel.OneOf}, "BeAssignableTo": {Relation: testmodel.TypeOf}, "BeOfType": {Relation: testmodel.TypeOf},
		"Throw": {Relation: testmodel.Throws}, "ThrowExactly": {Relation: testmodel.Throws}, "ThrowAsync": {Relation: testmodel.Throws}, "ThrowExactlyAsync": {Relation: testmodel.Throws},
		"NotThrow": {Relation: testmodel.Succeeds}, "NotThrowAsync": {Relation: testmodel.Succeeds}, "WithMessage": {Relation: testmodel.Matches},
	},
	Describes: map[string]bool{"Should": true},
	Demands:   demanding.MatchString,
}

// demanding are names of methods that assert something.
var demanding = regexp.MustCompile(`^(Be|NotBe|Have|NotHave|Contain|NotContain|Only|All|Satisfy|Match|NotMatch|Throw|NotThrow|With|Complete|Not|Equal|Start|End|Raise)([A-Z].*|)$`)

// should are the assertions of Shouldly by name.
var should = map[string]clike.Link{
	"ShouldBe": {Relation: testmodel.Equal}, "ShouldNotBe": {Relation: testmodel.Equal, Negated: true}, "ShouldBeEquivalentTo": {Relation: testmodel.LooseEqual},
	"ShouldBeSameAs": {Relation: testmodel.Identical}, "ShouldBeTrue": {Relation: testmodel.Truthy}, "ShouldBeFalse": {Relation: testmodel.Falsy},
	"ShouldBeNull": {Relation: testmodel.Nil}, "ShouldNotBeNull": {Relation: testmodel.NotNil},
	"ShouldBeEmpty": {Relation: testmodel.Length, Expected: []string{"0"}}, "ShouldNotBeEmpty": {Relation: testmodel.Length, Negated: true, Expected: []string{"0"}},
	"ShouldContain": {Relation: testmodel.Contains}, "ShouldNotContain": {Relation: testmodel.Contains, Negated: true},
	"ShouldStartWith": {Relation: testmodel.Prefix}, "ShouldEndWith": {Relation: testmodel.Prefix}, "ShouldMatch": {Relation: testmodel.Matches},
	"ShouldBeGreaterThan": {Relation: testmodel.Compare, Name: ">"}, "ShouldBeGreaterThanOrEqualTo": {Relation: testmodel.Compare, Name: ">="},
	"ShouldBeLessThan": {Relation: testmodel.Compare, Name: "<"}, "ShouldBeLessThanOrEqualTo": {Relation: testmodel.Compare, Name: "<="},
	"ShouldBeOfType": {Relation: testmodel.TypeOf}, "ShouldBeAssignableTo": {Relation: testmodel.TypeOf}, "ShouldBeInRange": {Relation: testmodel.OneOf}, "ShouldBeOneOf": {Relation: testmodel.OneOf},
	"ShouldThrow": {Relation: testmodel.Throws}, "ShouldThrowAsync": {Relation: testmodel.Throws}, "ShouldNotThrow": {Relation: testmodel.Succeeds}, "ShouldNotThrowAsync": {Relation: testmodel.Succeeds},
	"ShouldHaveSingleItem": {Relation: testmodel.Length, Expected: []string{"1"}}, "ShouldContainKey": {Relation: testmodel.HasField},
}

// chained is the assertion of a chain; nil if it is none.
func (d dialect) chained(b *clike.Body, chain []clike.Call) []testmodel.Assert {
	for i, c := range chain {
		if c.IsZero() {
			continue
		}
		link, ok := should[c.Name]
		switch {
		case c.Name == "Should" && len(c.Args) == 0 && !c.On.IsZero():
			return d.typedLinks(b, fluent.Read(b, c.Name, b.Tokens(clike.Inner(c.On)), d.becauseless(chain[i+1:])), chain[i+1:])
		case c.Object == "Should" && (strings.HasPrefix(c.Name, "Throw") || strings.HasPrefix(c.Name, "NotThrow")):
			link := should["Should"+c.Name]
			return []testmodel.Assert{{Relation: link.Relation, Name: c.Name, Subject: b.Tokens(c.Args...), Expected: b.Tokens(c.Types...)}}
		case ok:
			return []testmodel.Assert{d.shouldly(b, c, link)}
		case strings.HasPrefix(c.Name, "Verify") && len(c.Args) > 0 && clike.IsLambda(clike.Inner(c.Args[0])):
			return d.verified(b, c)
		case c.Name == "VerifyAll" || c.Name == "VerifyNoOtherCalls":
			return []testmodel.Assert{{Relation: testmodel.Called, Name: c.Name, Subject: b.Tokens(c.On)}}
		case (c.Name == "Received" || c.Name == "DidNotReceive" || c.Name == "ReceivedWithAnyArgs") && i+1 < len(chain):
			return d.received(b, c, chain[i+1])
		case strings.HasPrefix(c.Name, "MustHave") || c.Name == "MustNotHaveHappened":
			return []testmodel.Assert{{Relation: testmodel.CalledWith, Negated: c.Name == "MustNotHaveHappened", Name: c.Name, Subject: b.Tokens(c.On), Expected: b.Tokens(c.Args...)}}
		}
	}
	return nil
}

// becauseless are links without the reasons that they may end with.
func (d dialect) becauseless(links []clike.Call) []clike.Call {
	out := make([]clike.Call, len(links))
	for i, c := range links {
		counts := 1
		switch fluent.Links[c.Name].Relation {
		case testmodel.Truthy, testmodel.Falsy, testmodel.Nil, testmodel.NotNil, testmodel.Throws, testmodel.Succeeds:
			counts = 0
		case testmodel.OneOf, testmodel.Equal, testmodel.Contains, testmodel.LooseEqual:
			if c.Name != "Be" && c.Name != "NotBe" {
				counts = len(c.Args) // may list what is expected
			}
		case testmodel.Approx:
			counts = 2
		case testmodel.Length:
			if fluent.Links[c.Name].Expected != nil {
				counts = 0
			}
		case "":
			counts = len(c.Args)
		}
		if len(c.Args) > counts && clike.Mute(c.Args[counts:]...) {
			c.Args = c.Args[:counts]
		}
		out[i] = c
	}
	return out
}

// typedLinks adds the type arguments of links to what they expect.
func (d dialect) typedLinks(b *clike.Body, as []testmodel.Assert, links []clike.Call) []testmodel.Assert {
	for i := range as {
		for _, l := range links {
			if l.Name == as[i].Name && len(l.Types) > 0 {
				as[i].Expected = append(b.Tokens(l.Types...), as[i].Expected...)
			}
		}
	}
	return as
}

// shouldly is the assertion of x.ShouldBe(y).
func (d dialect) shouldly(b *clike.Body, c clike.Call, link clike.Link) testmodel.Assert {
	a := testmodel.Assert{
		Relation: link.Relation, Negated: link.Negated, Name: c.Name, Subject: b.Tokens(clike.Inner(c.On)), Expected: link.Expected,
	}
	if link.Name != "" {
		a.Name = link.Name
	}
	counts := 1
	if link.Relation == testmodel.Truthy || link.Relation == testmodel.Falsy || link.Expected != nil {
		counts = 0
	}
	args := d.messageless(b, c.Args, counts)
	if a.Expected == nil && len(args)+len(c.Types) > 0 {
		a.Expected = append(b.Tokens(c.Types...), b.Tokens(args...)...)
	}
	if link.Relation == testmodel.Equal && len(args) == 2 {
		a.Expected = b.Tokens(args[0])
		return b.Within(a, args[1])
	}
	return a
}

// verified is what Moq's Verify asserts.
func (d dialect) verified(b *clike.Body, c clike.Call) []testmodel.Assert {
	body := clike.LambdaBody(clike.Inner(c.Args[0]))
	a := testmodel.Assert{Relation: testmodel.CalledWith, Name: "Verify", Subject: b.Tokens(c.On), Expected: b.Tokens(body)}
	if in := d.Call(body); !in.IsZero() {
		a.Subject, a.Expected = append(a.Subject, ".", in.Name), b.Tokens(in.Args...)
	}
	times := b.Tokens(c.Args[1:]...)
	if strings.Contains(strings.Join(times, ""), "Times.Never") {
		a.Negated = true
		return []testmodel.Assert{a}
	}
	out := []testmodel.Assert{a}
	if len(times) > 0 {
		out = append(out, testmodel.Assert{Relation: testmodel.CalledN, Name: "Times", Subject: a.Subject, Expected: times})
	}
	return out
}

// received is what NSubstitute's Received asserts.
func (d dialect) received(b *clike.Body, c, method clike.Call) []testmodel.Assert {
	subject := append(b.Tokens(c.On), ".", method.Name)
	a := testmodel.Assert{
		Relation: testmodel.CalledWith, Negated: c.Name == "DidNotReceive", Name: c.Name, Subject: subject, Expected: b.Tokens(method.Args...),
	}
	out := []testmodel.Assert{a}
	if len(c.Args) > 0 {
		out = append(out, testmodel.Assert{Relation: testmodel.CalledN, Name: c.Name, Subject: subject, Expected: b.Tokens(c.Args...)})
	}
	return out
}

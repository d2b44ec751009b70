package csharp_test

import (
	"testing"

	"workflow-reviewer/internal/integrity/extract/clike/cliketest"
	"workflow-reviewer/internal/integrity/extract/csharp"
	"workflow-reviewer/internal/syntax"
)

func TestAssertions(t *testing.T) {
	const xunit, nunit = "Fact", "Test"
	for name, tt := range map[string]struct{ attribute, src, want string }{
		"digits":                 {xunit, `Assert.Equal(1.5, x, 3);`, `asserts approx "Equal" of(x) want(1.5) tolerance(0.0005) tolerance(3)`},
		"digits, fewer":          {xunit, `Assert.Equal(1.5, x, precision: 0);`, `asserts approx "Equal" of(x) want(1.5) tolerance(0.5) tolerance(0)`},
		"delta":                  {nunit, `Assert.AreEqual(1.5, x, 3);`, `asserts approx "AreEqual" of(x) want(1.5) tolerance(3) tolerance(3)`},
		"message":                {nunit, `Assert.AreEqual(1, x, "m {0}", y);`, `asserts equal "AreEqual" of(x) want(1)`},
		"named":                  {xunit, `Assert.Equal(actual: x, expected: 1);`, `asserts equal "Equal" of(x) want(1)`},
		"comparer":               {xunit, `Assert.Equal("a", x, ignoreCase: true);`, `asserts equal "Equal" of(x) want("a") tolerance(true)`},
		"condition":              {xunit, `Assert.True(x >= 3 && !y, $"m {x}");`, `asserts compare ">=" of(x) want(3); asserts falsy "true" of(y)`},
		"pattern":                {xunit, `Assert.True(x is not null);`, `asserts not-nil "is" of(x)`},
		"always":                 {nunit, `Assert.That(true);`, `asserts always "true" of(true)`},
		"if fail":                {xunit, `if (x != 3) Assert.Fail("m");`, `asserts equal "==" of(x) want(3)`},
		"if ignore":              {nunit, `if (x) Assert.Ignore();`, `branch head(if x); skip head(Ignore)`},
		"passes early":           {nunit, `Assert.Pass(); Assert.That(x, Is.True);`, `returns head(Assert . Pass ( )); asserts truthy "True" of(x)`},
		"not awaited":            {xunit, `Assert.ThrowsAsync<A>(() => f());`, `asserts throws "ThrowsAsync" of(f ( )) want(A) LOST`},
		"awaited":                {xunit, `await Assert.ThrowsAsync<A>(() => f());`, `asserts throws "ThrowsAsync" of(f ( )) want(A)`},
		"needs no await":         {nunit, `Assert.ThrowsAsync<A>(() => f());`, `asserts throws "ThrowsAsync" of(f ( )) want(A)`},
		"within":                 {nunit, `Assert.That(x, Is.EqualTo(1).Within(0.5));`, `asserts approx "EqualTo" of(x) want(1) tolerance(0.5) tolerance(0.5)`},
		"negated constraint":     {nunit, `Assert.That(x, Is.Not.EqualTo(1));`, `asserts not equal "EqualTo" of(x) want(1)`},
		"either":                 {nunit, `Assert.That(x, Is.EqualTo(1).Or.EqualTo(2));`, `asserts custom "That" of(x) want(Is . EqualTo ( 1 ) . Or . EqualTo ( 2 ))`},
		"a variable constraint":  {nunit, `Assert.That(x, constraint);`, `asserts custom "That" of(x) want(constraint)`},
		"of elements":            {nunit, `Assert.That(x, Has.All.GreaterThan(1));`, `asserts compare ">" of(x . All) want(1)`},
		"nothing thrown":         {nunit, `Assert.That(() => f(), Throws.Nothing);`, `asserts succeeds "Throws" of(f ( ))`},
		"reason":                 {xunit, `x.Should().Be(1, "m");`, `asserts equal "Be" of(x) want(1)`},
		"subject":                {xunit, `x.Should().ContainSingle().Which.Should().Be(1);`, `asserts length "ContainSingle" of(x); asserts equal "Be" of(x . Which) want(1)`},
		"no matcher":             {xunit, `x.Should();`, `asserts custom "Should" of(x) LOST`},
		"caught":                 {xunit, `try { Assert.Equal(1, x); } catch (Exception) { }`, `try head(try); asserts equal "Equal" of(x) want(1); handler head(catch ( Exception )) SWALLOWS`},
		"compiled in debug only": {xunit, "\n#if DEBUG\nAssert.Equal(1, x);\n#endif\n", `branch head(#if DEBUG); asserts equal "Equal" of(x) want(1)`},
	} {
		t.Run(name, func(t *testing.T) {
			src := "public class A { [" + tt.attribute + "] public async Task It() { " + tt.src + " } }"
			if got := cliketest.Demands(t, syntax.CSharp, csharp.Model, src); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.src, got, tt.want)
			}
		})
	}
}

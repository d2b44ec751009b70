package java

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// dialect says what calls mean in Java.
type dialect struct{ *file }

// Call takes a call apart.
func (d dialect) Call(n syntax.Node) clike.Call {
	if !n.Is("method_invocation") {
		return clike.Call{}
	}
	c := clike.Call{Node: n, Name: n.Field("name").Text(), Args: n.Field("arguments").Named()}
	return c.WithObject(n.Field("object"))
}

// Outcome tells what a call does to a test.
func (d dialect) Outcome(b *clike.Body, c clike.Call) testmodel.Kind {
	if d.shadowed(c) {
		return ""
	}
	switch c.Name {
	case "fail", "failBecauseExceptionWasNotThrown", "shouldHaveThrown":
		return testmodel.Raises
	case "assumeTrue", "assumeFalse", "assumeThat", "assumeNotNull", "assumeNoException", "abort", "assumeThatCode":
		return testmodel.Skip
	case "exit", "halt":
		if c.Object == "System" || strings.HasPrefix(c.Object, "Runtime") {
			return testmodel.Exits
		}
	case "assertAll", "assertSoftly", "assertTimeout", "assertTimeoutPreemptively":
		if len(c.Args) > 0 {
			return testmodel.With
		}
	}
	if d.Mocked(b, c.Node) != "" {
		return testmodel.Mocks
	}
	return ""
}

// Predicate is what a call demands that must return true.
func (d dialect) Predicate(b *clike.Body, c clike.Call) (testmodel.Assert, bool) {
	a := testmodel.Assert{Name: c.Name}
	switch one, two := len(c.Args) == 1, len(c.Args) == 2; {
	case c.Name == "equals" && one:
		got, want := c.On, c.Args[0]
		if b.Expects(got) && !b.Expects(want) {
			got, want = want, got
		}
		a.Relation, a.Subject, a.Expected = testmodel.Equal, b.Tokens(got), b.Tokens(want)
	case (c.Name == "equals" || c.Name == "deepEquals") && two:
		a.Relation, a.Subject, a.Expected = testmodel.Equal, b.Tokens(c.Args[0]), b.Tokens(c.Args[1])
	case c.Name == "isEmpty" && len(c.Args) == 0:
		a.Relation, a.Subject, a.Expected = testmodel.Length, b.Tokens(c.On), []string{"0"}
	case c.Name == "isPresent" && len(c.Args) == 0:
		a.Relation, a.Subject = testmodel.NotNil, b.Tokens(c.On)
	case one && relations[c.Name] != "":
		a.Relation, a.Subject, a.Expected = relations[c.Name], b.Tokens(c.On), b.Tokens(c.Args[0])
	default:
		return a, false
	}
	return a, true
}

// shadowed reports whether a call is of something that the file declares
// itself, whatever a library has of that name.
func (d dialect) shadowed(c clike.Call) bool {
	if c.On.IsZero() {
		return d.methods[c.Name]
	}
	return d.methods[c.Object]
}

// relations are those of methods that return whether something holds.
var relations = map[string]testmodel.Relation{
	"contains": testmodel.Contains, "containsAll": testmodel.Subset, "startsWith": testmodel.Prefix, "endsWith": testmodel.Prefix,
	"matches": testmodel.Matches, "containsKey": testmodel.HasField, "containsValue": testmodel.Contains, "equalsIgnoreCase": testmodel.LooseEqual,
}

// Mocked is what an expression replaces: the type of a mock, or the call that
// is given an answer.
func (d dialect) Mocked(b *clike.Body, n syntax.Node) string {
	for i, c := range b.Chain(n) {
		switch c.Name {
		case "mock", "spy", "mockStatic", "mockConstruction", "createMock", "niceMock":
			if len(c.Args) > 0 && (c.On.IsZero() || strings.HasSuffix(c.Object, "ock") || strings.HasSuffix(c.Object, "Mockito")) {
				return strings.TrimSuffix(c.Args[0].Text(), ".class")
			}
		case "when", "given":
			if len(c.Args) != 1 || i == 0 && !answers(b.Chain(n)) {
				continue
			}
			if in := d.Call(c.Args[0]); !in.IsZero() {
				return in.Object + "." + in.Name
			}
			return c.Args[0].Text()
		case "doReturn", "doThrow", "doNothing", "doAnswer", "doCallRealMethod", "willReturn":
			if i == 0 {
				last := d.Call(n)
				return d.Call(last.On).Arg(0).Text() + "." + last.Name
			}
		}
	}
	return ""
}

// answers reports whether a chain gives a mock an answer.
func answers(chain []clike.Call) bool {
	for _, c := range chain {
		if strings.HasPrefix(c.Name, "then") || strings.HasPrefix(c.Name, "will") {
			return true
		}
	}
	return false
}

// Asserted is what an expression asserts by itself.
func (d dialect) Asserted(b *clike.Body, n syntax.Node) ([]testmodel.Assert, []string) {
	chain := b.Chain(n)
	if len(chain) == 0 {
		return nil, nil
	}
	e := clike.Inner(n)
	if d.shadowed(chain[0]) {
		if a := d.custom(b, n, chain[len(chain)-1]); a != nil {
			return []testmodel.Assert{*a}, b.Tokens(e)
		}
		return nil, nil
	}
	for i, c := range chain {
		if as := d.started(b, chain, i); as != nil {
			return as, b.Tokens(e)
		}
		if i > 0 && !c.IsZero() && (c.Name == "andExpect" || c.Name == "then" && len(c.Args) == 0) {
			return d.expectations(b, chain, i), b.Tokens(e)
		}
	}
	last := chain[len(chain)-1]
	if as, args := d.junit(b, last); as != nil {
		return as, append([]string{last.Name}, b.Tokens(args...)...)
	}
	if a := d.custom(b, n, last); a != nil {
		return []testmodel.Assert{*a}, b.Tokens(e)
	}
	return nil, nil
}

// started are the assertions of a chain that begins to assert at a link.
func (d dialect) started(b *clike.Body, chain []clike.Call, i int) []testmodel.Assert {
	c, rest := chain[i], chain[i+1:]
	switch {
	case c.IsZero():
		return nil
	case c.Name == "assertThat" && len(c.Args) >= 2 && len(rest) == 0:
		return d.hamcrest(b, c.Args)
	case c.Name == "assertThat" || c.Name == "that" && i > 0 || c.Name == "then" && len(c.Args) == 1 && len(rest) > 0 && i == 0 && rest[0].Name != "should":
		return fluent.Read(b, c.Name, b.Tokens(c.Args...), rest)
	case strings.HasPrefix(c.Name, "assertThat") && c.Name != "assertThat":
		return d.thrown(b, c, rest)
	case c.Name == "verify" && len(c.Args) >= 1 && len(rest) == 1, c.Name == "should" && len(rest) == 1 && i == 1:
		return d.verified(b, chain[:i+1], rest[0])
	case strings.HasPrefix(c.Name, "verifyNo") || c.Name == "verifyZeroInteractions":
		return []testmodel.Assert{{Relation: testmodel.Called, Negated: true, Name: c.Name, Subject: b.Tokens(c.Args...)}}
	case (c.Name == "expect" || c.Name == "expectMessage") && len(c.Args) == 1 && (c.Object == "thrown" || c.Object == "exception" || c.Object == "expectedException"):
		return []testmodel.Assert{{Relation: testmodel.Throws, Name: c.Name, Expected: d.types(c.Args[0])}}
	default:
		return nil
	}
}

// expectations are those of MockMvc and REST Assured: each link of the chain is
// one.
func (d dialect) expectations(b *clike.Body, chain []clike.Call, from int) []testmodel.Assert {
	subject := b.Tokens(chain[from].On)
	if chain[from].Name == "andExpect" {
		from--
	}
	var out []testmodel.Assert
	for _, c := range chain[from+1:] {
		if c.Name != "andDo" && c.Name != "log" && c.Name != "and" {
			out = append(out, testmodel.Assert{Relation: testmodel.Custom, Name: c.Name, Subject: subject, Expected: b.Tokens(c.Args...)})
		}
	}
	if out == nil {
		out = []testmodel.Assert{{Relation: testmodel.Custom, Name: "then", Subject: subject, Lost: true}}
	}
	return out
}

// own are names of a project's own assertions.
var own = regexp.MustCompile(`^(assert|verify|check|expect|ensure|validate|should)([A-Z_]|$)`)

// custom is the assertion of a project's own helper that stands alone.
func (d dialect) custom(b *clike.Body, n syntax.Node, c clike.Call) *testmodel.Assert {
	if !own.MatchString(c.Name) || !n.Is("expression_statement") && !clike.IsLambda(n.Parent()) || d.Outcome(b, c) != "" {
		return nil
	}
	name := c.Name
	if c.Object != "" {
		name = c.Object + "." + name
	}
	return &testmodel.Assert{Relation: testmodel.Custom, Name: name, Subject: b.Tokens(c.Args...)}
}

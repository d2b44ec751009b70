package rust

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// attribute is the path and the arguments of an attribute.
func attribute(n syntax.Node) (name string, args []string) {
	a := n.Child("attribute")
	ts := tokens(a)
	path := strings.Join(tokens(a.FirstChild()), "")
	return path, ts[min(len(tokens(a.FirstChild())), len(ts)):]
}

// isTest reports whether an attribute makes a function a test.
func isTest(name string) bool {
	switch name {
	case "test", "rstest", "test_case", "case", "wasm_bindgen_test", "quickcheck", "proptest", "googletest", "theory", "parameterized", "apply":
		return true
	default:
		return strings.HasSuffix(name, "::test") || strings.HasSuffix(name, "::rstest") || strings.HasSuffix(name, "::test_case") || strings.HasSuffix(name, "::main_test")
	}
}

// isRow reports whether an attribute is a case of a parametrised test.
func isRow(name string) bool {
	last := name[strings.LastIndex(":"+name, ":"):]
	return name == "case" || strings.HasPrefix(name, "case::") || last == "test_case" || last == "parameterize"
}

// function adds a function: a test, a fixture, or a helper.
func (m *model) function(n syntax.Node, attributes []syntax.Node, s scope) {
	role := testmodel.Helper
	var rows []testmodel.Row
	var other []syntax.Node
	for _, a := range attributes {
		name, args := attribute(a)
		switch {
		case isRow(name):
			role = testmodel.Test
			rows = append(rows, m.Row(a, args))
			continue
		case isTest(name):
			role = testmodel.Test
		case name == "fixture" || name == "rstest::fixture" || name == "before" || name == "ctor" || name == "dtor":
			role = testmodel.Setup
		}
		other = append(other, a)
	}
	unit := m.Open(role, build.Qualify(s.name, n.Field("name").Text()), n)
	u := m.Unit(unit)
	u.Marks, u.Rows, u.Params = m.marks(other), rows, params(n)
	u.Marks = append(u.Marks, m.parameterMarks(n)...)
	body := m.block(n.Field("body").Named(), ctx{unit: unit, name: build.Qualify(s.name, n.Field("name").Text()), depth: s.depth, top: true})
	u = m.Unit(unit)
	u.Body, u.Locals = body, locals(n)
}

// marks are what attributes say, besides what only linters and readers heed.
func (m *model) marks(attributes []syntax.Node) []testmodel.Mark {
	var out []testmodel.Mark
	for _, a := range attributes {
		name, args := attribute(a)
		if isHarmless(name) {
			continue
		}
		mark := m.Mark(effect(name, args), a, withoutReason(append([]string{name}, args...)))
		if name == "should_panic" {
			expected := args
			if i := slices.Index(args, "="); i >= 0 {
				expected = slices.DeleteFunc(slices.Clone(args[i+1:]), func(t string) bool { return t == ")" })
			}
			mark.Raises = &testmodel.Assert{Relation: testmodel.Throws, Name: name, Expected: expected}
		}
		out = append(out, mark)
	}
	return out
}

func isHarmless(name string) bool {
	switch name {
	case "allow", "warn", "deny", "forbid", "expect", "doc", "inline", "must_use", "rustfmt::skip", "cold", "derive":
		return name != "derive"
	default:
		return strings.HasPrefix(name, "clippy::")
	}
}

// withoutReason takes off the words in which an attribute says why a test is
// ignored.
func withoutReason(tokens []string) []string {
	for i := 0; i+2 < len(tokens); i++ {
		if tokens[i] == "ignore" && tokens[i+1] == "=" {
			return slices.Delete(slices.Clone(tokens), i+1, i+3)
		}
	}
	return tokens
}

// effect is what an attribute does to whether a test counts.
func effect(name string, args []string) testmodel.Effect {
	switch name {
	case "ignore", "disabled":
		return testmodel.Skips
	case "cfg":
		if slices.Equal(args, []string{"(", "test", ")"}) {
			return ""
		}
		return testmodel.Skips
	case "cfg_attr":
		if slices.Contains(args, "ignore") || slices.Contains(args, "cfg") {
			return testmodel.Skips
		}
	case "flaky_test", "retry", "flaky_test::flaky_test":
		return testmodel.Retries
	case "test_case", "case":
		if slices.Contains(args, "ignore") {
			return testmodel.Skips
		}
	}
	return ""
}

// parameterMarks are the attributes of a function's parameters that say more
// than that cases fill them.
func (m *model) parameterMarks(n syntax.Node) []testmodel.Mark {
	var out []testmodel.Mark
	for _, p := range n.Field("parameters").Named() {
		if name, args := attribute(p); p.Is("attribute_item") && (name != "case" || len(args) > 0) {
			out = append(out, m.Mark("", p, append([]string{name}, args...)))
		}
	}
	return out
}

// params are the parameters of a function, each as its tokens.
func params(n syntax.Node) []string {
	var out []string
	for _, p := range n.Field("parameters").Named() {
		if !p.Is("attribute_item") {
			out = append(out, strings.Join(tokens(p), " "))
		}
	}
	return out
}

// locals are the names that a function binds, parameters included.
func locals(fn syntax.Node) []string {
	var out []string
	seen := map[string]bool{}
	add := func(pattern syntax.Node) {
		for n := range pattern.All("identifier", "shorthand_field_identifier") {
			name := n.Text()
			if n.FieldName() != "type" && !seen[name] && name[0] >= 'a' && name[0] <= 'z' {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	for n := range fn.All("let_declaration", "parameter", "for_expression", "closure_parameters", "let_condition", "match_arm") {
		if n.Is("closure_parameters") {
			add(n)
			continue
		}
		add(n.Field("pattern"))
	}
	return out
}

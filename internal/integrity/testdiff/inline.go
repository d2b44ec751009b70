package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// extracted are the helpers and fixtures that the head's file has and the
// approved one has not, by name: a change may have moved code into them.
func (d *fileDiff) extracted() map[string]*testmodel.Unit {
	if d.fresh != nil {
		return d.fresh
	}
	d.fresh = map[string]*testmodel.Unit{}
	for _, p := range d.pairs {
		if p.was == nil && (p.is.Role == testmodel.Helper || p.is.Role == testmodel.Setup) && len(p.is.Body) > 0 {
			d.fresh[lastName(plainName(p.is.Name))] = p.is
		}
	}
	return d.fresh
}

// returned is the value of a function that does nothing but to return it, nil
// if it does more.
func returned(u *testmodel.Unit) []string {
	if len(u.Body) != 1 || len(u.Body[0].Rows) > 0 || u.Body[0].Kind != testmodel.Returns {
		return nil
	}
	head := u.Body[0].Head
	if len(head) > 1 && head[0] == "return" {
		return head[1:]
	}
	return nil
}

// inlined replaces calls of extracted helpers that only return a value by that
// value.
func inlined(tokens []string, helpers map[string]*testmodel.Unit) []string {
	if len(helpers) == 0 {
		return tokens
	}
	var out []string
	for i := 0; i < len(tokens); i++ {
		u := helpers[tokens[i]]
		if u == nil || u.Role != testmodel.Helper || i+1 >= len(tokens) || tokens[i+1] != "(" || i > 0 && tokens[i-1] == "." || len(out) > maxResolved {
			out = append(out, tokens[i])
			continue
		}
		value, end := returned(u), closing(tokens, i+1)
		values, ok := given(u, tokens[i+2:max(end, i+2)])
		if value == nil || end < 0 || !ok {
			out = append(out, tokens[i])
			continue
		}
		out = append(out, resolve(value, values)...)
		i = end
	}
	return out
}

// closing is the index of the bracket that closes the one at open, -1 if none
// does.
func closing(tokens []string, open int) int {
	depth := 0
	for i := open; i < len(tokens); i++ {
		switch tokens[i] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// given are a function's parameters with what a call gives for them; false if
// they do not agree in number.
func given(u *testmodel.Unit, arguments []string) (map[string][]string, bool) {
	out := map[string][]string{}
	var values [][]string
	if len(arguments) > 0 {
		values = split(arguments)
	}
	names := paramNames(u)
	if len(values) != len(names) {
		return nil, false
	}
	for k, n := range names {
		out[n] = values[k]
	}
	return out, true
}

// paramNames are the names of a unit's parameters, without types.
func paramNames(u *testmodel.Unit) []string {
	body := bodyNames(u.Body)
	out := make([]string, 0, len(u.Params))
	for _, p := range u.Params {
		fields := strings.FieldsFunc(p, func(r rune) bool { return r == ' ' || r == ':' || r == '*' || r == '&' })
		name := p
		for _, f := range fields {
			if slices.Contains(body, f) {
				name = f
				break
			}
		}
		out = append(out, name)
	}
	return out
}

// delegated are the assertions that calls of extracted helpers in the head
// come to.
func (u *unitDiff) delegated() []loopAssert {
	var out []loopAssert
	helpers := u.d.extracted()
	for j := range u.a {
		if len(helpers) == 0 || len(out) > maxExpanded {
			break
		}
		tokens := u.a[j].Head
		if a := u.a[j].Assert; a != nil && a.Relation == testmodel.Custom {
			tokens = a.Expected
		}
		at := slices.IndexFunc(tokens, func(t string) bool { return t == "(" })
		if at < 1 || helpers[tokens[at-1]] == nil {
			continue
		}
		h := helpers[tokens[at-1]]
		end := closing(tokens, at)
		if end < 0 {
			continue
		}
		values, ok := given(h, tokens[at+1:end])
		if !ok {
			continue
		}
		for i := range h.Body {
			if a := h.Body[i].Assert; a != nil {
				c := *a
				c.Subject, c.Expected = resolve(a.Subject, values), resolve(a.Expected, values)
				out = append(out, loopAssert{j, u.resolved(&c, u.isValue)})
			} else if h.Body[i].Kind != testmodel.Assigns {
				break
			}
		}
	}
	return out
}

// fixtureValue is what a fixture that was extracted from a test gives it, nil
// if the name is no such fixture.
func (u *unitDiff) fixtureValue(name string) []string {
	f := u.d.extracted()[name]
	if f == nil || f.Role != testmodel.Setup || len(f.Params) > 0 || !slices.Contains(u.is.Params, name) && !strings.HasPrefix(f.Text, "let(") {
		return nil
	}
	return returned(f)
}

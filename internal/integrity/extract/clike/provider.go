package clike

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// Provide gives tests the cases that methods of the file return for them.
// Providers are the names of such methods by test; a method's cases go to the
// first test that asks for them, so that each is there once.
func Provide(units []testmodel.Unit, providers map[string][]string) {
	if len(providers) == 0 {
		return
	}
	byName := make(map[string]int, len(units))
	for i, u := range units {
		if u.Role == testmodel.Helper {
			byName[u.Name] = i
		}
	}
	for i := range units {
		if units[i].Role != testmodel.Test {
			continue
		}
		for _, name := range providers[units[i].Name] {
			if at, ok := byName[name]; ok {
				units[i].Rows = append(units[i].Rows, takeRows(&units[at])...)
			}
		}
	}
}

// takeRows takes the cases out of a provider: what it returns as a list, and
// what it yields one by one.
func takeRows(u *testmodel.Unit) []testmodel.Row {
	var rows []testmodel.Row
	rest := u.Body[:0:0]
	for _, st := range u.Body {
		switch {
		case st.Kind == testmodel.Returns && st.Rows != nil:
			rows, st.Rows = append(rows, st.Rows...), nil
			rest = append(rest, st)
		case len(st.Head) > 2 && st.Head[0] == "yield" && st.Head[1] == "return" && st.Body == nil:
			rows = append(rows, testmodel.Row{Tokens: st.Head[2:], Line: st.Line, Text: st.Text})
		default:
			rest = append(rest, st)
		}
	}
	u.Body = rest
	return rows
}

// Provider is a provider's name beside that of the class which asks for it.
func Provider(class, name string) string {
	name = Unquote(name)
	if i := strings.LastIndexAny(name, "#."); i >= 0 {
		name = name[i+1:]
	}
	return class + "." + name
}

package testdiff

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
)

// values are the right sides of names that are assigned exactly once.
func values(items []item) map[string][]string {
	out := map[string][]string{}
	count := map[string]int{}
	for i := range items {
		for _, b := range items[i].Binds {
			count[baseName(b)]++
		}
		if items[i].Kind == testmodel.Assigns && len(items[i].Binds) == 1 {
			if right := rightSide(items[i].Stmt); right != nil {
				out[items[i].Binds[0]] = right
			}
		}
	}
	for name := range out {
		if count[name] != 1 {
			delete(out, name)
		}
	}
	return out
}

// constants adds values that are assigned at the top of a file and that the
// other version of the unit does not name.
func constants(s *side, to map[string][]string, other map[string]bool) {
	for i := range s.file.Units {
		if s.file.Units[i].Role != testmodel.Module && s.file.Units[i].Role != testmodel.Suite {
			continue
		}
		for name, v := range values(flatten(s.file.Units[i].Body)) {
			if _, ok := to[name]; !ok && !other[name] {
				to[name] = v
			}
		}
	}
}

// rightSide is the value of a plain assignment, nil if it is not that plain.
func rightSide(s *testmodel.Stmt) []string {
	if len(s.Rows) > 0 {
		return nil
	}
	for i, t := range s.Head {
		switch t {
		case "=", ":=":
			if i == 0 || i+1 >= len(s.Head) {
				return nil
			}
			return s.Head[i+1:]
		case "(", "[", "{":
			return nil
		}
	}
	return nil
}

// maxResolved bounds what a value may grow to when names are replaced.
const maxResolved = 400

// resolve replaces names by their values, and those in them, three deep.
func resolve(tokens []string, values map[string][]string) []string {
	for range 3 {
		next := make([]string, 0, len(tokens))
		grown := false
		for i, t := range tokens {
			v, ok := values[t]
			if !ok || i > 0 && tokens[i-1] == "." || i+1 < len(tokens) && (tokens[i+1] == "=" || tokens[i+1] == ":=") || slices.Contains(v, t) || len(next)+len(v) > maxResolved {
				next = append(next, t)
				continue
			}
			grown = true
			if compound(v) && !delimited(tokens, i) {
				next = append(append(append(next, "("), v...), ")")
			} else {
				next = append(next, v...)
			}
		}
		tokens = next
		if !grown {
			break
		}
	}
	return tokens
}

// delimited reports whether a token stands alone between brackets or commas, as
// an argument does.
func delimited(tokens []string, i int) bool {
	return (i == 0 || opens(tokens[i-1]) || tokens[i-1] == ",") && (i+1 == len(tokens) || closes(tokens[i+1]) || tokens[i+1] == ",")
}

// compound reports whether a value has an operator outside of brackets.
func compound(v []string) bool {
	depth := 0
	for i, t := range v {
		switch t {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ".", "::", "?.":
		default:
			if depth == 0 && i > 0 && !isName(t) && !isString(t) {
				return true
			}
		}
	}
	return false
}

func (u *unitDiff) resolved(a *testmodel.Assert, values map[string][]string) *testmodel.Assert {
	c := *a
	c.Subject, c.Expected = resolve(a.Subject, values), resolve(a.Expected, values)
	return &c
}

// inlinedStmt is a statement of the head with the values of extracted helpers
// in the place of their calls.
func (u *unitDiff) inlinedStmt(s *testmodel.Stmt) *testmodel.Stmt {
	helpers := u.d.extracted()
	if len(helpers) == 0 {
		return s
	}
	c := *s
	c.Head = inlined(s.Head, helpers)
	if s.Assert != nil {
		a := *s.Assert
		a.Subject, a.Expected = inlined(a.Subject, helpers), inlined(a.Expected, helpers)
		c.Assert = &a
	}
	return &c
}

// alignResolved pairs statements that are equal once the names that one version
// has more than the other are replaced by their values.
func (u *unitDiff) alignResolved() {
	was, is := only(u.wasValue, u.isNames), only(u.isValue, u.wasNames)
	if len(was)+len(is)+len(u.d.extracted()) == 0 {
		return
	}
	left := map[string][]int{}
	for j := range u.a {
		if u.toB[j] < 0 {
			k := resolvedKey(u.inlinedStmt(u.a[j].Stmt), is)
			left[k] = append(left[k], j)
		}
	}
	for i := range u.b {
		if u.toA[i] >= 0 {
			continue
		}
		k := resolvedKey(u.b[i].Stmt, was)
		if js := left[k]; len(js) > 0 {
			u.pair(i, js[0])
			u.exact[i] = true
			left[k] = js[1:]
		}
	}
}

// only are the values of names that the other version does not have.
func only(values map[string][]string, other map[string]bool) map[string][]string {
	out := map[string][]string{}
	for name, v := range values {
		if !other[name] {
			out[name] = v
		}
	}
	return out
}

func resolvedKey(s *testmodel.Stmt, values map[string][]string) string {
	c := *s
	if s.Assert != nil {
		a := *s.Assert
		a.Subject, a.Expected = resolve(a.Subject, values), resolve(a.Expected, values)
		c.Assert = &a
	} else {
		c.Head = resolve(s.Head, values)
	}
	return keyOf(&c)
}

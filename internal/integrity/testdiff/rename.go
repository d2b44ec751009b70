package testdiff

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
)

// rename is a name, or a dotted sequence of tokens, that is called something
// else in the head.
type rename struct {
	was []string
	is  string
}

// renameTokens applies renames to tokens.
func renameTokens(tokens []string, renames []rename) []string {
	out := tokens
	for _, r := range renames {
		if !slices.Contains(out, r.was[0]) {
			continue
		}
		next := make([]string, 0, len(out))
		for i := 0; i < len(out); {
			if out[i] == r.was[0] && i+len(r.was) <= len(out) && slices.Equal(out[i:i+len(r.was)], r.was) && (i == 0 || out[i-1] != "." || len(r.was) > 1) {
				next = append(next, r.is)
				i += len(r.was)
				continue
			}
			next = append(next, out[i])
			i++
		}
		out = next
	}
	return out
}

// renameUnit is a copy of a unit with other names in it.
func renameUnit(u *testmodel.Unit, renames []rename) *testmodel.Unit {
	c := *u
	c.Params = make([]string, len(u.Params))
	for i, p := range u.Params {
		c.Params[i] = renameTokens([]string{p}, renames)[0]
	}
	c.Locals = renameTokens(u.Locals, renames)
	c.Marks = slices.Clone(u.Marks)
	for i := range c.Marks {
		c.Marks[i].Tokens = renameTokens(c.Marks[i].Tokens, renames)
	}
	c.Rows = renameRows(u.Rows, renames)
	c.Body = renameBody(u.Body, renames)
	return &c
}

func renameRows(rows []testmodel.Row, renames []rename) []testmodel.Row {
	out := slices.Clone(rows)
	for i := range out {
		out[i].Tokens = renameTokens(out[i].Tokens, renames)
	}
	return out
}

func renameBody(body []testmodel.Stmt, renames []rename) []testmodel.Stmt {
	out := slices.Clone(body)
	for i := range out {
		s := &out[i]
		s.Head = renameTokens(s.Head, renames)
		s.Binds = renameTokens(s.Binds, renames)
		s.Rows = renameRows(s.Rows, renames)
		s.Body = renameBody(s.Body, renames)
		if s.Assert != nil {
			a := *s.Assert
			a.Subject, a.Expected = renameTokens(a.Subject, renames), renameTokens(a.Expected, renames)
			a.ToleranceTokens = renameTokens(a.ToleranceTokens, renames)
			s.Assert = &a
		}
	}
	return out
}

// localRenames are the unit's own names that are called something else in the
// other version. A name that either version uses otherwise is never renamed.
func localRenames(was, is *testmodel.Unit) []rename {
	usedWas, usedIs := freeNames(was), freeNames(is)
	var from, to []string
	for _, l := range was.Locals {
		if !usedIs[l] && !slices.Contains(from, l) {
			from = append(from, l)
		}
	}
	for _, l := range is.Locals {
		if !usedWas[l] && !slices.Contains(to, l) {
			to = append(to, l)
		}
	}
	if len(from) == 0 || len(to) == 0 {
		return nil
	}
	return vote(was, is, from, to)
}

// namesOf are all tokens of a unit.
func namesOf(u *testmodel.Unit) map[string]bool {
	return tokensIn(u, func([]string, int) bool { return true })
}

// freeNames are the tokens of a unit that are no members of what stands before
// them.
func freeNames(u *testmodel.Unit) map[string]bool {
	return tokensIn(u, func(tokens []string, i int) bool { return !isMember(tokens, i) })
}

func isMember(tokens []string, i int) bool { return i > 0 && tokens[i-1] == "." }

func tokensIn(u *testmodel.Unit, counts func(tokens []string, i int) bool) map[string]bool {
	out := map[string]bool{}
	add := func(tokens []string) {
		for i, t := range tokens {
			if counts(tokens, i) {
				out[t] = true
			}
		}
	}
	var walk func(body []testmodel.Stmt)
	walk = func(body []testmodel.Stmt) {
		for i := range body {
			s := &body[i]
			add(s.Head)
			add(s.Binds)
			for _, r := range s.Rows {
				add(r.Tokens)
			}
			if a := s.Assert; a != nil {
				add(a.Subject)
				add(a.Expected)
				add(a.ToleranceTokens)
			}
			walk(s.Body)
		}
	}
	walk(u.Body)
	for _, m := range u.Marks {
		add(m.Tokens)
	}
	for _, r := range u.Rows {
		add(r.Tokens)
	}
	add(u.Params)
	return out
}

// hole stands for a name that may have changed.
const hole = "\x05"

// vote aligns two units with holes for the names in question, and pairs the
// names that fill the same holes.
func vote(was, is *testmodel.Unit, from, to []string) []rename {
	a, b := flatten(was.Body), flatten(is.Body)
	keys := func(items []item, names []string) []string {
		out := make([]string, len(items))
		for i := range items {
			out[i] = string(items[i].Kind) + joined(punch(tokensOf(items[i].Stmt), names))
		}
		return out
	}
	toB, _ := align(keys(a, from), keys(b, to))
	votes := map[[2]string]int{}
	count := func(x, y []string) {
		for k := range x {
			if k < len(y) && !isMember(x, k) && slices.Contains(from, x[k]) && slices.Contains(to, y[k]) {
				votes[[2]string{x[k], y[k]}]++
			}
		}
	}
	for i, j := range toB {
		if j >= 0 {
			count(tokensOf(a[i].Stmt), tokensOf(b[j].Stmt))
		}
	}
	for i := range was.Marks {
		if i < len(is.Marks) {
			count(was.Marks[i].Tokens, is.Marks[i].Tokens)
		}
	}
	return elect(votes, from, to)
}

func punch(tokens, names []string) []string {
	out := slices.Clone(tokens)
	for i, t := range out {
		if !isMember(tokens, i) && slices.Contains(names, t) {
			out[i] = hole
		}
	}
	return out
}

// tokensOf are all tokens of a statement itself.
func tokensOf(s *testmodel.Stmt) []string {
	if a := s.Assert; a != nil {
		return slices.Concat([]string{string(a.Relation)}, a.Subject, []string{"|"}, a.Expected, []string{"|"}, a.ToleranceTokens)
	}
	return s.Head
}

// elect picks one new name for each old one, and one old one for each new one.
func elect(votes map[[2]string]int, from, to []string) []rename {
	var out []rename
	taken := map[string]bool{}
	for _, f := range from {
		best, most := "", 0
		for _, t := range to {
			if n := votes[[2]string{f, t}]; n > most && !taken[t] {
				best, most = t, n
			}
		}
		if best != "" {
			taken[best] = true
			out = append(out, rename{[]string{f}, best})
		}
	}
	return out
}

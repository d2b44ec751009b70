// Package extracttest helps to test extractors: it renders models as text for
// golden files.
package extracttest

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// Dump is a model as text, one line for each part of it.
func Dump(f testmodel.File) string {
	var b strings.Builder
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "import %s = %s  :%d\n", i.Local, i.Source, i.Line)
	}
	for _, u := range f.Units {
		unit(&b, u)
	}
	return b.String()
}

func unit(b *strings.Builder, u testmodel.Unit) {
	fmt.Fprintf(b, "\n%s %q :%d-%d", u.Role, u.Name, u.Line, u.End)
	list(b, " params", u.Params)
	list(b, " locals", u.Locals)
	if u.Uncollected != "" {
		fmt.Fprintf(b, " uncollected(%s)", u.Uncollected)
	}
	b.WriteByte('\n')
	for _, m := range u.Marks {
		fmt.Fprintf(b, "  mark %s :%d", m.Effect, m.Line)
		list(b, " tokens", m.Tokens)
		if m.Mock != "" {
			fmt.Fprintf(b, " mock(%s)", m.Mock)
		}
		if m.Raises != nil {
			assertion(b, *m.Raises)
		}
		b.WriteByte('\n')
	}
	rows(b, "  ", u.Rows)
	stmts(b, "  ", u.Body)
}

func stmts(b *strings.Builder, indent string, body []testmodel.Stmt) {
	for _, s := range body {
		fmt.Fprintf(b, "%s%s :%d", indent, s.Kind, s.Line)
		if s.Assert != nil {
			assertion(b, *s.Assert)
		} else {
			list(b, " head", s.Head)
		}
		list(b, " binds", s.Binds)
		if s.Mock != "" {
			fmt.Fprintf(b, " mock(%s)", s.Mock)
		}
		if s.Swallows {
			b.WriteString(" SWALLOWS")
		}
		b.WriteByte('\n')
		rows(b, indent+"  ", s.Rows)
		stmts(b, indent+"  ", s.Body)
	}
}

func assertion(b *strings.Builder, a testmodel.Assert) {
	b.WriteString(" ")
	if a.Negated {
		b.WriteString("not ")
	}
	fmt.Fprintf(b, "%s %q", a.Relation, a.Name)
	list(b, " of", a.Subject)
	list(b, " want", a.Expected)
	if a.Tolerance != nil {
		fmt.Fprintf(b, " tolerance(%g)", *a.Tolerance)
	}
	list(b, " tolerance", a.ToleranceTokens)
	if a.Lost {
		b.WriteString(" LOST")
	}
	if a.Fatal {
		b.WriteString(" fatal")
	}
}

func rows(b *strings.Builder, indent string, rows []testmodel.Row) {
	for _, r := range rows {
		fmt.Fprintf(b, "%srow :%d", indent, r.Line)
		list(b, " ", r.Tokens)
		b.WriteByte('\n')
	}
}

func list(b *strings.Builder, what string, tokens []string) {
	if len(tokens) > 0 {
		fmt.Fprintf(b, "%s(%s)", what, strings.Join(tokens, " "))
	}
}

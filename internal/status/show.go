package status

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// columns are the heads of the table.
func columns() []string {
	return []string{
		"Feature",
		"State",
		"Approved tests",
		"Last review",
		"Read by",
		"Open",
		"Rounds",
		"Tokens",
		"Cost",
	}
}

// nothing stands where there is nothing to say.
const nothing = "–"

// cells are a feature's row. Texts come from the tree and are made harmless.
func (f Feature) cells() []string {
	state, tests, last, by := nothing, nothing, nothing, nothing
	if f.State != "" {
		state = string(f.State)
	}
	if f.Tests != nil {
		tests = workflow.Count(f.Tests.Files, "file")
	}
	if len(f.Reviews) > 0 {
		r := f.Reviews[0]
		last = string(r.Type) + " " + r.Decision
		if !r.Time.IsZero() {
			last += " " + r.Time.UTC().Format("2006-01-02")
		}
		by = string(r.ReviewedBy)
		if r.ReviewedBy == workflow.ByPerson {
			by = r.By
		}
	}
	return []string{
		markdown.Clean(
			f.Name,
		), state, tests, last, markdown.Clean(by), strconv.Itoa(f.Open), strconv.Itoa(f.Rounds),
		thousands(f.Tokens.Total()), dollars(f.CostUSD),
	}
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// dollars is an amount with two digits, or a dash for nil.
func dollars(usd *float64) string {
	if usd == nil {
		return nothing
	}
	return fmt.Sprintf("$%.2f", *usd)
}

// total is the line below the table.
func (s Status) total() string {
	text := workflow.Count(len(s.Features), "feature") + ", " +
		thousands(s.Tokens.Total()) + " tokens"
	if s.CostUSD != nil {
		text += ", " + dollars(s.CostUSD)
	}
	return text
}

// Terminal writes the table.
func (s Status) Terminal(w io.Writer) error {
	if len(s.Features) == 0 {
		_, err := fmt.Fprintln(
			w,
			"No feature yet: there is no spec, no review and no record of approved tests.",
		)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprint(t, c)
		}
		fmt.Fprintln(t)
	}
	line(columns())
	for _, f := range s.Features {
		line(f.cells())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", s.total())
	return err
}

// HTML writes the same as a page of one file, without scripts. Its numbers say what they count, as
// a narrow screen shows no heads of columns. Every text of the repository is escaped.
func (s Status) HTML(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| Feature | State | Last review | Facts |\n|---|---|---|---|\n")
	for _, f := range s.Features {
		c := f.cells()
		last := markdown.Cell(c[3])
		if len(f.Reviews) > 0 {
			last = "**" + last + "** by " + markdown.Cell(c[4])
		}
		facts := fmt.Sprintf(
			"%s open, %s, %s tokens",
			c[5],
			workflow.Count(f.Rounds, "round"),
			c[7],
		)
		if f.CostUSD != nil {
			facts += ", " + c[8]
		}
		if f.Tests != nil {
			facts = "approved tests: " + c[2] + "; " + facts
		}
		fmt.Fprintf(
			&b, "| %s | %s | %s | %s |\n", markdown.Cell(c[0]), markdown.Cell(c[1]), last,
			markdown.Cell(facts),
		)
	}
	return report.Page(w, "Status of the features", "Commit "+s.Commit, s.total(), b.String())
}

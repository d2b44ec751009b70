package report

import (
	"cmp"
	"io"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// lazily is view, made when it is written: of many reviews never all nodes are there at a time.
func (v pageReview) lazily() g.Node {
	return g.NodeFunc(func(w io.Writer) error { return v.view().Render(w) })
}

// view is a review in full.
func (v pageReview) view() g.Node {
	return row(h.Details(h.Class("card "+v.Decision), h.ID(v.ID), g.If(v.Open, g.Attr("open")),
		row(h.Summary(
			h.H2(g.Text(v.Feature+" "), h.Span(h.Class("type"), g.Text(v.Type))), g.Text(" "),
			pill(v.Decision, v.Verdict), g.Text(" "), h.Span(h.Class("count"), g.Text(cmp.Or(v.Count, "no findings"))),
		)),
		row(h.P(h.Class("soft small"), g.Text(v.Facts))),
		row(h.P(h.Class("small"), v.files())),
		when(v.MovedTo, func(s string) g.Node { return h.P(h.Class("small"), g.Text("Moves to "), where(s, "")) }),
		g.Map(v.Warnings, func(s string) g.Node { return h.Div(h.Class("note ERROR"), h.P(inline(s))) }),
		v.failure(), blocks(v.Summary), v.people(), v.requirements(), v.evaluation(), v.issues(), v.integrity(), v.questions(),
		v.previous(), v.automated(), v.omitted(),
		g.Raw("\n"),
	))
}

func subheading(s string) g.Node { return row(h.H3(g.Text(s))) }

func (v pageReview) files() g.Node {
	var out g.Group
	for i, f := range v.Files {
		if i > 0 {
			out = append(out, g.Text(" · "))
		}
		out = append(out, where(f, ""))
	}
	return append(out, when(v.FilesMore, func(s string) g.Node { return g.Text(" · " + s) }))
}

func (v pageReview) failure() g.Node {
	if v.Failure == nil {
		return nil
	}
	return h.Div(h.Class("note ERROR"),
		h.P(h.Strong(g.Text("Review did not run.")), g.Text(" "), inline(v.Failure.Message)),
		remedy(v.Failure.Action),
		h.P(g.Text("Review not completed. Artifact not moved.")),
	)
}

// requirements is the ledger: what is demanded, how it stands, and what names it.
func (v pageReview) requirements() g.Node {
	if len(v.Requirements) == 0 {
		return nil
	}
	class := map[workflow.RequirementStatus]string{workflow.Met: "PASS", workflow.NotMet: "FAIL", workflow.CannotTell: "CONCERN"}
	rows := make(g.Group, 0, len(v.Requirements))
	for _, r := range v.Requirements {
		rows = append(rows, row(h.Tr(
			h.Td(h.Strong(g.Text(r.ID)), g.Text(" "), inline(r.Text), more("Of the base; ", r.Changed)),
			h.Td(when(string(r.Status), func(s string) g.Node { return pill(class[r.Status], s) })),
			h.Td(where(oneLine(record.Location(r.File, r.Line), 0), ""), more("", r.Reason)),
			h.Td(named(r.Tests)), h.Td(named(r.Code)),
		)))
	}
	return g.Group{
		subheading("Requirements"), row(h.P(g.Text(v.Counts))),
		row(h.Table(columns("Requirement", "Status", "Where and why", "Tests", "Code"), h.TBody(rows))),
	}
}

// named lists places, a line each.
func named(places []string) g.Node {
	return g.Map(places, func(p string) g.Node { return h.P(h.Class("small"), where(oneLine(p, 0), "")) })
}

func (v pageReview) questions() g.Node {
	if v.Questions == "" {
		return nil
	}
	return g.Group{subheading("Questions"), row(blocks(v.Questions))}
}

func (v pageReview) evaluation() g.Node {
	if len(v.Criteria) == 0 {
		return nil
	}
	rows := make(g.Group, 0, len(v.Criteria))
	for _, c := range v.Criteria {
		grade := string(c.Grade)
		rows = append(rows, row(h.Tr(
			h.Td(inline(c.Name)), h.Td(pill(grade, grade)),
			h.Td(inline(c.Finding), more("Evidence: ", c.Evidence), more("Impact: ", c.Impact)),
		)))
	}
	return g.Group{subheading("Evaluation"), row(h.Table(columns("Criterion", "Result", "Finding"), h.TBody(rows)))}
}

// more is a smaller line below, if there is text for it.
func more(label, text string) g.Node {
	return when(text, func(s string) g.Node { return h.P(h.Class("more"), g.Text(label), inline(s)) })
}

func (v pageReview) issues() g.Node {
	if len(v.Issues) == 0 {
		return nil
	}
	return g.Group{subheading("Issues"), g.Map(v.Issues, pageIssue.view)}
}

func (i pageIssue) view() g.Node {
	severity := string(i.Severity)
	tag := func(s string) g.Node { return g.Group{g.Text(" "), h.Span(inline(s))} }
	return row(h.Article(h.Class("issue"), h.H4(inline(i.Title)),
		row(h.P(h.Class("meta"), pill(severity, severity), g.Text(" "), where(i.Where, i.URL),
			when(string(i.Category), tag), when(i.Rule, tag))),
		row(blocks(i.Description)),
		when(i.Trigger, labelledBlocks("Trigger")),
		when(i.Recommendation, labelledBlocks("Recommendation")),
		i.suggested(),
	))
}

func labelledBlocks(name string) func(string) g.Node {
	return func(s string) g.Node { return h.Div(h.Class("advice"), label(name), blocks(s)) }
}

func label(s string) g.Node { return h.P(h.Class("label"), g.Text(s)) }

func (i pageIssue) suggested() g.Node {
	switch {
	case !i.HasSuggestion:
		return nil
	case i.Suggestion == "":
		return g.Group{label("Suggested text for " + i.Lines), h.P(g.Text("Delete it."))}
	}
	return g.Group{label("Suggested text for " + i.Lines), h.Pre(g.Text(i.Suggestion))}
}

func (v pageReview) integrity() g.Node {
	if v.Violations == 0 && v.Integrity == "" {
		return nil
	}
	return g.Group{
		subheading("Test integrity"),
		g.If(v.Violations > 0, row(h.P(g.Text("It is violated, as "), h.A(h.Href("#integrity"), g.Text("shown above")), g.Text(".")))),
		when(v.Integrity, func(s string) g.Node { return row(blocks(s)) }),
	}
}

func (v pageReview) people() g.Node {
	return when(v.People, func(s string) g.Node { return g.Group{subheading("Decided by people"), row(blocks(s))} })
}

func (v pageReview) previous() g.Node {
	if len(v.Previous) == 0 {
		return nil
	}
	return g.Group{subheading("Previous findings"), row(h.Table(h.TBody(g.Map(v.Previous, func(p pagePrevious) g.Node {
		return row(h.Tr(h.Td(pill(p.State, p.State)), h.Td(inline(p.Title), more("", p.Note))))
	}))))}
}

func (v pageReview) automated() g.Node {
	if len(v.Checks) == 0 {
		return nil
	}
	return g.Group{subheading("Automated checks"), row(h.Table(h.TBody(g.Map(v.Checks, func(c pageCheck) g.Node {
		return row(h.Tr(
			h.Td(h.Span(h.Class("where"), inline(c.ID))), h.Td(pill(c.Class, string(c.Outcome))), h.Td(inline(c.Summary)),
		))
	}))))}
}

func (v pageReview) omitted() g.Node {
	if len(v.Omitted) == 0 {
		return nil
	}
	return g.Group{subheading("Not looked at in full"), row(bulletList(v.Omitted))}
}

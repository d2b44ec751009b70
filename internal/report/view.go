package report

import (
	"cmp"
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"workflow-reviewer/internal/workflow"
)

// document is the whole file.
func (p page) document() g.Node {
	return Document(p.Title+" · "+p.Name,
		p.verdict(), p.failures(), p.integrity(), p.first(), p.overview(),
		p.Warnings.view(), p.Omitted.view(), p.full(), p.Notes.view(), p.Commits.view(), p.footer(),
	)
}

// Document is a whole HTML file in the style of the report. It has no scripts and loads nothing.
func Document(title string, body ...g.Node) g.Node {
	return g.Group{
		h.Doctype(g.Raw("\n")),
		h.HTML(h.Lang("en"), head(title), row(h.Body(row(h.Main(body...))))),
		g.Raw("\n"),
	}
}

func head(title string) g.Node {
	return row(h.Head(
		row(h.Meta(h.Charset("utf-8"))),
		row(h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(policy()))),
		row(h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1"))),
		row(h.Meta(h.Name("referrer"), h.Content("no-referrer"))),
		row(h.TitleEl(g.Text(title))),
		row(style()),
	))
}

func (p page) verdict() g.Node {
	return row(h.Header(h.Class("card verdict "+p.Decision),
		row(h.P(h.Class("kicker"), g.Text(p.Name), when(p.Branch, func(s string) g.Node { return g.Text(" · " + s) }))),
		row(h.H1(h.Span(h.Class("sign"), h.Aria("hidden", "true"), g.Text(p.Sign)), g.Text(" "+p.Title))),
		row(h.P(h.Class("lead"), inline(p.Lead))),
		row(h.Dl(h.Class("stats"), g.Map(p.Stats, func(s stat) g.Node {
			return row(h.Div(h.Dt(g.Text(s.Name)), h.Dd(g.Text(s.Value))))
		}))),
	))
}

func (p page) failures() g.Node {
	if len(p.Failures) == 0 {
		return nil
	}
	return g.Group{heading("What did not run"), row(h.Section(h.Class("card"),
		g.Map(p.Failures, func(f pageFailure) g.Node {
			return row(h.Div(h.Class("note ERROR"), h.P(h.Strong(g.Text(f.Name+":")), g.Text(" "), inline(f.Message)), remedy(f.Action)))
		}),
		row(h.P(h.Class("soft"), g.Text("This is no verdict on the change. Nothing was moved for a review that did not run."))),
	))}
}

// remedy says what to do, if there is something.
func remedy(action string) g.Node {
	return when(action, func(s string) g.Node { return h.P(g.Text("→ "), inline(s)) })
}

func (p page) integrity() g.Node {
	if len(p.Violations)+len(p.Weakened) == 0 {
		return nil
	}
	card := func(vs []pageViolation, severity, word string) g.Node {
		return g.If(len(vs) > 0, row(h.Section(h.Class("card"), g.Map(vs, func(v pageViolation) g.Node { return v.view(severity, word) }))))
	}
	return g.Group{
		row(h.H2(h.ID("integrity"), g.Text("Test integrity"))),
		g.If(len(p.Violations) > 0, row(h.P(h.Strong(g.Text("What now:")), g.Text(" "), inline(p.WhatNow)))),
		card(p.Violations, "High", "Breach"), card(p.Weakened, "Medium", "Not approved, demands less"),
	}
}

func (v pageViolation) view(severity, word string) g.Node {
	return row(h.Article(h.Class("issue"), h.H4(inline(v.Title)),
		row(h.P(h.Class("meta"), pill(severity, word), g.Text(" "), where(v.Where, v.URL),
			when(v.Before, func(s string) g.Node { return g.Group{g.Text(" "), h.Span(g.Text(s))} }))),
		row(blocks(v.Description)),
		g.If(len(v.Evidence) > 0, h.Pre(h.Class("diff"), g.Map(v.Evidence, func(l diffLine) g.Node {
			return h.Span(h.Class(l.Class), g.Text(l.Text))
		}))),
	))
}

// where names a place, as a link if it can be shown.
func where(text, address string) g.Node {
	switch {
	case text == "":
		return nil
	case address == "":
		return h.Span(h.Class("where"), g.Text(text))
	}
	return h.A(h.Class("where"), href(address), g.Text(text))
}

func (p page) first() g.Node {
	if len(p.First) == 0 {
		return nil
	}
	return g.Group{heading(p.FirstTitle), row(h.Section(h.Class("card"),
		h.Ol(h.Class("first"), g.Map(p.First, func(i pageIssue) g.Node {
			severity := string(i.Severity)
			return row(h.Li(h.Span(pill(severity, severity)), h.Div(
				h.P(h.Strong(inline(i.Title))),
				h.P(h.Class("small"), where(i.Where, i.URL),
					when(i.ID, func(s string) g.Node { return g.Group{g.Text(" · "), h.Code(g.Text(s))} })),
				when(i.Advice, func(s string) g.Node { return h.P(h.Class("small soft"), g.Text("→ "), inline(s)) }),
			)))
		})),
		when(p.FirstMore, func(s string) g.Node {
			return row(h.P(h.Class("soft small"), g.Text("… and "+s+" in the reviews below.")))
		}),
	))}
}

func (p page) overview() g.Node {
	if len(p.Reviews) == 0 {
		return nil
	}
	return g.Group{heading(workflow.Count(len(p.Reviews), "review")), row(h.Section(h.Class("card"),
		h.Table(h.Class("overview"), columns("Review", "Verdict", "Findings", "File"), h.TBody(g.Map(p.Reviews, pageReview.line))),
	))}
}

func columns(names ...string) g.Node {
	return h.THead(h.Tr(g.Map(names, func(s string) g.Node { return h.Th(g.Text(s)) })))
}

func (v pageReview) line() g.Node {
	return row(h.Tr(
		h.Td(h.A(h.Href("#"+v.ID), g.Text(v.Feature)), g.Text(" "), h.Span(h.Class("soft small"), g.Text(v.Type))),
		h.Td(pill(v.Decision, v.Verdict), g.If(v.Cached, g.Group{g.Text(" "), h.Span(h.Class("soft small"), g.Text("recorded earlier"))})),
		h.Td(g.Text(cmp.Or(v.Count, "none"))),
		h.Td(h.Class("small"), h.A(href(v.Path), g.Text("review file"))),
	))
}

func (l pageList) view() g.Node {
	if len(l.Items) == 0 {
		return nil
	}
	return g.Group{heading(l.Title), row(h.Section(h.Class("card"), bulletList(l.Items)))}
}

func bulletList(items []string) g.Node {
	return h.Ul(h.Class("plain"), g.Map(items, func(s string) g.Node { return h.Li(inline(s)) }))
}

func (p page) full() g.Node {
	if len(p.Reviews) == 0 {
		return nil
	}
	return g.Group{heading("In full"), g.Map(p.Reviews, pageReview.lazily)}
}

func (p page) footer() g.Node {
	return row(h.Footer(
		g.Text(fmt.Sprintf("workflow-reviewer %s · %s", p.Version, p.Cost)),
		when(p.RunURL, func(u string) g.Node { return g.Group{g.Text(" · "), h.A(href(u), g.Text("workflow run"))} }),
	))
}

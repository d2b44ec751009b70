package report

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"

	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

//go:embed *.tmpl
var formFiles embed.FS

func newForms() *template.Template {
	return form.New(formFiles, template.FuncMap{
		"text":  func(s string) string { return markdown.Clip(markdown.Clean(s), maxFixText) },
		"spec":  func(s string) string { return markdown.Clip(markdown.Clean(s), maxFixSpec) },
		"quote": quote, "fold": fold, "issue": record.Issue, "threadID": threadID,
		"diff": func(s string) string { // as a part of a numbered entry
			block := markdown.Fence(markdown.Clean(s), "diff")
			return "    " + strings.ReplaceAll(block, "\n", "\n    ")
		},
		"linked": linked, "short": short,
		"titled": func(s string) string {
			n := min(1, len(s))
			return strings.ToUpper(s[:n]) + s[n:]
		},
		"json": func(s string) (string, error) {
			out, err := json.Marshal(s)
			return string(out), err
		},

		"steps": Report.steps, "passing": Report.passing, "actions": Report.actions,
		"failed": Report.failed, "unsaved": Report.unsaved, "refused": Report.refused,
		"breached": Report.breached, "failing": Report.failing, "awaitsLabel": Report.awaitsLabel,
		"putBack": Report.putBack, "blocking": Report.blocking, "decidable": Report.decidable,
		"isPull": Report.isPull, "ownWords": Report.ownWords, "mark": Report.mark,
		"placed": Report.placed, "reviewLink": Report.reviewLink, "recorded": Report.recorded,
		"decided": Report.decided, "tally": Report.tally,
		"verdictWords": func(res workflow.Result) string { return lookOfResult(res).words },
		"nothingNamed": nothingNamed, "severities": count, "met": met, "unjudged": record.Unjudged,
		"unread": unreadByRules, "progress": record.Progress, "reviewer": record.Reviewer,
		"cost": cost, "weakenedTitle": weakenedTitle,
	}, terminalFunctions(), terminal{}.functions())
}

package report

import (
	"embed"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"text/template"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

//go:embed *.tmpl
var formFiles embed.FS

// forms are the texts of this package, parsed when the first is needed.
var forms struct {
	sync.Once
	*template.Template
}

// fill is the text of a form with its data, without empty lines around it.
func fill(form string, data any) string {
	return strings.Trim(written(parsedForms(), form, data), "\n")
}

func parsedForms() *template.Template {
	forms.Do(func() { forms.Template = newForms() })
	return forms.Template
}

func newForms() *template.Template {
	t := template.New("")
	t.Funcs(template.FuncMap{
		// Each makes foreign text fit for where it stands.
		"inline": markdown.Inline, "prose": markdown.Block, "code": markdown.Code,
		"cell": markdown.Cell, "codecell": markdown.CodeCell,
		"clip":   func(n int, s string) string { return markdown.Clip(s, n) },
		"line":   func(n int, s string) string { return oneLine(s, n) },
		"clean":  markdown.Clean,
		"text":   func(s string) string { return markdown.Clip(markdown.Clean(s), maxFixText) },
		"spec":   func(s string) string { return markdown.Clip(markdown.Clean(s), maxFixSpec) },
		"fence":  func(lang, s string) string { return markdown.Fence(s, lang) },
		"quoted": func(name string, data any) string { return quote(written(t, name, data)) },
		"filled": fill, "fold": fold, "issue": record.Issue, "threadID": threadID,
		"diff": func(s string) string { // as a part of a numbered entry
			block := markdown.Fence(markdown.Clean(s), "diff")
			return "    " + strings.ReplaceAll(block, "\n", "\n    ")
		},

		"location": record.Location, "linked": linked, "short": short, "join": strings.Join,
		"trim":  strings.Trim,
		"count": func(what string, n int) string { return workflow.Count(n, what) },
		"words": func(kind string) string { return strings.ReplaceAll(kind, "_", " ") },
		"titled": func(s string) string {
			n := min(1, len(s))
			return strings.ToUpper(s[:n]) + s[n:]
		},
		"json": func(s string) (string, error) {
			out, err := json.Marshal(s)
			return string(out), err
		},
		"sum":   func(a, b int) int { return a + b },
		"first": first, "beyond": beyond,

		"steps": Report.steps, "passing": Report.passing, "actions": Report.actions,
		"failed":  Report.failed,
		"unsaved": Report.unsaved, "refused": Report.refused, "breached": Report.breached,
		"failing":     Report.failing,
		"awaitsLabel": Report.awaitsLabel, "putBack": Report.putBack, "blocking": Report.blocking,
		"decidable": Report.decidable, "isPull": Report.isPull, "ownWords": Report.ownWords,
		"mark":   Report.mark,
		"placed": Report.placed, "reviewLink": Report.reviewLink, "recorded": Report.recorded,
		"decided":      Report.decided,
		"verdictWords": func(res workflow.Result) string { return lookOfResult(res).words },
		"nothingNamed": nothingNamed, "severities": count, "met": met, "unjudged": record.Unjudged,
		"unread":   unreadByRules,
		"progress": record.Progress, "reviewer": record.Reviewer, "cost": cost,
		"tally": Report.tally, "weakenedTitle": weakenedTitle,
	})
	t.Funcs(terminalFunctions()).Funcs(terminal{}.functions())
	return template.Must(t.ParseFS(formFiles, "*.tmpl"))
}

func written(t *template.Template, form string, data any) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, form, data); err != nil {
		panic(fmt.Sprintf("write %s: %v", form, err)) // the data does not fit a form of ours
	}
	return b.String()
}

// first are at most n entries of a list.
func first(n int, list any) any {
	v := reflect.ValueOf(list)
	return v.Slice(0, min(n, v.Len())).Interface()
}

// beyond is how many entries of a list first leaves out.
func beyond(n int, list any) int { return max(0, reflect.ValueOf(list).Len()-n) }

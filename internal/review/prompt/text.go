package prompt

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// requestForm is the form of a request. It is a template of this program; what a repository may
// write itself is read by Template.
//
//go:embed request.tmpl
var requestForm embed.FS

// forms parses the form once, when it is first needed. Its functions make foreign text fit.
var forms = sync.OnceValue(func() *template.Template {
	return form.New(requestForm, template.FuncMap{
		"cut":    cut,
		"clean":  func(text string) string { return markdown.Clean(strings.TrimSpace(text)) },
		"fenced": foreign.Fenced,
		"label":  foreign.Label,
		"place":  PlaceOf,
		"noun":   Noun,
		"lines": func(text string) []string {
			return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return l == "" })
		},
	})
})

// Text is one of the texts of request.tmpl, made of data and cut to at most most characters.
func Text(name string, data any, most int) string {
	return cut(most, form.Written(forms(), name, data))
}

func cut(most int, text string) string {
	text, _ = foreign.Cut(text, most)
	return text
}

// PlaceOf is " (file:line)" of an issue, "" if it has no place.
func PlaceOf(i workflow.Finding) string {
	switch {
	case i.File == "":
		return ""
	case i.Line == 0:
		return " (" + foreign.Label(i.File) + ")"
	default:
		return fmt.Sprintf(" (%s:%d)", foreign.Label(i.File), i.Line)
	}
}

// Noun is a type in running text.
func Noun(t workflow.Type) string {
	if t == workflow.BugFix {
		return "bug fix"
	}
	return string(t)
}

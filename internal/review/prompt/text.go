package prompt

import (
	_ "embed" // the request's form
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// requestText is the form of a request. It is a template of this program; what a repository may
// write itself is read by Template.
//
//go:embed request.tmpl
var requestText string

// form parses the template once, when it is first needed.
var form = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("request.tmpl").Funcs(functions).Parse(requestText))
})

// functions make foreign text fit for the template.
var functions = template.FuncMap{
	"line":   func(most int, text string) string { return markdown.Line(text, most) },
	"cut":    cut,
	"clean":  func(text string) string { return markdown.Clean(strings.TrimSpace(text)) },
	"fenced": foreign.Fenced,
	"label":  foreign.Label,
	"place":  PlaceOf,
	"noun":   Noun,
	"words":  func(kind string) string { return strings.ReplaceAll(kind, "_", " ") },
	"lines": func(text string) []string {
		return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return l == "" })
	},
}

// Text is one of the texts of request.tmpl, made of data and cut to at most most characters.
func Text(name string, data any, most int) string {
	var b strings.Builder
	if err := form().ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("write the request's %s: %v", name, err)) // a defect of ours
	}
	return cut(most, b.String())
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

// Package form fills templates of texts. Its functions make foreign text fit for where it stands.
package form

import (
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"text/template"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// New parses the forms of a folder, which may call functions of their own beside those of all.
func New(files fs.FS, own ...template.FuncMap) *template.Template {
	t := template.New("")
	t.Funcs(template.FuncMap{
		"inline": markdown.Inline, "prose": markdown.Block, "code": markdown.Code,
		"cell": markdown.Cell, "codecell": markdown.CodeCell, "clean": markdown.Clean,
		"clip":  func(n int, s string) string { return markdown.Clip(s, n) },
		"line":  func(n int, s string) string { return markdown.Line(s, n) },
		"fence": func(lang, s string) string { return markdown.Fence(s, lang) },

		"filled":   func(name string, data any) string { return Fill(t, name, data) },
		"location": Location, "under": under, "dotted": dotted,
		"join": strings.Join, "trim": strings.Trim,
		"count": func(what string, n int) string { return workflow.Count(n, what) },
		"words": func(kind string) string { return strings.ReplaceAll(kind, "_", " ") },
		"sum":   func(a, b int) int { return a + b },
		"first": first, "beyond": beyond,
	})
	for _, functions := range own {
		t.Funcs(functions)
	}
	return template.Must(t.ParseFS(files, "*.tmpl"))
}

// Fill is the text of a form with its data, without empty lines around it.
func Fill(t *template.Template, name string, data any) string {
	return strings.Trim(Written(t, name, data), "\n")
}

// Written is the text of a form with its data. It panics where data does not fit the form.
func Written(t *template.Template, name string, data any) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("write %s: %v", name, err))
	}
	return b.String()
}

// Location is "file:line", "file", or "" for what has no place.
func Location(file string, line int) string {
	if file == "" || line <= 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// under is a block of text below a lead, as the next of a document; "" without text.
func under(lead, text string) string {
	if text == "" {
		return ""
	}
	return "\n\n" + strings.TrimLeft(lead+"\n\n"+text, "\n")
}

// dotted are the parts that are not empty, on one line.
func dotted(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " · ")
}

// first are at most n entries of a list.
func first(n int, list any) any {
	v := reflect.ValueOf(list)
	return v.Slice(0, min(n, v.Len())).Interface()
}

// beyond is how many entries of a list first leaves out.
func beyond(n int, list any) int { return max(0, reflect.ValueOf(list).Len()-n) }

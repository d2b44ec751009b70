package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// schema is what a project's own schema demands of a document, as far as the template in it tells.
type schema struct {
	headings []string
	fields   []string            // of the document's head: **Status:** …
	choices  map[string][]string // what a field may be
}

var (
	templateHeading = lazyregexp.New(`^##\s+([^#\[].*?)\s*$`)
	templateField   = lazyregexp.New(`^\*\*([A-Z][\w /-]{1,30}):\*\*\s*(.*?)\s*$`)
	templateChoice  = lazyregexp.New(`^\[([^\[\]|]+(?:\|[^\[\]|]+)+)\]$`)
	optional        = lazyregexp.New(`(?i)\boptional\b|\bif (?:applicable|needed|any)\b|\bmaybe\b`)
	exampleTitle    = lazyregexp.New(`(?i)\bexamples?\b|\banti-?patterns?\b|\bsamples?\b`)
	aboveMark       = lazyregexp.New(`^[^\w]*`)
)

// parseSchema reads the templates in a schema: code blocks that begin with a heading, outside of sections of examples.
func parseSchema(d *document) schema {
	out := schema{choices: map[string][]string{}}
	examples := d.titled(exampleTitle)
	for i, sec := range d.sections {
		if optional.MatchString(sec.title) || slices.ContainsFunc(examples, func(e int) bool { return i >= e && i < d.until(e) }) {
			continue
		}
		for _, b := range sec.blocks {
			if b.kind == codeBlock && strings.HasPrefix(b.text, "#") {
				out.template(b.text)
			}
		}
	}
	return out
}

func (o *schema) template(text string) {
	head := strings.HasPrefix(text, "# ")
	for _, line := range strings.Split(text, "\n") {
		if m := templateHeading.FindStringSubmatch(line); m != nil && !optional.MatchString(line) && !strings.ContainsAny(line, "[{<") {
			head = false
			if !slices.Contains(o.headings, m[1]) {
				o.headings = append(o.headings, m[1])
			}
		}
		if m := templateField.FindStringSubmatch(line); m != nil && head && !slices.Contains(o.fields, m[1]) &&
			!optional.MatchString(line) {
			o.fields = append(o.fields, m[1])
			if c := templateChoice.FindStringSubmatch(m[2]); c != nil {
				for _, word := range strings.Split(c[1], "|") {
					o.choices[m[1]] = append(o.choices[m[1]], strings.TrimSpace(word))
				}
			}
		}
	}
}

// againstSchema holds a document to the sections and header values that the project's own schema demands.
func againstSchema(s *subject) workflow.Check {
	d := s.main()
	if s.Schema == "" {
		return workflow.Check{Outcome: workflow.Absent, Summary: "a schema of the project's own: not found"}
	}
	if d == nil {
		return workflow.Check{}
	}
	want := parseSchema(parseDocument("", []byte(s.Schema)))
	var out []workflow.Issue
	add := func(line int, format string, args ...any) {
		out = append(out, workflow.Issue{File: d.path, Line: line, Title: fmt.Sprintf(format, args...)})
	}
	missing := slices.DeleteFunc(slices.Clone(want.headings), d.hasHeading)
	if len(missing) > 0 && len(missing) < len(want.headings) {
		add(1, "The schema demands sections that are not there: %s", some(missing))
	}
	values := d.header()
	missing = slices.DeleteFunc(slices.Clone(want.fields), func(f string) bool { _, ok := values[strings.ToLower(f)]; return ok })
	if len(missing) > 0 && len(missing) < len(want.fields) {
		add(1, "The schema demands lines in the head that are not there: %s", some(missing))
	}
	for _, f := range want.fields {
		v, ok := values[strings.ToLower(f)]
		if words := want.choices[f]; ok && len(words) > 0 && !slices.ContainsFunc(words,
			func(w string) bool { return strings.HasPrefix(phrase(v.text), phrase(w)) }) {
			add(v.line, "%s is %q; the schema has %s", f, cutLine(v.text, 40), strings.Join(words, ", "))
		}
	}
	return workflow.Check{Issues: out}
}

// hasHeading reports whether a heading of the document has the words of another.
func (d *document) hasHeading(title string) bool {
	want := phrase(cleanHeading(title))
	return slices.ContainsFunc(d.sections, func(s section) bool {
		have := phrase(cleanHeading(s.title))
		return have != "" && (strings.Contains(have, want) || strings.Contains(want, have))
	})
}

// cleanHeading drops what stands in parentheses.
func cleanHeading(s string) string {
	before, _, _ := strings.Cut(s, "(")
	return aboveMark.ReplaceAllString(before, "")
}

// header are the lines "**Status:** Draft" before the second heading, by their names in lower case.
func (d *document) header() map[string]block {
	out := map[string]block{}
	headings := 0
	for _, sec := range d.sections {
		if sec.level > 0 && sec.level != labelLevel {
			headings++
		}
		if headings > 1 {
			break
		}
		if sec.level == labelLevel {
			text := ""
			if len(sec.blocks) > 0 {
				text = sec.blocks[0].text
			}
			out[strings.ToLower(sec.title)] = block{text: firstLine(text), line: sec.line}
		}
		for _, b := range sec.blocks {
			for i, line := range strings.Split(b.text, "\n") {
				if m := templateField.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
					out[strings.ToLower(m[1])] = block{text: m[2], line: b.line + i}
				}
			}
		}
	}
	return out
}

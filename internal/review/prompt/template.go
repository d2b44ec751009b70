package prompt

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/textdiff"
)

// placeholder is a name in a prompt template.
var placeholder = lazyregexp.New(`\{\{\s*([^{}\n]*?)\s*\}\}`)

// templateNames are the placeholders that a prompt template may use.
var templateNames = []string{
	"artifact",
	"spec",
	"diff",
	"requirements",
	"earlier_findings",
	"context",
	"title",
	"description",
}

// Template reads the variable part of a type's prompt as the repository wants it,
// from the base commit; "" for none. An unknown placeholder is an error.
func Template(base change.Tree, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := base.ReadFile(path.Clean(file))
	if errors.Is(err, fs.ErrNotExist) {
		return "", &missingPrompt{"Prompt template", file}
	}
	if err != nil {
		return "", fmt.Errorf("read prompt template %q: %w", file, err)
	}
	text := markdown.Clean(string(data))
	if len(text) > maxPromptFile {
		return "", fmt.Errorf("prompt template %s is longer than %d characters", foreign.Label(file), maxPromptFile)
	}
	var unknown []string
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, 200) {
		if foreign.OpenFence(text[:m[0]]) != "" {
			return "", fmt.Errorf(
				"prompt template %s: a placeholder stands in a code fence; values bring their own",
				foreign.Label(file),
			)
		}
		if name := text[m[2]:m[3]]; !slices.Contains(templateNames, name) {
			unknown = append(unknown, "{{"+markdown.Line(name, 40)+"}}")
		}
	}
	if unknown != nil {
		return "", fmt.Errorf(
			"prompt template %s: %s is not one of {{%s}}",
			foreign.Label(file),
			strings.Join(slices.Compact(unknown), ", "),
			strings.Join(templateNames, "}}, {{"),
		)
	}
	return text, nil
}

// filled is the variable part of the prompt by the repository's template. What the answer must
// speak of, and the artifact, are added where the template leaves them out.
func (p Parts) filled() string {
	used := map[string]bool{}
	text := placeholder.ReplaceAllStringFunc(p.Template, func(s string) string {
		name := placeholder.FindStringSubmatch(s)[1]
		used[name] = true
		return "\n\n" + p.value(name) + "\n" // a fence begins a line
	})
	var b strings.Builder
	b.WriteString(quoted + "\n" + strings.TrimSpace(text) + "\n\n")
	if !used["requirements"] {
		group(&b, "Requirements", "", p.Ledger)
	}
	p.mustBeAnswered(&b)
	if !used["artifact"] {
		group(&b, "Artifact under review", p.subject(), p.View.docs)
	}
	p.task(&b)
	return b.String()
}

// value is what a placeholder stands for, fenced.
func (p Parts) value(name string) string {
	var b strings.Builder
	write := func(docs ...Document) {
		for _, d := range docs {
			d.Write(&b)
		}
		if b.Len() == 0 {
			b.WriteString("(none)\n")
		}
	}
	switch name {
	case "artifact":
		b.WriteString(p.subject() + "\n\n")
		write(p.View.docs...)
	case "spec":
		i := slices.IndexFunc(p.Related, func(d Document) bool { return d.Path != "" && d.Path == p.Artifact.SpecPath })
		if i >= 0 {
			write(p.Related[i])
		} else {
			write()
		}
	case "diff":
		write(Document{Heading: "Changes of the artifact", Body: diffOf(p.View.files)})
	case "requirements":
		write(p.Ledger...)
	case "earlier_findings":
		write(p.Earlier...)
	case "context":
		write(slices.Concat(p.Project, p.Related, p.Near)...)
	case "title":
		b.WriteString(foreign.Fenced(markdown.Line(p.Said.Title, 300)))
	case "description":
		body := markdown.Clean(p.Said.Body)
		body, _ = foreign.Cut(body, maxBody)
		b.WriteString(foreign.Fenced(body))
	}
	return b.String()
}

// maxDiff is the room for the diff of a template, in characters.
const maxDiff = 100_000

// diffOf is the change of the artifact's files as one diff.
func diffOf(files []*File) string {
	var b strings.Builder
	for _, f := range files {
		if f.blind == "" && b.Len() < maxDiff {
			b.WriteString(textdiff.Format(f.path, f.change.OldPath, textdiff.Hunks(f.old, f.New, 3)))
		}
	}
	text := markdown.Clean(b.String())
	text, _ = foreign.Cut(text, maxDiff)
	return text
}

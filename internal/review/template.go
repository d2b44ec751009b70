package review

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
	"workflow-reviewer/internal/textdiff"
)

// placeholder is a name in a prompt template.
var placeholder = lazyregexp.New(`\{\{\s*([^{}\n]*?)\s*\}\}`)

// templateNames are the placeholders that a prompt template may use.
var templateNames = []string{"artifact", "spec", "diff", "requirements", "earlier_findings", "context", "title", "description"}

// template reads the variable part of a type's prompt as the repository wants it,
// from the base commit; "" for none. An unknown placeholder is an error.
func template(base change.Tree, file string) (string, error) {
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
		return "", fmt.Errorf("prompt template %s is longer than %d characters", label(file), maxPromptFile)
	}
	var unknown []string
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, 200) {
		if openFence(text[:m[0]]) != "" {
			return "", fmt.Errorf("prompt template %s: a placeholder stands in a code fence; values bring their own", label(file))
		}
		if name := text[m[2]:m[3]]; !slices.Contains(templateNames, name) {
			unknown = append(unknown, "{{"+markdown.Line(name, 40)+"}}")
		}
	}
	if unknown != nil {
		return "", fmt.Errorf("prompt template %s: %s is not one of {{%s}}", label(file), strings.Join(slices.Compact(unknown), ", "),
			strings.Join(templateNames, "}}, {{"))
	}
	return text, nil
}

// filled is the variable part of the prompt by the repository's template. What the answer must speak of, and the
// artifact, are added where the template leaves them out.
func (p parts) filled() string {
	used := map[string]bool{}
	text := placeholder.ReplaceAllStringFunc(p.template, func(s string) string {
		name := placeholder.FindStringSubmatch(s)[1]
		used[name] = true
		return "\n\n" + p.value(name) + "\n" // a fence begins a line
	})
	var b strings.Builder
	b.WriteString(quoted + "\n" + strings.TrimSpace(text) + "\n\n")
	if !used["requirements"] {
		group(&b, "Requirements", "", p.ledger)
	}
	p.mustBeAnswered(&b)
	if !used["artifact"] {
		group(&b, "Artifact under review", p.subject(), p.view.docs)
	}
	p.task(&b)
	return b.String()
}

// value is what a placeholder stands for, fenced.
func (p parts) value(name string) string {
	var b strings.Builder
	write := func(docs ...document) {
		for _, d := range docs {
			d.write(&b)
		}
		if b.Len() == 0 {
			b.WriteString("(none)\n")
		}
	}
	switch name {
	case "artifact":
		b.WriteString(p.subject() + "\n\n")
		write(p.view.docs...)
	case "spec":
		i := slices.IndexFunc(p.related, func(d document) bool { return d.path != "" && d.path == p.artifact.SpecPath })
		if i >= 0 {
			write(p.related[i])
		} else {
			write()
		}
	case "diff":
		write(document{heading: "Changes of the artifact", body: diffOf(p.view.files)})
	case "requirements":
		write(p.ledger...)
	case "earlier_findings":
		write(p.earlier...)
	case "context":
		write(slices.Concat(p.project, p.related, p.near)...)
	case "title":
		b.WriteString(fenced(markdown.Line(p.said.Title, 300)))
	case "description":
		body := markdown.Clean(p.said.Body)
		body, _ = cut(body, maxBody)
		b.WriteString(fenced(body))
	}
	return b.String()
}

// maxDiff is the room for the diff of a template, in characters.
const maxDiff = 100_000

// diffOf is the change of the artifact's files as one diff.
func diffOf(files []*artifactFile) string {
	var b strings.Builder
	for _, f := range files {
		if f.blind == "" && b.Len() < maxDiff {
			b.WriteString(textdiff.Format(f.path, f.change.OldPath, textdiff.Hunks(f.old, f.new, 3)))
		}
	}
	text := markdown.Clean(b.String())
	text, _ = cut(text, maxDiff)
	return text
}

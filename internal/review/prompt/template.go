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
	"artifact", "spec", "diff", "requirements", "earlier_findings", "context", "title",
	"description",
}

// Template reads the variable part of a type's prompt as the repository wants it, from the base
// commit; "" for none. An unknown placeholder is an error, and so is one in a code fence, as values
// bring their own.
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
	problem := ""
	if len(text) > maxPromptFile {
		problem = fmt.Sprintf("it is longer than %d characters", maxPromptFile)
	}
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		switch {
		case foreign.OpenFence(text[:m[0]]) != "":
			problem = "a placeholder stands in a code fence; values bring their own"
		case !slices.Contains(templateNames, name):
			problem = fmt.Sprintf("{{%s}} is not one of {{%s}}", markdown.Line(name, 40),
				strings.Join(templateNames, "}}, {{"))
		}
	}
	if problem != "" {
		return "", fmt.Errorf("prompt template %s: %s", foreign.Label(file), problem)
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
		return "\n\n" + Text("value of "+name, p, Max) + "\n" // a fence begins a line
	})
	all := Text("quoted", nil, Max) + "\n" + strings.TrimSpace(text) + "\n\n"
	if !used["requirements"] {
		all += Text("requirements", p, Max)
	}
	all += Text("asked", p, Max)
	if !used["artifact"] {
		all += Text("artifact", p, Max)
	}
	return all + Text("task", p, Max)
}

// Spec is the feature's spec.
func (p Parts) Spec() []Document {
	i := slices.IndexFunc(p.Related, func(d Document) bool {
		return d.Path != "" && d.Path == p.Artifact.SpecPath
	})
	if i < 0 {
		return nil
	}
	return p.Related[i : i+1]
}

// Context is all that is shown around the artifact.
func (p Parts) Context() []Document { return slices.Concat(p.Project, p.Related, p.Near) }

// maxDiff is the room for the diff of a template, in characters.
const maxDiff = 100_000

// Diff is the change of the artifact's files as one diff.
func (p Parts) Diff() []Document {
	var b strings.Builder
	for _, f := range p.View.files {
		if f.blind == "" && b.Len() < maxDiff {
			hunks := textdiff.Hunks(f.old, f.new, 3)
			b.WriteString(textdiff.Format(f.path, f.change.OldPath, hunks))
		}
	}
	body := cut(maxDiff, markdown.Clean(b.String()))
	return []Document{{Heading: "Changes of the artifact", Body: body}}
}

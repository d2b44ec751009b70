package prompt

import (
	"cmp"
	"embed"
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
	"workflow-reviewer/internal/workflow"
)

// builtIns holds the prompts that are used where a repository brings none.
//
//go:embed prompts/*.md
var builtIns embed.FS

// Files names a repository's own prompt files for one type, as paths in the base commit; "" looks
// for them under their usual names.
type Files struct {
	Role     string
	Schema   string
	Template string // "" for the built-in form
}

// maxPromptFile caps a repository's own role or criteria, in characters.
const maxPromptFile = 40_000

// promptFolders are where a repository keeps its own prompts.
var promptFolders = [...]string{
	"Workflow", "workflow", "project-meta/workflow", "project-meta/Workflow",
}

// missingPrompt is a prompt file that the configuration names and the base commit does not hold.
type missingPrompt struct{ role, path string }

func (e *missingPrompt) Error() string {
	return fmt.Sprintf("%s not found at %s in the base commit", e.role, e.path)
}

// OwnGuide is added where the role or the criteria are the repository's own.
const OwnGuide = "The role and the criteria above may be written for somebody who runs commands, " +
	"moves files and saves a report. You do none of that, and the form of your answer is the one " +
	"below. Where they have severities of other names: what must be resolved before a merge is " +
	"High, what should be is Medium, all else is Low."

// formName is where a repository says what its reviews hold.
const formName = "schema-review.md"

const formHeading = "# What a review of this project holds\n\n" +
	"This is the project's own description of its reviews. Say in the fields of your answer what " +
	"it asks for. The form of the answer is the one below, whatever form stands here.\n\n"

// Instructions is the fixed part of the prompt for a type: role, criteria and answer format,
// identical bytes for every review of the type. The repository's own role and criteria win, read
// from the base commit so that a pull request cannot rewrite its own examiner. wanted is what the
// criteria have graded.
func Instructions(
	base change.Tree,
	t workflow.Type,
	files Files,
) (text string, wanted Rubric, warnings []string, err error) {
	l, err := openLibrary(base)
	role, err1 := l.guide("Role prompt", files.Role, roleNames(t))
	criteria, err2 := l.guide("Criteria", files.Schema, schemaNames(t))
	note := ""
	if role+criteria != "" {
		note = OwnGuide
	}
	role = cmp.Or(role, BuiltIn("role-"+strings.TrimSuffix(string(t), "s")+"-reviewer"))
	code := map[workflow.Type]string{
		workflow.Tests: "test-code", workflow.Implementation: "implementation-code",
	}
	criteria = cmp.Or(criteria, BuiltIn("schema-"+cmp.Or(code[t], string(t))))
	form, err3 := l.guide("Form of reviews", "", []string{formName})
	if form != "" {
		form = formHeading + foreign.Fenced(form)
	}
	wanted, more := rubricOf(criteria)
	if more > 0 {
		l.warnings = append(l.warnings, fmt.Sprintf(
			"The criteria of %s are more than %d: the last %d are not graded", Noun(t), MaxCriteria, more))
	}
	var parts []string
	format := BuiltIn("answer-format")
	for _, p := range []string{role, criteria, note, wanted.text(), form, format} {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	text = strings.Join(parts, "\n\n") + "\n"
	return text, wanted, l.warnings, errors.Join(err, err1, err2, err3)
}

// BuiltIn is one of the prompts of this program.
func BuiltIn(name string) string {
	text, err := builtIns.ReadFile("prompts/" + name + ".md")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// library is the repository's own prompts, in a base commit.
type library struct {
	base     change.Tree
	files    []change.Entry
	byName   map[string]string // path, by the name in lower case with "-" for "_"
	warnings []string
}

func openLibrary(base change.Tree) (*library, error) {
	l := &library{base: base, byName: map[string]string{}}
	for _, folder := range promptFolders {
		entries, err := base.List(folder)
		if err != nil {
			return l, fmt.Errorf("list %q: %w", folder, err)
		}
		for _, e := range entries {
			name := strings.ReplaceAll(strings.ToLower(path.Base(e.Path)), "_", "-")
			regular := e.Mode == change.ModeRegular || e.Mode == change.ModeExecutable
			if regular && path.Dir(e.Path) == folder {
				l.byName[name] = cmp.Or(l.byName[name], e.Path)
			}
		}
		l.files = append(l.files, entries...)
	}
	return l, nil
}

// find is the path of the prompt that was named, else of the first of the usual names that is
// there; "" for none.
func (l *library) find(named string, names []string) string {
	if named != "" {
		return path.Clean(named)
	}
	for _, n := range names {
		if p := l.byName[n]; p != "" {
			return p
		}
	}
	return ""
}

// guide reads one prompt of the repository; "" if there is none. It comes without front matter, and
// with a fence closed that it leaves open.
func (l *library) guide(role, named string, names []string) (string, error) {
	file := l.find(named, names)
	if file == "" {
		return "", nil
	}
	data, err := l.base.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &missingPrompt{role, file}
	}
	if err != nil {
		return "", fmt.Errorf("read %s %q: %w", strings.ToLower(role), file, err)
	}
	text := markdown.Clean(string(data))
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
			text = after
		}
	}
	text = strings.TrimSpace(text) + "\n"
	if fence := foreign.OpenFence(text); fence != "" {
		text += fence + "\n"
	}
	text, whole := foreign.Cut(text, maxPromptFile)
	if !whole {
		l.warnings = append(l.warnings, fmt.Sprintf(
			"%s is longer than %d characters; the rest was not used",
			foreign.Label(file),
			maxPromptFile,
		))
	}
	return text, nil
}

// promptName is how files of prompts are called; requests have a template instead.
var promptName = lazyregexp.New(
	`(?i)^(?:role[-_].*[-_]reviewer|schema[-_](?:(review[-_]request)|.+))\.md$`)

// UnusedPrompts tells of files that are named like prompts and that no review uses.
func UnusedPrompts(base change.Tree, named map[workflow.Type]Files) ([]workflow.Finding, error) {
	l, err := openLibrary(base)
	used := map[string]bool{l.byName[formName]: true}
	for _, t := range workflow.Types() {
		used[l.find(named[t].Role, roleNames(t))] = true
		used[l.find(named[t].Schema, schemaNames(t))] = true
		used[path.Clean(named[t].Template)] = true
	}
	var out []workflow.Finding
	for _, e := range l.files {
		name := promptName.FindStringSubmatch(path.Base(e.Path))
		if used[e.Path] || name == nil {
			continue
		}
		text := "not used: no type of review has a prompt of this name, or another file has it"
		if name[1] != "" {
			text = `not used: requests have a form of their own, which "prompts" can change by a ` +
				`"template"`
		}
		out = append(out, workflow.Finding{File: e.Path, Text: text})
	}
	return out, err
}

// roleNames are the file names of a role prompt, the most fitting first.
func roleNames(t workflow.Type) (names []string) {
	for _, n := range typeNames(t) {
		names = append(names, "role-"+n+"-reviewer.md")
	}
	if t == workflow.BugFix {
		names = append(names, "role-implementation-reviewer.md")
	}
	return names
}

// schemaNames are the file names of a set of criteria, the most fitting first.
func schemaNames(t workflow.Type) (names []string) {
	for _, n := range typeNames(t) {
		names = append(names, "schema-"+n+"-code.md", "schema-"+n+".md")
	}
	return names
}

// typeNames are the spellings of a type in file names.
func typeNames(t workflow.Type) []string {
	names := []string{string(t), t.Plural()}
	switch t {
	case workflow.Tests:
		names = []string{"test", "tests"}
	case workflow.BugFix:
		names = append(names, "bugfix", "bug")
	}
	return slices.Compact(names)
}

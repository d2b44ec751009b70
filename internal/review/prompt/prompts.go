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

// BuiltIn holds the prompts that are used where a repository brings none.
//
//go:embed prompts/*.md
var BuiltIn embed.FS

// Files names a repository's own prompt files for one type, as paths in
// the base commit; "" looks for them under their usual names.
type Files struct {
	Role     string
	Schema   string
	Template string // "" for the built-in form
}

// maxPromptFile caps a repository's own role or criteria, in characters.
const maxPromptFile = 40_000

// promptFolders are where a repository keeps its own prompts.
var promptFolders = [...]string{"Workflow", "workflow", "project-meta/workflow", "project-meta/Workflow"}

// missingPrompt is a prompt file that the configuration names and the base commit does not hold.
type missingPrompt struct{ role, path string }

func (e *missingPrompt) Error() string {
	return fmt.Sprintf("%s not found at %s in the base commit", e.role, e.path)
}

// Instructions is the fixed part of the prompt for a type: role, criteria and answer format,
// identical bytes for every review of the type. The repository's own role and criteria win, read
// from the base commit so that a pull request cannot rewrite its own examiner. wanted is what the
// criteria have graded.
func Instructions(
	base change.Tree,
	t workflow.Type,
	files Files,
) (text string, wanted Rubric, warnings []string, err error) {
	role, own1, w1, err := guide(
		base,
		"Role prompt",
		files.Role,
		roleNames(t),
		"role-"+strings.TrimSuffix(string(t), "s")+"-reviewer.md",
	)
	if err != nil {
		return "", nil, nil, err
	}
	code := map[workflow.Type]string{workflow.Tests: "test-code", workflow.Implementation: "implementation-code"}
	schema, own2, w2, err := guide(
		base,
		"Criteria",
		files.Schema,
		schemaNames(t),
		"schema-"+cmp.Or(code[t], string(t))+".md",
	)
	if err != nil {
		return "", nil, nil, err
	}
	form, w3, err := reviewForm(base)
	if err != nil {
		return "", nil, nil, err
	}
	format, err := BuiltIn.ReadFile("prompts/answer-format.md")
	if err != nil {
		return "", nil, nil, err
	}
	wanted = rubricOf(schema)
	var parts []string
	note := ""
	if own1 || own2 {
		note = OwnGuide
	}
	for _, p := range []string{role, schema, note, wanted.text(), form, string(format)} {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "\n\n") + "\n", wanted, slices.Concat(w1, w2, w3), nil
}

// guide reads one prompt: the named file, else the first of the usual names that the base commit
// holds, else the built-in one; own reports whether it is the repository's.
func guide(
	base change.Tree,
	role, named string,
	names []string,
	fallback string,
) (text string, own bool, warnings []string, err error) {
	file := named
	if file == "" {
		found, err := findPrompt(base, names)
		if err != nil {
			return "", false, nil, err
		}
		if file = found; file == "" {
			text, err := BuiltIn.ReadFile("prompts/" + fallback)
			return string(text), false, nil, err
		}
	}
	data, err := base.ReadFile(path.Clean(file))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil, &missingPrompt{role, file}
	}
	if err != nil {
		return "", false, nil, fmt.Errorf("read %s %q: %w", strings.ToLower(role), file, err)
	}
	text = markdown.Clean(string(data))
	text, whole := foreign.CutAt(fitGuide(text), maxPromptFile)
	if !whole {
		warnings = []string{tooLong(file)}
	}
	return text, true, warnings, nil
}

// formName is where a repository says what its reviews hold.
const formName = "schema-review.md"

const formHeading = "# What a review of this project holds\n\n" +
	"This is the project's own description of its reviews. Say in the fields of your answer what it " +
	"asks for. The form of the answer is the one below, whatever form stands here.\n\n"

// tooLong says of a prompt file that it was cut.
func tooLong(file string) string {
	return fmt.Sprintf("%s is longer than %d characters; the rest was not used", foreign.Label(file), maxPromptFile)
}

// reviewForm is what the repository's reviews hold, as it says itself; "" if it does not. The form
// of the answer stays ours: the schema enforces it.
func reviewForm(base change.Tree) (text string, warnings []string, err error) {
	file, err := findPrompt(base, []string{formName})
	if file == "" || err != nil {
		return "", nil, err
	}
	data, err := base.ReadFile(file)
	if err != nil {
		return "", nil, fmt.Errorf("read the form of reviews: %w", err)
	}
	text = markdown.Clean(string(data))
	text, whole := foreign.CutAt(withoutFrontMatter(text), maxPromptFile)
	if !whole {
		warnings = []string{tooLong(file)}
	}
	return formHeading + foreign.Fenced(text), warnings, nil
}

// UnusedPrompts tells of files that are named like prompts and that no review uses.
func UnusedPrompts(base change.Tree, named map[workflow.Type]Files) ([]workflow.Notice, error) {
	used := map[string]bool{}
	use := func(given string, names []string) error {
		if given == "" {
			found, err := findPrompt(base, names)
			used[found] = true
			return err
		}
		used[path.Clean(given)] = true
		return nil
	}
	err := use("", []string{formName})
	for _, t := range workflow.Types() {
		err = errors.Join(err, use(named[t].Role, roleNames(t)), use(named[t].Schema, schemaNames(t)))
		used[path.Clean(named[t].Template)] = true
	}
	var out []workflow.Notice
	for _, folder := range promptFolders {
		entries, listErr := base.List(folder)
		err = errors.Join(err, listErr)
		for _, e := range entries {
			if used[e.Path] || !promptName.MatchString(path.Base(e.Path)) {
				continue
			}
			text := "not used: no type of review has a prompt of this name, or another file has it"
			if requestName.MatchString(path.Base(e.Path)) {
				text = `not used: requests have a form of their own, which "prompts" can change by a "template"`
			}
			out = append(out, workflow.Notice{Path: e.Path, Text: text})
		}
	}
	return out, err
}

var (
	promptName  = lazyregexp.New(`(?i)^(?:role[-_].*[-_]reviewer|schema[-_].+)\.md$`)
	requestName = lazyregexp.New(`(?i)^schema[-_]review[-_]request\.md$`)
)

// findPrompt looks for a file by its names, in any letter case and with "_" for
// "-", in the folders where prompts are kept.
func findPrompt(base change.Tree, names []string) (string, error) {
	byName := map[string]string{}
	for _, folder := range promptFolders {
		entries, err := base.List(folder)
		if err != nil {
			return "", fmt.Errorf("list %q: %w", folder, err)
		}
		for _, e := range entries {
			name := strings.ReplaceAll(strings.ToLower(path.Base(e.Path)), "_", "-")
			regular := e.Mode == change.ModeRegular || e.Mode == change.ModeExecutable
			if _, taken := byName[name]; !taken && regular && path.Dir(e.Path) == folder {
				byName[name] = e.Path
			}
		}
	}
	i := slices.IndexFunc(names, func(n string) bool { return byName[n] != "" })
	if i < 0 {
		return "", nil
	}
	return byName[names[i]], nil
}

// roleNames are the file names of a role prompt, the most fitting first.
func roleNames(t workflow.Type) []string {
	var names []string
	for _, n := range typeNames(t) {
		names = append(names, "role-"+n+"-reviewer.md")
	}
	if t == workflow.BugFix {
		names = append(names, "role-implementation-reviewer.md")
	}
	return names
}

// schemaNames are the file names of a set of criteria, the most fitting first.
func schemaNames(t workflow.Type) []string {
	var names []string
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
	return names
}

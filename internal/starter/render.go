package starter

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/layout"
)

// Where the files go.
const (
	WorkflowPath = ".github/workflows/workflow-review.yml"
	ConfigPath   = config.DefaultPath
)

// Options say what is asked for; an empty one is told by the project.
type Options struct {
	Layout     string        // of documents
	Engine     config.Engine // that reviews
	Repository string        // OWNER/NAME that the action is published in
}

// workflowText has lines that begin with a condition and "|", and [[names]] to be filled in.
// Package text/template would keep the linker from leaving out methods, which makes the program
// larger by an eighth.
//
//go:embed workflow.txt
var workflowText string

// Workflow is the workflow for a project. Names of folders in it mean the same to a shell: others
// are not looked at.
func (p Project) Workflow(o Options) string {
	holds := map[string]bool{
		"test": len(
			p.Suites,
		) > 0, "codex": o.Engine == config.Codex, "rules": o.Engine == config.Rules,
	}
	fill := strings.NewReplacer(
		"[[setup]]\n",
		p.setup(),
		"[[proof]]",
		p.proof(),
		"[[repository]]",
		o.Repository,
	)
	var b strings.Builder
	for line := range strings.Lines(workflowText) {
		condition, rest, ok := strings.Cut(line, "|")
		kept, known := holds[condition]
		switch {
		case !ok || !known:
			b.WriteString(fill.Replace(line))
		case kept:
			b.WriteString(fill.Replace(rest))
		}
	}
	return b.String()
}

// setup is the steps that the tests need before them. An action that several need is used once,
// with the inputs of the first.
func (p Project) setup() string {
	var steps []string
	for i, s := range p.Suites {
		if isSetUp := func(k Suite) bool { return k.Use == s.Use }; s.Use != "" &&
			!slices.ContainsFunc(p.Suites[:i], isSetUp) {
			steps = append(steps, "      - uses: "+s.Use, "        with:")
			for _, name := range slices.Sorted(maps.Keys(s.With)) {
				steps = append(steps, fmt.Sprintf("          %s: %q", name, s.With[name]))
			}
		}
	}
	for _, s := range p.Suites {
		if s.Install != "" {
			steps = append(steps, "      - run: "+s.Install)
			if s.Folder != "" {
				steps = append(steps, "        working-directory: "+s.Folder)
			}
		}
	}
	if len(steps) == 0 {
		return ""
	}
	return strings.Join(steps, "\n") + "\n"
}

// TestCommand is one command that runs all tests, "" if none could be told.
func (p Project) TestCommand() string {
	return p.inFolders(func(s Suite) string { return s.Command })
}

// proof is the arguments of prove: where the tests of every folder write results, these tell which
// tests fail. Results of some folders alone would count as too few.
func (p Project) proof() string {
	if slices.ContainsFunc(p.Suites, func(s Suite) bool { return s.Reports == "" }) {
		return "-- " + p.TestCommand()
	}
	var globs string
	for _, s := range p.Suites {
		globs += fmt.Sprintf("--results '%s' ", path.Join(s.Folder, s.Reports))
	}
	return globs + "-- " + p.inFolders(func(s Suite) string { return s.Reporting })
}

// needsShell matches a command with a redirection or a variable before it.
var needsShell = regexp.MustCompile(`>|^[A-Z_]+=`)

// inFolders is one command that runs those of all folders, and fails if one of them does. What
// several folders have in common is said once.
func (p Project) inFolders(command func(Suite) string) string {
	if len(p.Suites) == 0 {
		return ""
	}
	if only := command(p.Suites[0]); len(p.Suites) == 1 && p.Suites[0].Folder == "" {
		if needsShell.MatchString(only) {
			return "sh -c '" + only + "'"
		}
		return only
	}
	var commands, parts []string
	folders := map[string][]string{}
	for _, s := range p.Suites {
		c := command(s)
		if folders[c] == nil {
			commands = append(commands, c)
		}
		folders[c] = append(folders[c], cmp.Or(s.Folder, "."))
	}
	for _, c := range commands {
		part := fmt.Sprintf("(cd %s && %s) || failed=1", folders[c][0], c)
		if in := folders[c]; len(in) > 1 {
			part = fmt.Sprintf(
				"for d in %s; do (cd $d && %s) || failed=1; done", strings.Join(in, " "), c,
			)
		}
		parts = append(parts, part)
	}
	return "sh -c 'failed=0; " + strings.Join(parts, "; ") + "; exit $failed'"
}

// Config is the config for a project.
func (p Project) Config(o Options) (string, error) {
	layouts := []string{layout.Auto}
	if o.Layout != "" {
		layouts = []string{o.Layout}
	}
	c := struct {
		Schema    string           `json:"$schema"`
		Layouts   []string         `json:"layouts"`
		Roots     []string         `json:"roots,omitempty"`
		Integrity config.Integrity `json:"integrity"`
	}{
		"https://raw.githubusercontent.com/" + o.Repository + "/v1/schema/config.schema.json",
		layouts, p.Roots,
		config.Integrity{Baseline: "base"},
	}
	data, err := json.MarshalIndent(c, "", "  ")
	return string(data) + "\n", err
}

package starter

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"

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

//go:embed workflow.yml.tmpl
var workflowText string

// page is what the workflow's template is filled with.
type page struct {
	Options
	Command string
	Setup   []Suite
	Install []Suite
}

// Workflow is the workflow for a project.
func (p Project) Workflow(o Options) (string, error) {
	t, err := template.New(WorkflowPath).Delims("[[", "]]").Parse(workflowText)
	if err != nil {
		return "", err
	}
	fill := page{Options: o, Command: p.TestCommand()}
	for _, s := range p.Suites {
		if known := func(k Suite) bool { return k.Use == s.Use }; s.Use != "" && !slices.ContainsFunc(fill.Setup, known) {
			fill.Setup = append(fill.Setup, s)
		}
		if s.Install != "" {
			fill.Install = append(fill.Install, s)
		}
	}
	var b strings.Builder
	err = t.Execute(&b, fill)
	return b.String(), err
}

// TestCommand is one command that runs all tests, "" if none could be told.
func (p Project) TestCommand() string {
	if len(p.Suites) == 1 && p.Suites[0].Folder == "" {
		return p.Suites[0].Command
	}
	parts := make([]string, 0, len(p.Suites))
	for _, s := range p.Suites {
		if s.Folder != "" {
			s.Command = fmt.Sprintf("(cd %s && %s)", s.Folder, s.Command)
		}
		parts = append(parts, s.Command)
	}
	if len(parts) == 0 {
		return ""
	}
	return "sh -c '" + strings.Join(parts, " && ") + "'"
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
		"https://raw.githubusercontent.com/" + o.Repository + "/v1/schema/config.schema.json", layouts, p.Roots,
		config.Integrity{Baseline: "base"},
	}
	data, err := json.MarshalIndent(c, "", "  ")
	return string(data) + "\n", err
}

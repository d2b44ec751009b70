package runner

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
)

// event is one trigger of a workflow.
type event struct {
	name string
	line int
	node *yaml.Node // its filters, nil if it has none
}

// events are the triggers of a workflow, in any of their spellings.
func events(root *yaml.Node) (out []event, line int) {
	k, on := pair(root, "on")
	if k == nil {
		k, on = pair(root, "true") // YAML 1.1 reads a bare on as a truth value
	}
	if k == nil {
		return nil, 0
	}
	switch on.Kind {
	case yaml.ScalarNode:
		out = append(out, event{on.Value, on.Line, nil})
	case yaml.SequenceNode:
		for _, e := range on.Content {
			out = append(out, event{e.Value, e.Line, nil})
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(on.Content); i += 2 {
			out = append(out, event{on.Content[i].Value, on.Content[i].Line, on.Content[i+1]})
		}
	}
	return out, k.Line
}

// triggers compares when a workflow runs.
func (c *comparison) triggers(was, is *yaml.Node) {
	before, _ := events(was)
	after, line := events(is)
	find := func(list []event, name string) *event {
		if i := slices.IndexFunc(list, func(e event) bool { return e.name == name }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	pulls := find(after, "pull_request") != nil || find(after, "pull_request_target") != nil
	for _, b := range before {
		kind := violation.CINeutered
		switch b.name {
		case "pull_request", "pull_request_target", "merge_group", "workflow_call":
		case "push":
			if pulls {
				kind = violation.ConfigChanged
			}
		default:
			continue
		}
		a := find(after, b.name)
		if a == nil {
			at := c.counterpart(b.line)
			if at == 0 && len(after) > 0 && line > 0 && c.differs(b.line, line) && strings.HasPrefix(strings.TrimSpace(c.place(c.before, b.line).Text), "on") {
				at = line
			}
			c.report(finding{kind, b.line, at, fmt.Sprintf("Tests no longer run in CI: the trigger %s is gone", b.name)})
			continue
		}
		c.filters(kind, b, *a)
	}
}

// filters compares for which branches and paths an event counts.
func (c *comparison) filters(kind violation.Kind, b, a event) {
	var was, is builder
	flattenYAML(b.node, []string{b.name}, b.line, &was, 0)
	flattenYAML(a.node, []string{a.name}, a.line, &is, 0)
	prose := []string{"**.md", "**/*.md", "*.md", "docs/**", "**/docs/**", "LICENSE", "**.rst", "**.txt", ".gitignore", ".editorconfig", "CHANGELOG*", ".vscode/**", "dependabot/**", "renovate/**", "gh-pages"}
	c.options([]rule{
		{key: a.name + "/{branches,paths,tags}", effect: include, kind: kind},
		{key: a.name + "/types", effect: include, kind: kind, defaults: []string{"opened", "synchronize", "reopened"}},
		{key: a.name + "/{branches-ignore,paths-ignore,tags-ignore}", effect: exclude, kind: kind, defaults: prose},
		{key: a.name + "/**", effect: harmless},
	}, was.out, is.out)
}

package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
)

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
		default: // by hand, on a schedule, when something is released
			continue
		}
		a := find(after, b.name)
		if a == nil {
			at := c.counterpart(b.line)
			if at == 0 && len(after) > 0 && strings.HasPrefix(strings.TrimSpace(c.place(c.before, b.line).Text), "on") {
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
	n := len(c.result.Violations)
	c.options(append(rulesFrom("", "free "+a.name), rulesFrom(a.name+"/", `
		more branches paths tags
		more types = opened synchronize reopened
		fewer branches-ignore paths-ignore tags-ignore = **.md **/*.md *.md docs/** **/docs/** LICENSE **.rst **.txt .gitignore .editorconfig CHANGELOG* .vscode/** dependabot/** renovate/** gh-pages
		free inputs/** secrets/** outputs/**`)...), was.out, is.out)
	for i := n; i < len(c.result.Violations); i++ {
		v := &c.result.Violations[i]
		v.Kind, v.Type = string(kind), kind.Type()
		v.Description = "Tests run in CI less often: " + strings.TrimPrefix(v.Description, "Test collection changed: ")
	}
}

// matrix compares the variants of a job: as many of each kind, and of those
// that have no version, the same.
func matrix(was, is *yaml.Node) []finding {
	b, a := child(child(was, "strategy"), "matrix"), child(child(is, "strategy"), "matrix")
	if b == nil || b.Kind != yaml.MappingNode {
		if b != nil && !equalNodes(a, b) {
			return []finding{{violation.CINeutered, b.Line, lineOfKey(child(is, "strategy"), "matrix"), "Tests run in other variants: the job's matrix changed"}}
		}
		return nil
	}
	fewer := func(was, is int, format string, args ...any) []finding {
		return []finding{{violation.CINeutered, was, is, "Tests run in fewer variants: " + fmt.Sprintf(format, args...)}}
	}
	if a == nil || a.Kind != yaml.MappingNode {
		if len(b.Content) < 2 || size(b.Content[1]) < 2 && b.Content[1].Kind == yaml.SequenceNode {
			return nil
		}
		return fewer(lineOfKey(child(was, "strategy"), "matrix"), 0, "the job's matrix is gone")
	}
	for i := 0; i+1 < len(b.Content); i += 2 {
		name, old := b.Content[i].Value, b.Content[i+1]
		k, v := pair(a, name)
		switch {
		case name == "exclude":
		case k == nil && size(old) > 0:
			return fewer(b.Content[i].Line, 0, "%s is gone from the matrix", name)
		case k == nil, equalNodes(old, v):
		case v.Kind != yaml.SequenceNode || old.Kind != yaml.SequenceNode:
			return fewer(b.Content[i].Line, k.Line, "%s is now %s", name, cut(flat(v)))
		case size(v) < size(old):
			return fewer(b.Content[i].Line, k.Line, "%s has %d entries, it had %d", name, size(v), size(old))
		default:
			for _, e := range old.Content {
				if !slices.ContainsFunc(v.Content, func(x *yaml.Node) bool { return equalNodes(x, e) || sameButVersion(flat(x), flat(e)) }) {
					return fewer(b.Content[i].Line, k.Line, "%s has no %s", name, cut(flat(e)))
				}
			}
		}
	}
	if k, v := pair(a, "exclude"); k != nil && size(v) > size(child(b, "exclude")) {
		return fewer(0, k.Line, "the matrix leaves more out")
	}
	return nil
}

// sameButVersion reports whether two entries differ in their version alone:
// 3.11 and 3.14, ubuntu-22.04 and ubuntu-latest.
func sameButVersion(a, b string) bool {
	return digits.ReplaceAllString(a, "") == digits.ReplaceAllString(b, "")
}

func size(n *yaml.Node) int {
	if n == nil || n.Kind != yaml.SequenceNode {
		return 0
	}
	return len(n.Content)
}

var digits = regexp.MustCompile(`latest|[0-9.]+(?:-?(?:rc|alpha|beta|dev)[0-9.]*)?`)

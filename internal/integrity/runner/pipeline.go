package runner

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
)

// gateKeys are the keys by which CI systems and task runners say under which
// condition something runs, and whether its failure counts.
var gateKeys = []string{
	"allow_failure", "allow_failures", "when", "only", "except", "rules", "if", "condition", "conditions", "continueonerror", "continue_on_error", "soft_fail",
	"failfast", "enabled", "ignore_error", "ignore_errors", "branches", "filters", "trigger", "triggers", "pr", "ignore", "status", "skip", "on_failure",
	"errexit", "failonstderr", "parallel", "matrix", "platforms", "preconditions", "extends", "shell", "working_directory", "workingdirectory", "dir", "steps_if",
}

// gated is a call of a test runner with the gates around it.
type gated struct {
	run
	gates []gate
}

type gate struct {
	key, text string
	line      int
}

// pipeline compares pipelines of other CI systems than GitHub's, and task
// files, by what all of them have in common: commands in scalars, and keys
// around them that gate.
func (c *comparison) pipeline(before, after []byte) error {
	kind := violation.CINeutered
	if formatOf(c.path) == taskfile {
		kind = violation.TestScriptNeutered
	}
	is, tampers, err := gatedCalls(after)
	if err != nil {
		return err
	}
	was, old, err := gatedCalls(before)
	if err != nil {
		return err
	}
	if len(was) == 0 {
		c.harmless("nothing in the approved version runs tests")
		return nil
	}
	n := len(c.result.Violations)
	for _, b := range was {
		if b.lost == "" && !b.idle {
			c.gated(kind, b, is)
		}
	}
	for _, t := range tampers {
		if !slices.ContainsFunc(old, func(o tamper) bool { return o.text == t.text }) {
			c.report(finding{kind, 0, t.line, "Test run tampered with: " + t.why})
		}
	}
	if len(c.result.Violations) == n {
		c.harmless("everything that ran tests still does")
	}
	return nil
}

func (c *comparison) gated(kind violation.Kind, b gated, after []gated) {
	var m match
	for _, a := range after {
		if a.tool.family() != b.tool.family() {
			continue
		}
		now, cost := between(kind, b.run, a.run)
		for _, g := range a.gates {
			if !slices.ContainsFunc(b.gates, func(o gate) bool { return o.key == g.key && o.text == g.text }) && truthy(g.text) {
				cost++
				now = append(now, finding{kind, 0, g.line, fmt.Sprintf("Tests run only under a condition, or their failure is ignored: %s is now %s", g.key, cut(g.text))})
			}
		}
		m.offer(now, cost)
	}
	if !m.found {
		m.findings = []finding{{kind, b.line, c.counterpart(b.line), fmt.Sprintf("Tests no longer run: the call of %s is gone", b.tool.name)}}
	}
	for _, f := range m.findings {
		c.report(f)
	}
}

func gatedCalls(src []byte) ([]gated, []tamper, error) {
	root, err := parseYAML(src)
	if err != nil {
		return nil, nil, err
	}
	var p pipelineReader
	p.visit(root, nil, "", 0)
	return p.calls, p.tampers, nil
}

type pipelineReader struct {
	calls   []gated
	tampers []tamper
}

// visit goes through all scalars with the gates of the mappings around them.
func (p *pipelineReader) visit(n *yaml.Node, gates []gate, key string, depth int) {
	if n == nil || depth > maxDepth {
		return
	}
	switch n.Kind {
	case yaml.SequenceNode:
		for _, e := range n.Content {
			p.visit(e, gates, key, depth+1)
		}
	case yaml.MappingNode:
		inner := slices.Clone(gates)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if k := n.Content[i]; isGate(k.Value) {
				inner = append(inner, gate{strings.ToLower(k.Value), flat(n.Content[i+1]), k.Line})
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if k := n.Content[i]; !isGate(k.Value) {
				p.visit(n.Content[i+1], inner, k.Value, depth+1)
			}
		}
	case yaml.ScalarNode:
		p.scalar(n, gates, key)
	}
}

func isGate(key string) bool { return slices.Contains(gateKeys, strings.ToLower(key)) }

func (p *pipelineReader) scalar(n *yaml.Node, gates []gate, key string) {
	switch strings.ToLower(key) {
	case "name", "stage", "image", "displayname", "description", "desc", "label", "needs", "dependson", "deps":
		return
	}
	if !strings.ContainsAny(n.Value, " /\n") && toolNamed(programName(n.Value)) == nil {
		return
	}
	s := shell{errexit: true}.readAny(n.Value, firstLine(n))
	for _, r := range s.runs {
		p.calls = append(p.calls, gated{run: r, gates: gates})
	}
	p.tampers = append(p.tampers, s.tampers...)
}

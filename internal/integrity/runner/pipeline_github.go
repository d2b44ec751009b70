package runner

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/lazyregexp"
)

func (p *pipeline) triggers(on *yaml.Node) {
	add := func(name string, line int, filters *yaml.Node) {
		gate := name != "push" || child(filters, "tags") == nil || child(filters, "branches") != nil
		if slices.Contains([]string{"pull_request", "pull_request_target", "merge_group", "workflow_call", "workflow_run", "push"}, name) &&
			gate {
			p.events = append(p.events, name)
		}
		p.units[0].others.add([]string{"on", name}, line, value{text: name, line: line})
		if filters != nil && filters.Kind == yaml.MappingNode {
			flattenYAML(filters, []string{"on", name}, line, &p.units[0].others, 0)
		}
	}
	if on.Kind == yaml.ScalarNode {
		add(on.Value, on.Line, nil)
	}
	for _, e := range on.Content {
		if on.Kind == yaml.SequenceNode {
			add(e.Value, e.Line, nil)
		}
	}
	for name, filters := range pairs(on) {
		add(name.Value, name.Line, filters)
	}
}

func (p *pipeline) job(root, name, n *yaml.Node) {
	u := &unit{name: name.Value, line: name.Line, files: p.files, calls: p.isTests(scalar(child(n, "uses")))}
	p.units = append(p.units, u)
	var steps []*yaml.Node
	for k, v := range pairs(n) {
		switch k.Value {
		case "steps":
			steps = v.Content
		case "needs":
			u.needs = list(v)
			u.others.add([]string{"needs at"}, k.Line)
		case "uses":
			action, _, _ := strings.Cut(v.Value, "@")
			u.others.add([]string{"uses"}, k.Line, value{text: action, line: v.Line})
		default:
			u.set([]string{k.Value}, k.Line, v)
		}
	}
	systems := strings.ToLower(strings.Join(u.others.out.all("{runs-on,strategy}{,/**}"), " "))
	windows := strings.Contains(systems, "windows") && !otherSystems.MatchString(systems) // else a job of another system gates
	last, read := len(steps), make([]script, len(steps))
	for i, s := range steps {
		dir := setting(root, n, s, "working-directory")
		if text := child(s, "run"); text != nil {
			sh := shellNamed(setting(root, n, s, "shell"), windows)
			sh.files, sh.base = p.files, dir
			read[i] = readAny(scalar(text), textLine(text), sh)
			for c := range read[i] {
				read[i][c].dir = strings.TrimSuffix(joinDir(dir, read[i][c].dir), ".")
			}
		}
		if read[i].tests() || p.isTests(scalar(child(s, "uses"))) {
			last = i + 1
		}
	}
	runs := func(s *yaml.Node) bool { return p.isTests(scalar(child(s, "uses"))) }
	if !slices.ContainsFunc(read, script.tests) && !slices.ContainsFunc(steps, runs) {
		for i := range read {
			if read[i].unknown(); read[i].tests() {
				last = i + 1
			}
		}
	}
	seen := map[string]int{}
	for i, s := range steps[:last] {
		u.step(p, s, read[i], seen)
	}
}

// fetching is an input that says where packages come from.
var fetching = lazyregexp.New(`(?i)^(?:registry-url|.*index-url|.*(?:mirror|source|download-url).*)$`)

func (u *unit) step(p *pipeline, s *yaml.Node, commands script, seen map[string]int) {
	action, _, _ := strings.Cut(scalar(child(s, "uses")), "@")
	label := "steps[" + strings.ToLower(action) + "]"
	switch {
	case isInertAction(action):
		for k, v := range pairs(child(s, "with")) {
			if fetching.MatchString(k.Value) {
				u.others.add([]string{label, "with", k.Value}, k.Line, value{text: v.Value, line: v.Line})
			}
		}
		return
	case strings.HasPrefix(action, "actions/cache") && knownValues["cached"].MatchString(scalar(child(child(s, "with"), "path"))):
		return
	case action != "":
		u.calls = u.calls || p.isTests(action)
	case commands.tests():
		u.commands = append(u.commands, commands...)
		label = "steps[" + commands.runner() + "]"
	default:
		u.commands = append(u.commands, commands...)
		if len(commands.steering(commands)) == 0 {
			return
		}
		label = "steps[an installation]"
		if rest := commands.steering(nil); len(rest) > 0 {
			label = "steps[" + rest[0].text + "]"
		}
	}
	if seen[label]++; seen[label] > 1 {
		label += fmt.Sprint(seen[label])
	}
	for k, v := range pairs(s) {
		switch k.Value {
		case "run":
		case "uses":
			u.others.add([]string{label, "uses"}, k.Line, value{text: action, line: k.Line})
		default:
			flattenYAML(v, []string{label, k.Value}, k.Line, &u.others, 0)
		}
	}
}

// isTests reports whether an action or a workflow runs tests, by its name or,
// of one of the tree, by what it does. What runs the tests' guard counts as such.
func (p *pipeline) isTests(uses string) bool {
	local := strings.TrimPrefix(uses, "./")
	name, _, _ := strings.Cut(strings.ToLower(uses), "@")
	return !isInertAction(name) && knownValues["testactions"].MatchString(name) || local != uses &&
		slices.ContainsFunc([]string{"", "/action.yml", "/action.yaml"}, func(end string) bool {
			return p.files.runsTests(local + end)
		})
}

func setting(root, job, step *yaml.Node, key string) string {
	for _, n := range []*yaml.Node{step, child(child(job, "defaults"), "run"), child(child(root, "defaults"), "run")} {
		if v := child(n, key); v != nil {
			return scalar(v)
		}
	}
	return ""
}

var otherSystems = lazyregexp.New(`ubuntu|macos|linux`)

// shellNamed is the shell of a step. Without a name it is "bash -e", but on
// Windows, where PowerShell goes on after a program that failed.
func shellNamed(name string, windows bool) shell {
	s := shell{errexit: name == "" && !windows || name == "bash" || name == "sh", pipefail: name == "bash" ||
		strings.Contains(name, "pipefail")}
	for _, f := range strings.Fields(name)[min(1, len(strings.Fields(name))):] {
		s.errexit = s.errexit || strings.HasPrefix(f, "-") && !strings.HasPrefix(f, "--") && strings.Contains(f, "e")
	}
	return s
}

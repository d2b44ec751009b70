package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/lazyregexp"
)

type unit struct {
	name     string
	line     int
	commands script
	calls    bool // it calls an action or a workflow that runs tests
	needs    []string
	others   builder
	files    *Tree
	shared   bool // it is part of every job
}

// pipeline is a workflow, a pipeline of another CI system, or a file of tasks.
type pipeline struct {
	units   []*unit // the first is what the others share
	events  []string
	github  bool
	files   *Tree
	unknown bool // what is in none of its commands may run tests
}

var (
	commandKeys = expression("commandKeys")
	jobKeys     = []string{"jobs", "tasks", "steps", "stages", "pipelines", "phases", "commands", "executors", "blocks"}
)

func parsePipeline(src []byte, f format, files *Tree) (pipeline, error) {
	root, err := parseYAML(src)
	if err != nil {
		return pipeline{}, err
	}
	p := pipeline{units: []*unit{{line: 1, files: files}}, github: f == "github", files: files, unknown: f == "ci"}
	for k, v := range pairs(root) {
		switch {
		case p.github && (k.Value == "on" || k.Value == "true"):
			p.triggers(v)
		case p.github && k.Value == "jobs":
			for name, n := range pairs(v) {
				p.job(root, name, n)
			}
		case p.github && k.Value == "runs" && child(v, "steps") != nil: // a composite action
			p.job(root, &yaml.Node{Line: v.Line}, v)
		case !p.github && slices.Contains(jobKeys, k.Value) && v.Kind == yaml.MappingNode &&
			(k.Value != "jobs" || cmp.Or(child(v, "include"), child(v, "allow_failures"), child(v, "exclude")) == nil): // not of Travis
			for name, n := range pairs(v) {
				p.add(name.Value, name.Line, n)
				p.units[len(p.units)-1].shared = k.Value == "steps"
			}
		case !p.github && k.Value == "workflows":
			p.workflows(v)
		case !p.github && k.Value != "steps" && slices.Contains(jobKeys, k.Value) && v.Kind == yaml.SequenceNode &&
			len(v.Content) > 0 && v.Content[0].Kind == yaml.MappingNode:
			for i, n := range v.Content {
				p.add(stepName(n, fmt.Sprintf("%s %d", k.Value, i+1)), n.Line, n)
			}
		case !p.github && (commandKeys.MatchString(k.Value) || slices.Contains([]string{"steps", "default", "jobs", "matrix"}, k.Value)):
			p.add(k.Value, k.Line, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{k, v}})
			p.units[len(p.units)-1].shared = true
		case !p.github && v.Kind == yaml.MappingNode && (strings.HasPrefix(k.Value, ".") || hasCommands(v)):
			p.add(k.Value, k.Line, v)
		default:
			flattenYAML(v, []string{k.Value}, k.Line, &p.units[0].others, 0)
		}
	}
	for _, u := range p.units { // a job that is always run may be needed
		for _, need := range u.needs {
			if n := p.unit(need); n == nil || len(n.needs) > 0 || n.others.out.find("if") != nil {
				u.others.add([]string{"needs"}, u.others.out.find("needs at").line,
					value{text: need, line: u.others.out.find("needs at").line})
			}
		}
	}
	return p, nil
}

func hasCommands(n *yaml.Node) bool {
	for k := range pairs(n) {
		if commandKeys.MatchString(k.Value) || k.Value == "extends" || k.Value == "trigger" {
			return true
		}
	}
	return false
}

// stepName is a step's own name, or what else is given.
func stepName(n *yaml.Node, or string) string {
	for _, key := range []string{"job", "stage", "name", "label", "displayName", "task"} {
		if v := scalar(child(n, key)); v != "" {
			return v
		}
	}
	return or
}

func (p *pipeline) add(name string, line int, n *yaml.Node) {
	u := &unit{name: name, line: line, files: p.files}
	u.visit(n, nil, n.Kind != yaml.MappingNode, 0)
	if !u.tests() {
		u.commands.unknown()
		u.calls = len(u.commands) == 0 && mentionsTests.MatchString(strings.Join(u.others.out.all("**"), " "))
	}
	p.units = append(p.units, u)
}

// visit gathers commands and other settings of a unit.
func (u *unit) visit(n *yaml.Node, key []string, commands bool, depth int) {
	if n == nil || depth > maxDepth {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for k, v := range pairs(n) {
			u.visit(v, append(slices.Clone(key), k.Value), commandKeys.MatchString(k.Value) ||
				commands && v.Kind == yaml.SequenceNode, depth+1)
		}
	case yaml.SequenceNode:
		u.sequence(n.Content, key, commands, depth)
	case yaml.ScalarNode:
		if commands {
			read := readAny(n.Value, textLine(n), shell{errexit: !slices.Contains(key, "bash"), files: u.files}) // of Azure's
			for i := range read {
				if slices.Contains(key, "after_script") {
					read[i].lost, read[i].lostLine = "failures of after_script do not count", read[i].line
				}
			}
			u.commands = append(u.commands, read...)
		} else if len(key) > 0 {
			u.set(key, n.Line, n)
		}
	}
}

// sequence gathers the steps of a list up to the last one that runs tests. A step is told by what it does.
func (u *unit) sequence(steps []*yaml.Node, key []string, commands bool, depth int) {
	last, labels := len(steps), make([]string, len(steps))
	seen := map[string]int{}
	for i, e := range steps {
		if e.Kind != yaml.MappingNode || commands || len(key) == 0 {
			continue
		}
		step := unit{files: u.files}
		step.visit(e, nil, false, depth+1)
		label := stepName(e, fmt.Sprint(i+1))
		rest, installs := step.commands.steering(nil), step.commands.steering(step.commands)
		switch {
		case step.commands.tests():
			last, label = i+1, step.commands.runner()
		case len(rest) > 0:
			label = rest[0].text
		case len(installs) > 0:
			label = "an installation"
		case len(step.commands) > 0:
			label = "-"
		}
		if seen[label]++; seen[label] > 1 && label != "-" {
			label += fmt.Sprint(seen[label])
		}
		labels[i] = label
	}
	for i, e := range steps[:last] {
		switch {
		case labels[i] == "": // no step
			u.visit(e, key, commands, depth+1)
		case labels[i] != "-":
			u.visit(e, append(slices.Clone(key[:len(key)-1]), fmt.Sprintf("%s[%s]", key[len(key)-1], labels[i])), commands, depth+1)
		}
	}
}

// runner is the name of the tests that a script runs first.
func (s script) runner() string {
	return s[slices.IndexFunc(s, func(c command) bool { return c.run != nil })].run.tool.like
}

// workflows notes of a list of jobs the settings of each by its name.
func (p *pipeline) workflows(n *yaml.Node) {
	for name, w := range pairs(n) {
		for k, v := range pairs(w) {
			key := []string{"workflows", name.Value, k.Value}
			if k.Value != "jobs" || v.Kind != yaml.SequenceNode {
				flattenYAML(v, key, k.Line, &p.units[0].others, 0)
				continue
			}
			for _, e := range v.Content {
				if text := scalar(e); text != "" {
					p.units[0].others.add(append(key, text), e.Line, value{text: text, line: e.Line})
				}
				for job, settings := range pairs(e) {
					p.units[0].others.add(append(key, job.Value), job.Line, value{text: job.Value, line: job.Line})
					flattenYAML(settings, append(key, job.Value), job.Line, &p.units[0].others, 0)
				}
			}
		}
	}
}

// ofJob reports whether a setting is one of a job that does not steer.
func (p pipeline) ofJob(key string, steering map[*unit]bool) bool {
	parts := strings.Split(key, "/")
	if len(parts) < 4 || parts[0] != "workflows" || parts[2] != "jobs" {
		return false
	}
	if u := p.unit(parts[3]); u != nil {
		return !steering[u]
	}
	all := strings.Join(p.units[0].others.out.all(strings.Join(parts[:4], "/")+"{,/**}"), " ")
	return otherWork.MatchString(all) && !mentionsTests.MatchString(all)
}

// set notes a setting; of an image, without its version.
func (u *unit) set(key []string, line int, n *yaml.Node) {
	last := key[len(key)-1]
	if last != "image" && last != "container" && last != "runs-on" || n.Kind != yaml.ScalarNode {
		flattenYAML(n, key, line, &u.others, 0)
		return
	}
	text := n.Value
	if last == "runs-on" {
		text = systemVersion.ReplaceAllString(text, "")
	} else {
		slash := strings.LastIndexByte(text, '/') + 1
		name, _, _ := strings.Cut(text[slash:], ":")
		name, _, _ = strings.Cut(name, "@")
		text = text[:slash] + name
	}
	u.others.add(key, line, value{text: text, line: n.Line})
}

// textLine is the line on which a scalar's text begins.
func textLine(n *yaml.Node) int {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Line + 1
	}
	return n.Line
}

func (p pipeline) unit(name string) *unit {
	if i := slices.IndexFunc(p.units, func(u *unit) bool { return u.name == name && u != p.units[0] }); i >= 0 {
		return p.units[i]
	}
	return nil
}

// sumsUp reports whether a job is run whatever became of those that it needs: then its result stands for theirs.
func (u *unit) sumsUp() bool {
	return always.MatchString(strings.Join(u.others.out.find("if").texts(), ""))
}

// systemVersion is the version of a system that a job runs on.
var systemVersion = lazyregexp.New(`-(?:latest|[0-9.]+)$`)

var always = lazyregexp.New(`always\(\)|cancelled\(\)|failure\(\)`)

func (u *unit) tests() bool { return u.calls || u.commands.tests() }

// gates reports whether a pipeline may keep a change out. One of which nothing is known as it only names others does.
func (p pipeline) gates() bool {
	if p.unknown && !slices.ContainsFunc(p.units, (*unit).tests) {
		return len(p.units[0].others.out.all("{include,orbs,import,extends,template,resources}*{,/**}")) > 0 ||
			!slices.ContainsFunc(p.units, func(u *unit) bool { return len(u.commands) > 0 })
	}
	return slices.ContainsFunc(p.units, (*unit).tests) && (!p.github || len(p.events) > 0 || p.units[0].others.out.all("on/*") == nil)
}

// steering are the units that run tests, or that those need. Of a file without
// such, those are of which nothing is known.
func (p pipeline) steering() map[*unit]bool {
	out := map[*unit]bool{}
	for _, u := range p.units {
		out[u] = u.tests()
	}
	for range 4 {
		for _, u := range p.units {
			for _, o := range p.units[1:] {
				names := !p.github && slices.ContainsFunc(u.others.out, func(x option) bool { return slices.Contains(x.texts(), o.name) })
				out[o] = out[o] || out[u] && (names || slices.Contains(u.needs, o.name))
				out[u] = out[u] || o.tests() && !p.github && slices.Contains(u.others.out.all("{,**/}steps*"), o.name)
			}
		}
	}
	for _, u := range p.units { // what tells of tests whether they were run
		out[u] = out[u] || u.sumsUp() && slices.ContainsFunc(u.needs, func(n string) bool { return p.unit(n) != nil && p.unit(n).tests() })
	}
	out[p.units[0]] = true
	for _, u := range p.units {
		out[u] = out[u] || len(u.commands) == 0 && !slices.ContainsFunc(p.units, (*unit).tests)
	}
	return out
}

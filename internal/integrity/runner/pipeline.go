package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
)

// unit is a job or task of a pipeline of another CI system than GitHub's, or
// the settings that all of them share.
type unit struct {
	name     string
	line     int
	node     *yaml.Node
	commands script
	others   options // what are no commands
}

type units []unit

// shared is the name of the unit of what all jobs share.
const shared = ""

var (
	commandKeys = regexp.MustCompile(`(?i)^(?:script|scripts|run|cmd|cmds|command|commands|before_script|after_script|install|before_install|bash|powershell|pwsh|build|test|pre_build|post_build|test_script|build_script)$`)
	jobKeys     = []string{"jobs", "tasks", "steps", "stages", "pipelines", "phases"}
)

// unitsOf takes a pipeline apart: into the jobs, tasks or steps below a key of
// that name, or, as GitLab has them, into the mappings that have commands.
func unitsOf(root *yaml.Node) units {
	out := units{{name: shared, line: 1}}
	add := func(name string, line int, n *yaml.Node) {
		u := unit{name: name, line: line, node: n}
		u.read(n)
		out = append(out, u)
	}
	var rest builder
	for i := 0; root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		switch {
		case slices.Contains(jobKeys, k.Value) && v.Kind == yaml.MappingNode:
			for j := 0; j+1 < len(v.Content); j += 2 {
				add(v.Content[j].Value, v.Content[j].Line, v.Content[j+1])
			}
		case slices.Contains(jobKeys, k.Value) && v.Kind == yaml.SequenceNode && size(v) > 0 && v.Content[0].Kind == yaml.MappingNode:
			for j, e := range v.Content {
				add(stepName(e, fmt.Sprintf("%s %d", k.Value, j+1)), e.Line, e)
			}
		case v.Kind == yaml.MappingNode && (hasCommands(v) || strings.HasPrefix(k.Value, ".")), commandKeys.MatchString(k.Value):
			add(k.Value, k.Line, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{k, v}, Line: k.Line})
		default:
			rest.add([]string{k.Value}, k.Line)
			flattenYAML(v, []string{k.Value}, k.Line, &rest, 0)
		}
	}
	out[0].others = rest.out
	return out
}

// stepName is a step's own name, or what else is given.
func stepName(n *yaml.Node, or string) string {
	for _, key := range []string{"job", "name", "label", "displayName", "task"} {
		if v := scalar(child(n, key)); v != "" {
			return v
		}
	}
	return or
}

func hasCommands(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if commandKeys.MatchString(n.Content[i].Value) || n.Content[i].Value == "extends" || n.Content[i].Value == "trigger" {
			return true
		}
	}
	return false
}

// read gathers commands and other settings.
func (u *unit) read(n *yaml.Node) {
	var b builder
	u.visit(n, nil, &b, false, 0)
	u.others = b.out
}

func (u *unit) visit(n *yaml.Node, key []string, b *builder, commands bool, depth int) {
	if n == nil || depth > maxDepth {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			inner := append(slices.Clone(key), k.Value)
			if !commandKeys.MatchString(k.Value) && !(commands && v.Kind == yaml.MappingNode) {
				b.add(inner, k.Line)
			}
			u.visit(v, inner, b, commandKeys.MatchString(k.Value), depth+1)
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			inner := key
			if e.Kind == yaml.MappingNode && !commands && len(key) > 0 {
				inner = append(slices.Clone(key[:len(key)-1]), fmt.Sprintf("%s[%s]", key[len(key)-1], stepName(e, fmt.Sprint(i+1))))
			}
			u.visit(e, inner, b, commands, depth+1)
		}
	case yaml.ScalarNode:
		if !commands {
			if len(key) > 0 {
				text := n.Value
				if last := key[len(key)-1]; last == "image" {
					text = imageOf("image", n)
				}
				b.add(key, n.Line, value{text: text, line: n.Line})
			}
			return
		}
		line := n.Line
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			line++
		}
		u.commands = append(u.commands, readAny(n.Value, line, shell{errexit: true})...)
	}
}

// testing are the names of units that run tests.
func (us units) testing() map[string]bool {
	out := map[string]bool{}
	for _, u := range us {
		if u.commands.tests() {
			out[u.name] = true
		}
	}
	return out
}

// steering are those, and what they name: templates, jobs they need, tasks they
// call.
func (us units) steering() map[string]bool {
	out := us.testing()
	for range 4 {
		for _, u := range us {
			for _, o := range us {
				if out[u.name] && o.name != "" && slices.ContainsFunc(u.others, func(x option) bool { return slices.Contains(x.texts(), o.name) }) {
					out[o.name] = true
				}
			}
		}
	}
	return out
}

// pipelineRules are for what stands beside commands.
const pipelineRules = `
	off {,**/}{allow_failure,continueonerror,ignore_error,ignore_errors,soft_fail}
	free {,**/}{name,stage,displayname,description,desc,summary,label,aliases,silent,timeout,timeout_in_minutes,timeoutinminutes,interruptible,coverage,tags,resource_class,version,vmimage}
	free {,**/}{artifacts,cache,store_artifacts,store_test_results,save_cache,restore_cache,notifications,publishtestresults*,environment}{,/**}
	known:image {,**/}image
	more {,**/}stages = -
	known:env {,**/}{variables,env,environment,vars}/*`

// pipeline compares pipelines of other CI systems than GitHub's, and task
// files.
func (c *comparison) pipeline(before, after []byte) error {
	kind := violation.CINeutered
	if formatOf(c.path) == taskfile {
		kind = violation.TestScriptNeutered
	}
	root, err := parseYAML(after)
	if err != nil {
		return err
	}
	old, err := parseYAML(before)
	if err != nil {
		return err
	}
	was, is := unitsOf(old), unitsOf(root)
	steering := was.steering()
	if len(steering) == 0 {
		c.harmless("nothing in the approved version runs tests")
		return nil
	}
	steering[shared] = true
	for _, b := range was {
		if !steering[b.name] {
			continue
		}
		i := slices.IndexFunc(is, func(u unit) bool { return u.name == b.name })
		if i < 0 {
			c.report(finding{kind, b.line, c.counterpart(b.line), fmt.Sprintf("Tests no longer run: %s is gone", b.name)})
			continue
		}
		c.scripts(kind, b.commands, is[i].commands)
		n := len(c.result.Violations)
		c.options(rulesFrom("", pipelineRules), b.others, is[i].others)
		for j := n; j < len(c.result.Violations); j++ {
			v := &c.result.Violations[j]
			v.Kind, v.Type = string(kind), kind.Type()
			v.Description = "Tests run only under a condition, or their failure is ignored: " + v.Description[strings.Index(v.Description, ": ")+2:]
		}
	}
	return nil
}

package runner

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// flow is a GitHub workflow or composite action.
type flow struct {
	root *yaml.Node
	jobs []job
}

// job is one job; a composite action is a single one without name.
type job struct {
	name  string
	line  int
	node  *yaml.Node
	needs []string
	steps []step
	calls bool // the job itself calls a workflow that runs tests
}

// step is one step: commands, or an action.
type step struct {
	node     *yaml.Node
	uses     string // of an action, without its version
	commands script
	tests    bool
}

func parseWorkflow(src []byte) (flow, error) {
	root, err := parseYAML(src)
	if err != nil {
		return flow{}, err
	}
	w := flow{root: root}
	if jobs := child(root, "jobs"); jobs != nil && jobs.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(jobs.Content); i += 2 {
			n := jobs.Content[i+1]
			w.jobs = append(w.jobs, job{name: jobs.Content[i].Value, line: jobs.Content[i].Line, node: n, needs: list(child(n, "needs"))})
		}
	} else if runs := child(root, "runs"); child(runs, "steps") != nil {
		w.jobs = []job{{node: runs, line: runs.Line}}
	}
	for i := range w.jobs {
		j := &w.jobs[i]
		j.calls = isTestAction(scalar(child(j.node, "uses")))
		steps := child(j.node, "steps")
		for k := 0; steps != nil && steps.Kind == yaml.SequenceNode && k < len(steps.Content); k++ {
			j.steps = append(j.steps, w.step(j, steps.Content[k]))
		}
	}
	return w, nil
}

func (w flow) step(j *job, n *yaml.Node) step {
	s := step{node: n}
	s.uses, _, _ = strings.Cut(scalar(child(n, "uses")), "@")
	s.tests = isTestAction(s.uses)
	if text := child(n, "run"); text != nil {
		line := text.Line
		if text.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			line++
		}
		dir := w.setting(j, n, "working-directory")
		s.commands = readAny(scalar(text), line, shellNamed(w.setting(j, n, "shell")))
		for i := range s.commands {
			s.commands[i].dir = joinDir(dir, s.commands[i].dir)
			if s.commands[i].dir == "." {
				s.commands[i].dir = ""
			}
		}
		s.tests = s.commands.tests()
	}
	return s
}

func (j job) tests() bool {
	return j.calls || slices.ContainsFunc(j.steps, func(s step) bool { return s.tests })
}

// setting is a step's own setting, or that of its job's or workflow's defaults.
func (w flow) setting(j *job, s *yaml.Node, key string) string {
	for _, n := range []*yaml.Node{s, child(child(j.node, "defaults"), "run"), child(child(w.root, "defaults"), "run")} {
		if v := child(n, key); v != nil {
			return scalar(v)
		}
	}
	return ""
}

// gates reports whether tests run in it for a change: not only on a schedule, by
// hand, or when something is released.
func (w flow) gates() bool {
	if !slices.ContainsFunc(w.jobs, job.tests) {
		return false
	}
	on, _ := events(w.root)
	return len(on) == 0 || slices.ContainsFunc(on, func(e event) bool {
		switch e.name {
		case "pull_request", "pull_request_target", "merge_group", "workflow_call", "workflow_run":
			return true
		case "push":
			return child(e.node, "tags") == nil || child(e.node, "branches") != nil
		}
		return false
	})
}

// steering are the jobs that run tests, and those they need.
func (w flow) steering() map[string]bool {
	out := map[string]bool{}
	for _, j := range w.jobs {
		out[j.name] = j.tests()
	}
	for range w.jobs {
		for _, j := range w.jobs {
			for _, n := range j.needs {
				out[n] = out[n] || out[j.name]
			}
		}
	}
	return out
}

func (w flow) job(name string) *job {
	if i := slices.IndexFunc(w.jobs, func(j job) bool { return j.name == name }); i >= 0 {
		return &w.jobs[i]
	}
	return nil
}

// list is a scalar or a sequence of them as texts.
func list(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		return []string{n.Value}
	}
	var out []string
	for _, e := range n.Content {
		if n.Kind == yaml.SequenceNode && e.Kind == yaml.ScalarNode {
			out = append(out, e.Value)
		}
	}
	return out
}

// shellNamed is the shell of a step's setting; without one, bash -e.
func shellNamed(name string) shell {
	switch {
	case name == "":
		return shell{errexit: true}
	case name == "bash":
		return shell{errexit: true, pipefail: true}
	case !strings.Contains(name, " "):
		return shell{errexit: true}
	default:
		s := shell{pipefail: strings.Contains(name, "pipefail")}
		for _, f := range strings.Fields(name)[1:] {
			s.errexit = s.errexit || strings.HasPrefix(f, "-") && !strings.HasPrefix(f, "--") && strings.Contains(f, "e")
		}
		return s
	}
}

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

// isReviewer reports whether an action, by its name, is this one: what runs the
// tests' guard counts as what runs the tests.
func isReviewer(uses string) bool {
	name, _, _ := strings.Cut(uses[strings.LastIndexByte(uses, '/')+1:], ":")
	return name == "workflow-reviewer"
}

// isTestAction reports whether an action or workflow runs tests, by its name.
func isTestAction(uses string) bool {
	name, _, _ := strings.Cut(uses, "@")
	lower := strings.ToLower(name)
	if lower == "" || isReviewer(lower) {
		return lower != ""
	}
	switch lower {
	case "actions-rs/cargo", "gradle/gradle-build-action", "houseabsolute/actions-rust-cross", "microsoft/vstest-action":
		return true
	}
	if inertActions.MatchString(lower) {
		return false
	}
	local := strings.HasPrefix(name, "./")
	return slices.ContainsFunc(strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("/-_.", r) }), func(part string) bool {
		switch part {
		case "test", "tests", "testing", "pytest", "jest", "cypress", "playwright", "tox":
			return true
		case "check", "ci":
			return local
		}
		return false
	})
}

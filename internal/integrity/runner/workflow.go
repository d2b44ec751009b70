package runner

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pipelineOf is a GitHub workflow or composite action.
type pipelineOf struct {
	root  *yaml.Node
	jobs  []job
	calls []call
	// tampers are what steps do to files or settings of tests.
	tampers []tamper
}

// job is one job; a composite action is a single one without name.
type job struct {
	name  string
	line  int
	node  *yaml.Node
	needs []string
}

// call is one call of a test runner with the step and job that make it.
type call struct {
	run
	job  *job
	step *yaml.Node // nil: the job itself calls a workflow
}

func parseWorkflow(src []byte) (pipelineOf, error) {
	root, err := parseYAML(src)
	if err != nil {
		return pipelineOf{}, err
	}
	w := pipelineOf{root: root}
	if jobs := child(root, "jobs"); jobs != nil && jobs.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(jobs.Content); i += 2 {
			n := jobs.Content[i+1]
			w.jobs = append(w.jobs, job{name: jobs.Content[i].Value, line: jobs.Content[i].Line, node: n, needs: list(child(n, "needs"))})
		}
	} else if runs := child(root, "runs"); child(runs, "steps") != nil {
		w.jobs = []job{{node: runs, line: runs.Line}}
	}
	for i := range w.jobs {
		w.read(&w.jobs[i])
	}
	return w, nil
}

// gates reports whether tests run in it for a change: not only on a schedule, by
// hand, or when something is released.
func (w pipelineOf) gates() bool {
	on, _ := events(w.root)
	for _, e := range on {
		switch e.name {
		case "pull_request", "pull_request_target", "merge_group", "workflow_call", "workflow_run":
			return len(w.calls) > 0
		case "push":
			if child(e.node, "tags") == nil || child(e.node, "branches") != nil {
				return len(w.calls) > 0
			}
		}
	}
	return len(on) == 0 && len(w.calls) > 0
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

// read gathers what a job does about tests.
func (w *pipelineOf) read(j *job) {
	if uses := child(j.node, "uses"); uses != nil {
		if t := actionTool(scalar(uses)); t != nil {
			w.calls = append(w.calls, call{run: run{tool: t, args: t.parse(inputs(t.name, child(j.node, "with"))), line: uses.Line}, job: j})
		}
	}
	steps := child(j.node, "steps")
	for i := 0; steps != nil && steps.Kind == yaml.SequenceNode && i < len(steps.Content); i++ {
		w.step(j, steps.Content[i])
	}
}

func (w *pipelineOf) step(j *job, s *yaml.Node) {
	dir := w.setting(j, s, "working-directory")
	if uses := child(s, "uses"); uses != nil {
		w.checkout(s, scalar(uses))
		if t := actionTool(scalar(uses)); t != nil {
			w.calls = append(w.calls, call{run: run{tool: t, args: t.parse(inputs(t.name, child(s, "with"))), line: uses.Line, dir: dir}, job: j, step: s})
		}
	}
	text := child(s, "run")
	if text == nil {
		return
	}
	sc := shellNamed(w.setting(j, s, "shell")).readAny(scalar(text), firstLine(text))
	for _, r := range sc.runs {
		r.dir = path.Join(dir, r.dir)
		w.calls = append(w.calls, call{run: r, job: j, step: s})
	}
	w.tampers = append(w.tampers, sc.tampers...)
}

// firstLine is the line on which a scalar's text begins.
func firstLine(n *yaml.Node) int {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Line + 1
	}
	return n.Line
}

// setting is a step's own setting, or that of its job's or workflow's defaults.
func (w *pipelineOf) setting(j *job, s *yaml.Node, key string) string {
	for _, n := range []*yaml.Node{s, child(child(j.node, "defaults"), "run"), child(child(w.root, "defaults"), "run")} {
		if v := child(n, key); v != nil {
			return scalar(v)
		}
	}
	return ""
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
		flags := strings.Fields(name)
		s := shell{pipefail: strings.Contains(name, "pipefail")}
		for _, f := range flags[1:] {
			s.errexit = s.errexit || strings.HasPrefix(f, "-") && !strings.HasPrefix(f, "--") && strings.Contains(f, "e")
		}
		return s
	}
}

// readAny reads a script, or, if it is not one of a POSIX shell, each of its
// lines alone.
func (s shell) readAny(text string, line int) script {
	if sc, err := s.read(text, line); err == nil {
		return sc
	}
	var out script
	for i, l := range strings.Split(text, "\n") {
		if sc, err := s.read(l, line+i); err == nil {
			out.runs = append(out.runs, sc.runs...)
			out.tampers = append(out.tampers, sc.tampers...)
		}
	}
	return out
}

// actionTool stands for an action or workflow that runs tests, by its name or
// place; nil if it does not.
func actionTool(uses string) *tool {
	name, _, _ := strings.Cut(uses, "@")
	lower := strings.ToLower(name)
	if isReviewer(lower) {
		return &tool{name: name, goals: true}
	}
	local := strings.HasPrefix(name, "./")
	for _, part := range strings.FieldsFunc(lower, func(r rune) bool { return r == '/' || r == '-' || r == '_' || r == '.' }) {
		switch part {
		case "test", "tests", "testing", "pytest", "jest", "cypress", "playwright", "tox", "check", "ci":
			if local || part != "check" && part != "ci" && !strings.Contains(lower, "report") && !strings.Contains(lower, "result") && !strings.Contains(lower, "publish") {
				return &tool{name: name, goals: true}
			}
		}
	}
	switch lower {
	case "actions-rs/cargo", "gradle/gradle-build-action", "gradle/actions/setup-gradle", "houseabsolute/actions-rust-cross", "microsoft/vstest-action":
		return &tool{name: name, goals: true}
	}
	return nil
}

// isReviewer reports whether an action, by its name, is this one: what runs the
// tests' guard counts as what runs the tests.
func isReviewer(uses string) bool {
	name, _, _ := strings.Cut(path.Base(uses), ":")
	return name == "workflow-reviewer"
}

// inputs are an action's inputs as arguments that must stay. Of this action
// those count that say what is reviewed, and by what.
func inputs(uses string, with *yaml.Node) []value {
	var out []value
	reviewer := isReviewer(strings.ToLower(uses))
	for i := 0; with != nil && with.Kind == yaml.MappingNode && i+1 < len(with.Content); i += 2 {
		k := with.Content[i]
		switch name := strings.ToLower(k.Value); name {
		case "engine", "mode", "types", "paths", "config":
			out = append(out, value{text: k.Value + "=" + scalar(with.Content[i+1]), line: k.Line})
		case "token", "github-token", "name", "version", "cache", "toolchain", "java-version", "node-version", "python-version", "browser", "record", "reporter":
		default:
			if reviewer {
				continue
			}
			out = append(out, value{text: k.Value + "=" + scalar(with.Content[i+1]), line: k.Line})
		}
	}
	return out
}

// checkout notes that another tree than that of the change is tested.
func (w *pipelineOf) checkout(s *yaml.Node, uses string) {
	if !strings.HasPrefix(strings.ToLower(uses), "actions/checkout") {
		return
	}
	for _, key := range []string{"ref", "repository", "path", "sparse-checkout"} {
		if k, v := pair(child(s, "with"), key); k != nil && scalar(v) != "" {
			w.tampers = append(w.tampers, tamper{key + "=" + scalar(v), "another tree is checked out than that of the change", k.Line})
		}
	}
}

package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
)

// workflows is what the workflows that use the action come to.
type workflows struct {
	files    []string
	events   map[string][]string // with the types that are named; nil means GitHub's default ones
	codex    bool                // the engine of one of them
	problems []problem
}

// document is the part of a workflow that matters.
type document struct {
	On          yaml.Node
	Permissions rights
	Jobs        map[string]struct {
		Permissions rights
		Steps       []struct {
			Uses string
			With map[string]string
		}
	}
}

// rights are the token's; all is the word that stands for all of them.
type rights struct {
	given bool
	all   string
	by    map[string]string
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (r *rights) UnmarshalYAML(n *yaml.Node) error {
	r.given = true
	if n.Kind == yaml.ScalarNode {
		r.all = n.Value
		return nil
	}
	return n.Decode(&r.by)
}

func (r rights) write(name string) bool { return r.all == "write-all" || r.by[name] == "write" }

// readWorkflows reads the workflows that use the action. One that cannot be read, a pipe or a
// link, is a problem too: nobody knows what it starts.
func readWorkflows(tree fs.FS) workflows {
	w := workflows{events: map[string][]string{}}
	names, _ := fs.Glob(tree, ".github/workflows/*.y*ml") // the pattern is ours
	for _, name := range names {
		data, err := read(tree, name)
		if err != nil {
			w.report(name, fmt.Sprintf("cannot be read: %v", err), "")
			continue
		}
		if !detect.UsesAction(string(data)) {
			continue
		}
		var d document
		if err := yaml.Unmarshal(data, &d); err != nil {
			w.report(name, fmt.Sprintf("is no valid workflow: %v", err), "")
			continue
		}
		w.files = append(w.files, name)
		w.listen(name, d.On)
		for _, id := range slices.Sorted(maps.Keys(d.Jobs)) {
			job := d.Jobs[id]
			given := job.Permissions
			if !given.given {
				given = d.Permissions
			}
			for _, step := range job.Steps {
				action, _, _ := strings.Cut(step.Uses, "@")
				whole, slim := strings.CutSuffix(action, "/slim")
				if strings.HasSuffix(whole, "/workflow-reviewer") {
					w.use(name+", job "+id, whole, slim, step.With, given)
				}
			}
		}
	}
	return w
}

func (w *workflows) report(where, what, do string) {
	w.problems = append(w.problems, problem{where + " " + what, do})
}

// trigger is an event with what limits it.
type trigger struct {
	Types       []string
	Paths       []string
	PathsIgnore []string `yaml:"paths-ignore"`
}

// listen takes in the events of a workflow, whose value is a word, a list or a map.
func (w *workflows) listen(name string, on yaml.Node) {
	var one string
	var list []string
	var each map[string]trigger
	switch {
	case on.Decode(&one) == nil:
		list = []string{one}
	case on.Decode(&list) == nil:
	default:
		_ = on.Decode(&each) // what is no event starts nothing
	}
	for _, event := range list {
		w.events[event] = append(w.events[event], "")
	}
	for event, t := range each {
		if len(t.Types) == 0 {
			t.Types = []string{""}
		}
		w.events[event] = append(w.events[event], t.Types...)
		if strings.HasPrefix(event, "pull_request") && len(t.Paths)+len(t.PathsIgnore) > 0 {
			w.report(
				name,
				"has a filter of paths: where no run starts, a required check stays expected",
				"take paths and paths-ignore out; a run that has nothing to review is green",
			)
		}
	}
}

// use looks at one step that uses the action; slim is the action of an image without codex. Values
// that are expressions are not known here, and count as right.
func (w *workflows) use(where, action string, slim bool, with map[string]string, given rights) {
	vars := map[string]string{}
	for name, value := range with {
		if !strings.Contains(value, "${{") {
			vars["INPUT_"+strings.ToUpper(name)] = value
		}
	}
	if with["mode"] == string(config.Review) {
		vars["INPUT_SHARD"] = "1" // of the matrix
	}
	in, err := config.ParseInputs(vars)
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			w.report(where+":", line, "")
		}
		return
	}
	if strings.HasPrefix(action, "OWNER/") {
		w.report(
			where,
			"names the action as OWNER/workflow-reviewer",
			"put the account that publishes it in place of OWNER",
		)
	}
	asks := in.Engine == config.Codex && (in.Mode == config.All || in.Mode == config.Review)
	w.codex = w.codex || asks
	if asks && slim {
		w.report(
			where,
			"asks a model, and the image of "+action+"/slim holds no codex: each such review "+
				"ends as an error",
			"uses: "+action+"@v1, or engine: rules",
		)
	}
	if asks && with["openai-api-key"] == "" {
		w.report(
			where,
			"gives no key to the engine codex",
			"openai-api-key: ${{ secrets.OPENAI_API_KEY }}, or engine: rules",
		)
	}
	if with["github-token"] == "" {
		w.needs(where, in, given)
	}
}

// needs compares the rights of the job's own token with those that a mode uses.
func (w *workflows) needs(where string, in config.Inputs, given rights) {
	var missing []string
	need := func(name string, used bool) {
		if used && !given.write(name) {
			missing = append(missing, name+": write")
		}
	}
	ends := in.Mode == config.All || in.Mode == config.Report
	need("checks", ends || in.Mode == config.Plan)
	need("contents", ends && in.Commit != config.CommitOff)
	need("pull-requests", ends && in.Comment)
	if len(missing) > 0 {
		w.report(
			where,
			"has a token that may not do what it is for",
			"permissions: "+strings.Join(missing, ", "),
		)
	}
}

// finding is what is to be said of all of them together.
func (w workflows) finding() finding {
	f := finding{subject: "workflow", state: strings.Join(w.files, ", "), problems: w.problems}
	if len(w.files) == 0 {
		if len(w.problems) == 0 {
			f.problems = []problem{{"no workflow uses the action", "workflow-reviewer init"}}
		}
		return f
	}
	for _, t := range starts() {
		if !w.hears(t.events, t.types) {
			f.problems = append(f.problems, problem{
				"no workflow of the action is started by " + t.events[0] + ": " + t.lost, t.do,
			})
		}
	}
	return f
}

// start is what may start the action: one of the events, with all of the types.
type start struct {
	events, types []string
	lost, do      string // without it
}

// starts are the triggers that a run needs, with what does not work without each.
func starts() []start {
	return []start{
		{
			[]string{"pull_request", "pull_request_target"},
			[]string{"opened", "synchronize"},
			"no pull request is reviewed when it changes", "on: pull_request",
		},
		{
			[]string{"pull_request", "pull_request_target"},
			[]string{"labeled"},
			"the labels re-review and re-review:tests do nothing", "add labeled to its types",
		},
		{
			[]string{"pull_request", "pull_request_target"},
			[]string{"ready_for_review"},
			"a draft that becomes ready is not reviewed", "add ready_for_review to its types",
		},
		{
			[]string{"issue_comment"},
			[]string{"created"},
			"/review, /override, /dismiss and /test-bug do nothing",
			"on: issue_comment, types: [created]",
		},
		{
			[]string{"check_run"},
			[]string{"rerequested"},
			"Re-run beside a check does nothing", "on: check_run, types: [rerequested]",
		},
	}
}

// defaultTypes are those of pull_request where a workflow names none.
func defaultTypes() []string { return []string{"opened", "synchronize", "reopened"} }

// hears reports whether some workflow listens to one of the events with all of the types.
func (w workflows) hears(events, types []string) bool {
	return slices.ContainsFunc(events, func(event string) bool {
		named, ok := w.events[event]
		unlimited := slices.Contains(named, "")
		isHeard := func(t string) bool {
			byDefault := !strings.HasPrefix(event, "pull_request") ||
				slices.Contains(defaultTypes(), t)
			return slices.Contains(named, t) || unlimited && byDefault
		}
		return ok && !slices.ContainsFunc(types, func(t string) bool { return !isHeard(t) })
	})
}

// maxFile is the largest file that is looked at, in bytes.
const maxFile = 1 << 20

// read reads a file of the work tree, which is no link and no pipe.
func read(tree fs.FS, name string) ([]byte, error) {
	info, err := fs.Lstat(tree, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	return fs.ReadFile(tree, name)
}

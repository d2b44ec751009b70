// Package doctor is the command that names what would keep a run on a repository from working, each
// with what to do about it.
package doctor

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/workflow"
)

// Run says what would keep a run from working. It ends with 0 if nothing was named, else with 1,
// and with 2 for wrong arguments.
func Run(ctx context.Context, env process.Env, args []string) int {
	opt := struct {
		Repo string `flag:"repo" arg:"DIR" usage:"DIR of the repository"`
	}{env.Dir}
	if err := cli.ParseFlags(cli.Flags("doctor", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	opened, err := localrun.OpenClone(ctx, env, opt.Repo)
	if err != nil {
		report(env.Stdout, []finding{found("git", "", err)})
		return cli.Fails
	}
	defer opened.Release(&err)
	top := gitrepo.Root(opt.Repo)
	all := examine(ctx, &patient{env, opened, top, os.DirFS(top)})
	return min(report(env.Stdout, all), cli.Fails)
}

// problem is one thing that would keep a run from working, or that it would warn of.
type problem struct {
	what string // with its place
	do   string // "" where what says it
}

// finding is what came of one subject.
type finding struct {
	subject  string
	state    string // what was found where nothing is wrong
	problems []problem
}

// examine looks at everything. Subjects that need a repository are left out where there is none.
// Nothing is changed, and no model is asked.
func examine(ctx context.Context, p *patient) []finding {
	state, err := p.repository(ctx)
	out := []finding{found("git", state, err)}
	if err != nil {
		return out
	}
	used := readWorkflows(p.files)
	state, err = p.base(ctx)
	out = append(out, found("base", state, err), rehearsal(ctx, p), used.finding())
	out = append(out, model(ctx, p, used)...)
	return append(out, required(ctx, p))
}

// found makes a finding of a state or an error, a problem a line.
func found(subject, state string, err error) finding {
	f := finding{subject: subject, state: state}
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			f.problems = append(f.problems, problem{what: line})
		}
	}
	return f
}

// rehearsal is what a run would end or warn with before it reviews: config, patterns, layouts,
// records.
func rehearsal(ctx context.Context, p *patient) finding {
	notices, err := p.rehearse(ctx)
	f := found("config", "and recorded reviews can be read", err)
	for _, n := range notices {
		text := n.Text
		if n.File != "" {
			text = n.File + ": " + text
		}
		if problem := (problem{what: text}); n.Warns() && !slices.Contains(f.problems, problem) {
			f.problems = append(f.problems, problem)
		}
	}
	f.problems = append(f.problems, approvals(p.files)...)
	return f
}

// approvals are the records of approved tests that cannot be read, of the repository and the
// projects in it.
func approvals(tree fs.FS) (out []problem) {
	for _, root := range []string{"", "*/", "*/*/"} {
		names, _ := fs.Glob(tree, root+".workflow/approvals/*.json") // the pattern is ours
		for _, name := range names {
			data, err := read(tree, name)
			if err == nil {
				_, err = approval.Parse(data)
			}
			if err != nil {
				out = append(out, problem{
					fmt.Sprintf(
						"%s: %v, so that nobody knows which tests were approved",
						name,
						err,
					),
					"git log -p -- " + name + " shows who changed it; take the approved version " +
						"back",
				})
			}
		}
	}
	return out
}

// model looks at what a review by the model needs on this machine, where it is asked for.
func model(ctx context.Context, p *patient, used workflows) []finding {
	hasKey := p.env.Get("OPENAI_API_KEY") != ""
	if !used.codex && !hasKey {
		return []finding{
			{
				subject: "model",
				state:   "not asked for: no key is set, and no workflow names the engine codex",
			},
		}
	}
	key := finding{subject: "key", state: "OPENAI_API_KEY is set"}
	if !hasKey {
		key.problems = []problem{{
			"OPENAI_API_KEY is not set, so that only the built-in checks review on this machine",
			"export OPENAI_API_KEY=…, or set the workflow to engine: rules",
		}}
	}
	state, warning, err := p.codex(ctx)
	program := found("codex", state, err)
	if warning != "" {
		program.problems = append(program.problems, problem{what: warning})
	}
	return []finding{key, program}
}

// checkName is the check to require.
const checkName = "workflow-reviewer"

// required asks whether the default branch requires the check. Not being able to ask is no finding.
func required(ctx context.Context, p *patient) finding {
	checks, known, err := p.required(ctx)
	f := found("required", "", err)
	switch {
	case err != nil:
	case !known:
		f.state = "not asked: no GitHub repository as origin, or no GITHUB_TOKEN"
	case slices.Contains(checks, checkName):
		f.state = "the check " + checkName + " is required"
	default:
		what := "the default branch does not require the check " + checkName
		jobs := slices.DeleteFunc(
			checks,
			func(c string) bool { return !strings.Contains(c, "review") },
		)
		if len(jobs) > 0 {
			what += "; a job (" + strings.Join(jobs, ", ") + ") that is skipped counts as passed"
		}
		f.problems = []problem{{
			what, "add it to the branch's rules: Settings, Rules, Require status checks to pass",
		}}
	}
	return f
}

// report writes the findings, and returns how many problems there are.
func report(w io.Writer, all []finding) (problems int) {
	for _, f := range all {
		if len(f.problems) == 0 {
			fmt.Fprintf(w, "ok  %-9s %s\n", f.subject, f.state)
			continue
		}
		for _, p := range f.problems {
			problems++
			fmt.Fprintf(w, "!!  %-9s %s\n", f.subject, p.what)
			if p.do != "" {
				fmt.Fprintf(w, "    %-9s %s\n", "", "→ "+p.do)
			}
		}
	}
	verdict := "Nothing stands in the way of a run."
	if problems > 0 {
		verdict = workflow.Count(problems, "problem") + "."
	}
	fmt.Fprintf(w, "\n%s\n", verdict)
	return problems
}

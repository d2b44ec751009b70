// Package doctor names what would keep a run on a repository from working, each with what to do
// about it.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/workflow"
)

// Problem is one thing that would keep a run from working, or that it would warn of.
type Problem struct {
	What string // with its place
	Do   string // "" where What says it
}

// Finding is what came of one subject.
type Finding struct {
	Subject  string
	State    string // what was found where nothing is wrong
	Problems []Problem
}

// Patient is what only the surroundings can tell. Nothing of it changes the repository.
type Patient interface {
	// Repository says where the repository is, and what is checked out.
	Repository(ctx context.Context) (state string, err error)
	// Base finds what a branch is compared with.
	Base(ctx context.Context) (state string, err error)
	// Rehearse plans a run on the work tree without reviewing anything. An error has a line for
	// each problem.
	Rehearse(ctx context.Context) ([]workflow.Finding, error)
	// Key reports whether a key of the model is set.
	Key() bool
	// Codex finds codex, and whether its version is not the one to drive.
	Codex(ctx context.Context) (state, warning string, err error)
	// Required lists the checks that the default branch requires; known is false where there is no
	// GitHub to ask.
	Required(ctx context.Context) (checks []string, known bool, err error)
	// Files is the work tree.
	Files() fs.FS
}

// Examine looks at everything. Subjects that need a repository are left out where there is none.
// Nothing is changed, and no model is asked.
func Examine(ctx context.Context, p Patient) []Finding {
	state, err := p.Repository(ctx)
	out := []Finding{Found("git", state, err)}
	if err != nil {
		return out
	}
	used := readWorkflows(p.Files())
	state, err = p.Base(ctx)
	out = append(out, Found("base", state, err), rehearsal(ctx, p), used.finding())
	out = append(out, model(ctx, p, used)...)
	return append(out, required(ctx, p))
}

// Found makes a finding of a state or an error, a problem a line.
func Found(subject, state string, err error) Finding {
	f := Finding{Subject: subject, State: state}
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			f.Problems = append(f.Problems, Problem{What: line})
		}
	}
	return f
}

// rehearsal is what a run would end or warn with before it reviews: config, patterns, layouts,
// records.
func rehearsal(ctx context.Context, p Patient) Finding {
	notices, err := p.Rehearse(ctx)
	f := Found("config", "and recorded reviews can be read", err)
	for _, n := range notices {
		text := n.Text
		if n.File != "" {
			text = n.File + ": " + text
		}
		if problem := (Problem{What: text}); n.Warns() && !slices.Contains(f.Problems, problem) {
			f.Problems = append(f.Problems, problem)
		}
	}
	f.Problems = append(f.Problems, approvals(p.Files())...)
	return f
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

// approvals are the records of approved tests that cannot be read, of the repository and the
// projects in it.
func approvals(tree fs.FS) (out []Problem) {
	for _, root := range []string{"", "*/", "*/*/"} {
		names, _ := fs.Glob(tree, root+".workflow/approvals/*.json") // the pattern is ours
		for _, name := range names {
			data, err := read(tree, name)
			if err == nil {
				_, err = approval.Parse(data)
			}
			if err != nil {
				out = append(out, Problem{
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
func model(ctx context.Context, p Patient, used workflows) []Finding {
	if !used.codex && !p.Key() {
		return []Finding{
			{
				Subject: "model",
				State:   "not asked for: no key is set, and no workflow names the engine codex",
			},
		}
	}
	key := Finding{Subject: "key", State: "OPENAI_API_KEY is set"}
	if !p.Key() {
		key.Problems = []Problem{{
			"OPENAI_API_KEY is not set, so that only the built-in checks review on this machine",
			"export OPENAI_API_KEY=…, or set the workflow to engine: rules",
		}}
	}
	state, warning, err := p.Codex(ctx)
	program := Found("codex", state, err)
	if warning != "" {
		program.Problems = append(program.Problems, Problem{What: warning})
	}
	return []Finding{key, program}
}

// checkName is the check to require.
const checkName = "workflow-reviewer"

// required asks whether the default branch requires the check. Not being able to ask is no finding.
func required(ctx context.Context, p Patient) Finding {
	checks, known, err := p.Required(ctx)
	f := Found("required", "", err)
	switch {
	case err != nil:
	case !known:
		f.State = "not asked: no GitHub repository as origin, or no GITHUB_TOKEN"
	case slices.Contains(checks, checkName):
		f.State = "the check " + checkName + " is required"
	default:
		what := "the default branch does not require the check " + checkName
		jobs := slices.DeleteFunc(
			checks,
			func(c string) bool { return !strings.Contains(c, "review") },
		)
		if len(jobs) > 0 {
			what += "; a job (" + strings.Join(jobs, ", ") + ") that is skipped counts as passed"
		}
		f.Problems = []Problem{{
			what, "add it to the branch's rules: Settings, Rules, Require status checks to pass",
		}}
	}
	return f
}

// Print writes the findings, and returns how many problems there are.
func Print(w io.Writer, all []Finding) (problems int) {
	for _, f := range all {
		if len(f.Problems) == 0 {
			fmt.Fprintf(w, "ok  %-9s %s\n", f.Subject, f.State)
			continue
		}
		for _, p := range f.Problems {
			problems++
			fmt.Fprintf(w, "!!  %-9s %s\n", f.Subject, p.What)
			if p.Do != "" {
				fmt.Fprintf(w, "    %-9s %s\n", "", "→ "+p.Do)
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

package starter

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/layout"
)

// Env is what the command takes from outside.
type Env struct {
	Dir            string                  // working folder
	Root           func(dir string) string // of the git repository of a folder, "" if there is none
	Repository     string                  // OWNER/NAME that the action is published in
	Stdout, Stderr io.Writer
}

// options are the flags of the command.
type options struct {
	Repo   string `flag:"repo"   arg:"DIR"    usage:"DIR of the repository"`
	Layout string `flag:"layout" arg:"LAYOUT" usage:"LAYOUT of documents instead of those that are found"`
	Engine string `flag:"engine" arg:"ENGINE" usage:"ENGINE that reviews: rules, or codex, which needs a key"`
	Print  bool   `flag:"print"               usage:"print both files and write nothing"`
}

// Run is the command init. It returns the exit status: 0 if both files are there afterwards, else
// 2.
func Run(env Env, args []string) int {
	opt := options{Repo: env.Dir, Engine: string(config.Rules)}
	if err := cli.ParseFlags(cli.Flags("init", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	o := Options{
		Repository: env.Repository, Layout: opt.Layout, Engine: config.Engine(opt.Engine),
	}
	return cli.Exit(env.Stderr, initialize(env, opt.Repo, o, opt.Print))
}

// initialize writes the files, or prints them, and says what comes next. A file that is there is
// kept. A workflow that uses the action under another name is kept as well, and no second one
// written.
func initialize(env Env, repo string, o Options, show bool) error {
	switch {
	case o.Layout != "" && !slices.Contains(layout.Names(), o.Layout):
		return fmt.Errorf(
			"--layout %q is not one of %s",
			o.Layout,
			strings.Join(layout.Names(), ", "),
		)
	case o.Engine != config.Rules && o.Engine != config.Codex:
		return fmt.Errorf("--engine %q is not one of codex, rules", o.Engine)
	}
	top := env.Root(repo)
	if top == "" {
		return fmt.Errorf(
			"%s is in no git repository: run \"git init\" there, or name one with --repo",
			repo,
		)
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing is left to be written
	found := Look(root.FS())
	files, err := found.files(o)
	if err != nil {
		return err
	}
	if show {
		for _, f := range files {
			fmt.Fprintf(env.Stdout, "# %s\n%s\n", f.path, f.text)
		}
		return nil
	}
	fmt.Fprint(env.Stdout, found.summary(o))
	for _, f := range files {
		wrote, err := write(root, f)
		if err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
		if wrote {
			fmt.Fprintf(env.Stdout, "Wrote  %s\n", f.path)
		} else {
			fmt.Fprintf(env.Stdout, "Kept   %s (init --print shows the new one)\n", f.path)
		}
	}
	fmt.Fprint(env.Stdout, found.steps(o))
	return nil
}

type file struct{ path, text string }

// files are those to write. A workflow of another name that uses the action already is not joined
// by a second one.
func (p Project) files(o Options) ([]file, error) {
	settings, err := p.Config(o)
	if err != nil {
		return nil, err
	}
	out := []file{{WorkflowPath, p.Workflow(o)}, {ConfigPath, settings}}
	if p.Review != "" {
		out[0].path = p.Review
	}
	return out, nil
}

// write writes a file that is not there. The root refuses links that lead out of it.
func write(root *os.Root, f file) (bool, error) {
	if err := root.MkdirAll(path.Dir(f.path), 0o755); err != nil {
		return false, err
	}
	w, err := root.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = io.WriteString(w, f.text)
	return err == nil, errors.Join(err, w.Close())
}

// mostNamed is how many languages or workflows a line names.
const mostNamed = 4

// names lists names, at most mostNamed and the number of the others.
func names(all []string) string {
	if len(all) > mostNamed {
		return fmt.Sprintf("%s and %d more", names(all[:mostNamed]), len(all)-mostNamed)
	}
	return strings.Join(all, ", ")
}

// summary says what was found and what was made of it.
func (p Project) summary(o Options) string {
	var b strings.Builder
	row := func(name, value, none string) {
		if value == "" {
			value = none
		}
		fmt.Fprintf(&b, "%-9s %s\n", name, value)
	}
	row("Sources", names(p.Languages), "none yet")
	specs := names(p.Layouts)
	if o.Layout != "" {
		specs = o.Layout
	}
	row("Specs", specs, "none found; specs/{proposed,todo,doing,done}/ is understood")
	if len(p.Roots) > 0 {
		row("Projects", "with documents of their own: "+names(p.Roots), "")
	}
	row("Tests", p.TestCommand(), "none found; once there are, init --print shows a job for them")
	means := ", the built-in checks: no key, no cost"
	if o.Engine == config.Codex {
		means = ", a model: needs the secret OPENAI_API_KEY"
	}
	row("Engine", string(o.Engine)+means, "")
	return b.String() + "\n"
}

// steps are the next three.
func (p Project) steps(o Options) string {
	var first, third, others string
	if strings.HasPrefix(o.Repository, "OWNER/") {
		first = "   This build is of no release: put the account that publishes the action in\n" +
			"   place of OWNER.\n"
	}
	if o.Engine == config.Codex {
		first += "   Store the model's key: gh secret set OPENAI_API_KEY\n"
	} else {
		third = "   Tests that no model read are recorded as approved where the config says\n" +
			"   \"approvals\": {\"by_rules\": true}.\n"
	}
	if len(p.Others) > 0 {
		others = " (of " + names(p.Others) + ")"
	}
	return fmt.Sprintf(stepsText, first, others, third)
}

const stepsText = `
Next:
1. Commit both files to the default branch. From then on each pull request gets
   a check and a comment; nothing is blocked, and nothing is pushed.
   See at once what it says of your work: workflow-reviewer local --worktree
%s2. Require the check "workflow-reviewer" in the rules of the default branch: the
   check, not the job.
3. Let it commit: in the workflow, "commit: auto" and "contents: write". Then
   reviews, approved tests, /override and /dismiss are pushed to the pull
   request's branch. Commits by the job's own token start no workflow: other
   required checks%s stay "expected" on them, unless
   the input github-token is a GitHub App's.
%s`

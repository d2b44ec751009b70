package localrun

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// sample is the demo's project: what is on its main branch, what the feature branch begins with,
// and the files that later pushes add or replace.
//
//go:embed all:sample
var sample embed.FS

const demoBranch = "feature/slugify"

// demoOptions are the flags of the demo command.
type demoOptions struct {
	Dir    string `flag:"dir"    arg:"DIR"    usage:"DIR to write the sample project into (default: a new temporary folder)"`
	Engine string `flag:"engine" arg:"ENGINE" usage:"ENGINE that reviews: rules or codex (needs OPENAI_API_KEY)"`
}

// Demo plays a story of two pull requests on a sample project. It ends with the exit status of the
// last review, or with 2 where a review did not run. Neither key nor network is needed but for the
// engine codex.
func Demo(ctx context.Context, env process.Env, args []string) int {
	opt := demoOptions{Engine: string(config.Rules)}
	if err := cli.ParseFlags(cli.Flags("demo", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	inputs := map[string]string{"engine": opt.Engine}
	if _, err := (Options{Inputs: inputs}).Parse(); err != nil {
		return cli.Exit(env.Stderr, err)
	}
	d := &demo{env: env, engine: opt.Engine}
	rep, err := d.play(ctx, opt.Dir)
	if d.project != nil {
		err = errors.Join(err, d.project.Close())
	}
	return max(cli.Exit(env.Stderr, err), rep.Decision.ExitCode())
}

// demo tells the story of two pull requests on a sample project.
type demo struct {
	env      process.Env
	engine   string
	dir      string
	project  *gitrepo.Builder
	evidence string // of the last run of the approved tests, relative to dir; "" for none
}

// scene is a push, and what becomes of it.
type scene struct {
	before  string            // what is said before the push
	subject string            // of the commit; "" for what is there already
	files   []string          // folders of the sample
	ends    workflow.Decision // other ends end the story
	proves  bool              // the approved tests are run
	merged  bool              // the pull request is merged afterwards
	after   string            // what is said of that end, with its exit status
}

// play plays the scenes, one after another on the same clone, until one does not end as it should.
// It returns the last report.
func (d *demo) play(ctx context.Context, dir string) (rep report.Report, err error) {
	if err := d.begin(dir); err != nil {
		return rep, err
	}
	earlier := ""
	for _, s := range d.scenes() {
		if rep, err = d.show(ctx, s); err != nil {
			return rep, err
		}
		if err := os.RemoveAll(earlier); err != nil {
			return rep, err
		}
		earlier = rep.Dir
		if rep.Decision != s.ends {
			break
		}
		d.say("\n"+s.after, rep.Decision.ExitCode())
		if s.merged {
			if err := d.merge(); err != nil {
				return rep, err
			}
		}
	}
	d.end(rep)
	return rep, nil
}

// scenes are the story. The last one needs a python3, as it runs tests.
func (d *demo) scenes() []scene {
	out := []scene{
		{
			before: "1. An agent pushes a branch: a spec for link expiry, and slugify with its " +
				"tests.",
			ends: workflow.NeedsChanges,
			after: "The gate is closed (exit status %d): the spec leaves open what has to be " +
				"decided.",
		},
		{
			before: "2. The author answers and pushes again.", files: []string{"fix"},
			subject: "Say when a link expires and what happens then", ends: workflow.Approved,
			merged: true,
			after:  "The gate is open (exit status %d). Slugify's tests are on record as approved.",
		},
		{
			before: "3. In the next pull request an agent makes slugify faster. One test\n" +
				"   fails now; the agent changes it.",
			subject: "Make slugify faster", files: []string{"faster"},
			ends:  workflow.NeedsChanges,
			after: "Stopped (exit status %d): the test demands less than was approved.",
		},
	}
	last := scene{
		before:  "5. The author has that file patch nothing, and corrects the code.",
		subject: "Keep the promise of the approved tests", files: []string{"corrected", "tests"},
		ends: workflow.Approved, proves: d.python() != nil,
		after: "The gate is open (exit status %d): the code keeps what was promised.",
	}
	if d.python() == nil {
		last.before = "4. An agent could also add a test file that patches slugify as it is " +
			"loaded.\n" +
			"   Only a run of the approved tests shows that, and there is no python3 here\n" +
			"   to run them.\n\n" +
			"5. The author brings the approved test back, adds a test, and corrects the code."
		return append(out, last)
	}
	return append(out, scene{
		before: "4. The agent brings the test back, and adds a test file. As that is loaded, it\n" +
			"   replaces what the failing test calls:\n" +
			"     slugs.slugify = lambda title: plain(title).strip(\"-\")\n" +
			"   The approved file is as it was: comparing it says nothing. Running it does.",
		subject: "Test slugs in paths", files: []string{"patched", "tests"},
		ends: workflow.NeedsChanges, proves: true,
		after: "Stopped (exit status %d): run without what was added, the approved test fails.",
	}, last)
}

// show pushes, runs the approved tests where the scene does, and reviews.
func (d *demo) show(ctx context.Context, s scene) (rep report.Report, err error) {
	d.say("\n%s", s.before)
	if s.subject != "" {
		err := d.commit(demoBranch, s)
		if err == nil {
			err = d.project.Checkout(demoBranch)
		}
		if err != nil {
			return rep, err
		}
	}
	if s.proves {
		if err := d.prove(ctx); err != nil {
			return rep, err
		}
	}
	return d.review(ctx)
}

// take commits reviews and moves to the branch, in the work tree too, where there may be no git.
func (d *demo) take(
	_ context.Context, branch, _ string, cs []change.Commit,
) (id string, err error) {
	for _, c := range cs {
		if id, err = d.project.Commit(branch, c, localAuthor(d.env.Now())); err != nil {
			return "", err
		}
	}
	return id, d.project.Checkout(branch)
}

// merge moves main to the branch, and says so.
func (d *demo) merge() error {
	d.say("This project's config has the built-in checks stand in for a reader\n" +
		"(approvals.by_rules). The pull request is merged.")
	return d.project.Merge(demoBranch)
}

// python is the command that runs the tests; nil where there is no python3.
func (d *demo) python() []string {
	for _, dir := range filepath.SplitList(d.env.Get("PATH")) {
		if info, err := os.Stat(filepath.Join(dir, "python3")); err == nil && !info.IsDir() {
			return []string{"python3", "-m", "unittest"}
		}
	}
	return nil
}

// prove compares the approved tests with the head's, and runs them. What it prints goes through,
// without the lines by which test runners only set others apart. That the tests fail is no error:
// the review says so.
func (d *demo) prove(ctx context.Context) error {
	opt := proveOptions{
		IntegrityOptions: integrityOptions(d.env), Out: evidenceName, command: d.python(),
	}
	opt.Repo, opt.Base, d.evidence = d.dir, "main", evidenceName
	d.say("$ workflow-reviewer prove -- %s", strings.Join(opt.command, " "))
	var out bytes.Buffer
	env := d.env
	env.Dir, env.Stdout, env.Stderr = d.dir, unclosed{&out}, &out
	_, err := proves(ctx, env, opt)
	for line := range strings.Lines(out.String()) {
		if strings.Trim(line, "=-.\n") != "" { // what only sets lines apart
			d.say("%s", strings.TrimSuffix(line, "\n"))
		}
	}
	return err
}

// unclosed is a writer that somebody else closes.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// begin makes the project: its main branch, and the feature branch checked out. A folder that
// holds anything is an error, so that nothing of the user's is written over.
func (d *demo) begin(dir string) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp(d.env.Temp(), "workflow-reviewer-demo-"); err != nil {
			return fmt.Errorf("make a folder for the demo: %w", err)
		}
	}
	if d.dir, err = filepath.Abs(dir); err != nil {
		return fmt.Errorf("resolve %q: %w", dir, err)
	}
	if entries, readErr := os.ReadDir(d.dir); readErr == nil && len(entries) > 0 {
		return fmt.Errorf("--dir %q is not empty; name a folder that does not exist yet", dir)
	} else if readErr != nil && !errors.Is(readErr, fs.ErrNotExist) {
		return fmt.Errorf("--dir %q: %w", dir, readErr)
	}
	if err := os.MkdirAll(d.dir, 0o755); err != nil { //nolint:gosec // the user's own project
		return fmt.Errorf("--dir %q: %w", dir, err)
	}
	if d.project, err = gitrepo.Create(d.dir); err != nil {
		return err
	}
	begins := scene{subject: "Begin the project", files: []string{"main"}}
	if err := d.commit("main", begins); err != nil {
		return err
	}
	proposes := scene{
		subject: "Propose link expiry, build slugify", files: []string{"draft", "tests"},
	}
	if err := d.commit(demoBranch, proposes); err != nil {
		return err
	}
	d.say("A sample project in %s,\nreviewed by the %s engine.", d.dir, d.engine)
	return d.project.Checkout(demoBranch)
}

// commit writes what a scene does to the sample as the next commit of a branch.
func (d *demo) commit(branch string, s scene) error {
	c := change.Commit{Subject: s.subject}
	for _, folder := range s.files {
		files, err := fs.Sub(sample, "sample/"+folder)
		if err != nil {
			return err
		}
		err = fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := fs.ReadFile(files, path)
			c.Writes = append(c.Writes, change.Write{Path: path, Content: data})
			return err
		})
		if err != nil {
			return fmt.Errorf("read the sample project: %w", err)
		}
	}
	if _, err := d.project.Commit(branch, c, d.author()); err != nil {
		return fmt.Errorf("commit the sample project: %w", err)
	}
	return nil
}

func (d *demo) author() gitrepo.Author {
	return gitrepo.Author{Name: "Ada Author", Email: "ada@example.com", When: d.env.Now()}
}

// review reviews the branch of a scene and prints what came of it. It commits to the branch as
// --apply does, since the next scene stands on that.
func (d *demo) review(ctx context.Context) (report.Report, error) {
	opt := Options{
		Repo: d.dir, Base: "main", Head: "HEAD", Apply: true, commit: d.take, quiet: true,
		Inputs: map[string]string{
			"engine": d.engine, "openai-api-key": d.env.Get("OPENAI_API_KEY"),
			"evidence": d.evidence,
		},
	}
	rep, err := Run(ctx, d.env, opt)
	if err == nil {
		shown := rep
		shown.Dir = "" // the last one is named at the end
		shown.Terminal(d.env.Stdout, report.TerminalOptions{Color: d.env.Color, Width: 80})
		for _, c := range rep.Commits {
			d.say("Committed: %s", c.Subject)
		}
	}
	return rep, err
}

// end says where to look.
func (d *demo) end(rep report.Report) {
	d.say("\nLook around; at the report last:")
	d.say("  reviews      %s", filepath.Join(d.dir, "reviews"))
	if d.evidence != "" {
		d.say("  evidence     %s", filepath.Join(d.dir, d.evidence))
	}
	d.say("  HTML report  %s", filepath.Join(rep.Dir, "report.html"))
}

func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.env.Stdout, format+"\n", args...)
}

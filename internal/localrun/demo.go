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

// sample is the demo's project: what is on its main branch, what the feature
// branch begins with, and the files that later pushes add.
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
	before  string // what is said before the push
	subject string // of the commit; "" for what is there already
	folder  string // of the sample, whose files are added; "" for none
	edits   []edit
	removes []string
	ends    workflow.Decision // other ends end the story
	proves  bool              // the approved tests are run
	merged  bool              // the pull request is merged afterwards
	after   string            // what is said of that end, with its exit status
}

// edit replaces a text that stands once in a file of the branch.
type edit struct{ file, old, new string }

// reverse is the edit that takes this one back.
func (e edit) reverse() edit { return edit{e.file, e.new, e.old} }

// The files that agents edit, and what they do to them.
const (
	sampleCode = "shortlink/slugify.py"
	sampleTest = "tests/test_slugify.py"
	addedTest  = "tests/test_redirect.py"
)

// faster are the edits that make slugify faster, and wrong.
func faster() []edit {
	return []edit{
		{
			sampleCode, "MAX_TITLE = 200\n",
			"MAX_TITLE = 200\nOTHERS = re.compile(r\"[^a-z0-9]+\")\n",
		},
		{
			sampleCode, `re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")`,
			`OTHERS.sub("-", title.lower()).rstrip("-")`,
		},
	}
}

// weaken has the test that fails then take both outcomes.
func weaken() edit {
	return edit{
		sampleTest, `assertEqual(slugify("  (spaced)  "), "spaced")`,
		`assertIn(slugify("  (spaced)  "), ("spaced", "-spaced"))`,
	}
}

// correct keeps the speed and corrects what it broke.
func correct() edit { return edit{sampleCode, `.rstrip("-")`, `.strip("-")`} }

// play plays the scenes, one after another on the same clone, until one does not end as it should.
// It returns the last report.
func (d *demo) play(ctx context.Context, dir string) (rep report.Report, err error) {
	if err := d.begin(ctx, dir); err != nil {
		return rep, err
	}
	earlier := ""
	for _, s := range d.scenes() {
		if rep, err = d.show(ctx, s, rep.NewHead); err != nil {
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
	return rep, d.end(ctx, rep)
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
			before: "2. The author answers and pushes again.", folder: "sample/fix",
			subject: "Say when a link expires and what happens then", ends: workflow.Approved,
			merged: true,
			after:  "The gate is open (exit status %d). Slugify's tests are on record as approved.",
		},
		{
			before: "3. In the next pull request an agent makes slugify faster. One test\n" +
				"   fails now; the agent changes it.",
			subject: "Make slugify faster", edits: append(faster(), weaken()),
			ends:  workflow.NeedsChanges,
			after: "Stopped (exit status %d): the test demands less than was approved.",
		},
	}
	last := scene{
		before:  "5. The author takes that file out and corrects the code.",
		subject: "Keep the promise of the approved tests", edits: []edit{correct()},
		ends: workflow.Approved, proves: d.python() != nil,
		after: "The gate is open (exit status %d): the code keeps what was promised.",
	}
	if d.python() == nil {
		last.before = "4. An agent could also add a test file that patches slugify as it is " +
			"loaded.\n" +
			"   Only a run of the approved tests shows that, and there is no python3 here\n" +
			"   to run them.\n\n" +
			"5. The author brings the approved test back and corrects the code."
		last.edits = append(last.edits, weaken().reverse())
		return append(out, last)
	}
	last.removes = []string{addedTest}
	return append(out, scene{
		before: "4. The agent brings the test back, and adds a test file. As that is loaded, it\n" +
			"   replaces what the failing test calls:\n" +
			"     slugs.slugify = lambda title: plain(title).strip(\"-\")\n" +
			"   The approved file is as it was: comparing it says nothing. Running it does.",
		subject: "Test slugs in paths", folder: "sample/patched",
		edits: []edit{weaken().reverse()}, ends: workflow.NeedsChanges, proves: true,
		after: "Stopped (exit status %d): run without what was added, the approved test fails.",
	}, last)
}

// show pushes, runs the approved tests where the scene does, and reviews.
func (d *demo) show(ctx context.Context, s scene, head string) (rep report.Report, err error) {
	d.say("\n%s", s.before)
	if s.subject != "" {
		if err := d.commit(ctx, s, head); err != nil {
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
func (d *demo) begin(ctx context.Context, dir string) (err error) {
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
	for _, step := range []struct{ branch, folder, subject string }{
		{"main", "sample/main", "Begin the project"},
		{demoBranch, "sample/draft", "Propose link expiry, build slugify"},
	} {
		c, err := demoCommit(step.folder, step.subject)
		if err != nil {
			return err
		}
		if _, err := d.project.Commit(step.branch, c, d.author()); err != nil {
			return fmt.Errorf("commit the sample project: %w", err)
		}
	}
	d.say("A sample project in %s,\nreviewed by the %s engine.", d.dir, d.engine)
	return d.project.Checkout(ctx, demoBranch)
}

// commit writes what a scene does to the sample as the next commit after head.
func (d *demo) commit(ctx context.Context, s scene, head string) error {
	c, err := demoCommit(s.folder, s.subject)
	if err != nil {
		return err
	}
	c.Deletes = s.removes
	return d.withRepo(ctx, func(repo *gitrepo.Repo) error {
		tree, err := repo.Tree(head)
		if err != nil {
			return err
		}
		edited := map[string]string{}
		for _, e := range s.edits {
			text := edited[e.file]
			if text == "" {
				data, err := tree.ReadFile(e.file)
				if err != nil {
					return err
				}
				text = string(data)
			}
			edited[e.file] = strings.Replace(text, e.old, e.new, 1)
		}
		for file, text := range edited {
			c.Writes = append(c.Writes, change.Write{Path: file, Content: []byte(text)})
		}
		_, err = repo.Apply(ctx, []change.Commit{c}, d.author(), head)
		return err
	})
}

// withRepo opens the sample project for a moment.
func (d *demo) withRepo(ctx context.Context, f func(*gitrepo.Repo) error) error {
	store, err := os.MkdirTemp(d.env.Temp(), "workflow-reviewer-work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(store) //nolint:errcheck // a temporary folder
	repo, err := gitrepo.Open(
		ctx, gitrepo.Options{Workspace: d.dir, Dir: filepath.Join(store, "store")},
	)
	if err != nil {
		return err
	}
	return errors.Join(f(repo), repo.Close())
}

// demoCommit is a folder of the sample as one commit, an empty one without a folder.
func demoCommit(folder, subject string) (change.Commit, error) {
	c := change.Commit{Subject: subject}
	if folder == "" {
		return c, nil
	}
	err := fs.WalkDir(sample, folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := sample.ReadFile(path)
		c.Writes = append(
			c.Writes, change.Write{Path: strings.TrimPrefix(path, folder+"/"), Content: data},
		)
		return err
	})
	if err != nil {
		return c, fmt.Errorf("read the sample project: %w", err)
	}
	return c, nil
}

func (d *demo) author() gitrepo.Author {
	return gitrepo.Author{Name: "Ada Author", Email: "ada@example.com", When: d.env.Now()}
}

// review reviews the branch of a scene and prints what came of it. It commits to the branch as
// --apply does, since the next scene stands on that.
func (d *demo) review(ctx context.Context) (report.Report, error) {
	opt := Options{
		Repo: d.dir, Base: "main", Head: "HEAD", Apply: true, quiet: true,
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
	}
	return rep, err
}

// end says what the branch holds now, and where to look.
func (d *demo) end(ctx context.Context, rep report.Report) error {
	d.say("\nThe branch now, newest first:")
	err := d.withRepo(ctx, func(repo *gitrepo.Repo) error { return d.log(ctx, repo) })
	if err != nil {
		return err
	}
	d.say("\nLook around; at the report last:")
	d.say("  reviews      %s", filepath.Join(d.dir, "reviews"))
	if d.evidence != "" {
		d.say("  evidence     %s", filepath.Join(d.dir, d.evidence))
	}
	d.say("  HTML report  %s", filepath.Join(rep.Dir, "report.html"))
	return nil
}

// log prints the newest commits of the branch, by first parents.
func (d *demo) log(ctx context.Context, repo *gitrepo.Repo) error {
	const shown = 8
	sha, err := repo.Resolve(ctx, "HEAD")
	for n := 0; n < shown && err == nil && sha != ""; n++ {
		var c gitrepo.CommitInfo
		if c, err = repo.Commit(sha); err == nil {
			d.say("  %s %s", sha[:7], c.Subject)
			sha = ""
			if len(c.Parents) > 0 {
				sha = c.Parents[0]
			}
		}
	}
	return err
}

func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.env.Stdout, format+"\n", args...)
}

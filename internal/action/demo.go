package action

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// sample is the demo's project: what is on its main branch, what the feature
// branch begins with, and what is committed after each review.
//
//go:embed all:sample
var sample embed.FS

const demoBranch = "feature/slugify"

func runDemo(ctx context.Context, env Env, args []string) int {
	fset := flag.NewFlagSet("demo", flag.ContinueOnError)
	dir := fset.String("dir", "", "`DIR` to write the sample project into (default: a new temporary folder)")
	engine := fset.String("engine", "rules", "`ENGINE` that reviews: rules or codex (needs OPENAI_API_KEY)")
	if err := parseFlags(fset, args, env.Stderr); err != nil {
		return flagsExit(err)
	}
	d := &demo{env: env, engine: *engine}
	rep, err := d.play(ctx, *dir)
	if err != nil {
		complain(env.Stderr, err)
		return exitNotRun
	}
	return rep.Decision.ExitCode()
}

// demo tells the story of one pull request on a sample project.
type demo struct {
	env    Env
	engine string
	dir    string
}

func (d *demo) play(ctx context.Context, dir string) (report.Report, error) {
	if err := d.begin(ctx, dir); err != nil {
		return report.Report{}, err
	}
	d.say("1. An agent pushes a branch: a spec for link expiry, and slugify with its tests.")
	first, err := d.review(ctx)
	if err != nil || first.Decision != workflow.NeedsChanges {
		return first, err
	}
	d.say("\nThe gate is closed (exit status %d). The reviews are committed beside the code.", first.Decision.ExitCode())
	d.say("\n2. The author answers the review and pushes again.")
	if err := d.commit(ctx, "sample/fix", "Say when a link expires and what happens then", first.NewHead); err != nil {
		return first, err
	}
	second, err := d.review(ctx)
	if err != nil || second.Decision != workflow.Approved {
		return second, err
	}
	return d.weaken(ctx, second.NewHead)
}

// weaken tells what becomes of an agent that changes an approved test to suit its
// code, and of the branch when the test is back.
func (d *demo) weaken(ctx context.Context, head string) (report.Report, error) {
	d.say("\nThe gate is open. The tests of slugify are recorded as approved: this project's")
	d.say("config has the built-in checks stand in for a reader (approvals.by_rules).")
	d.say("\n3. An agent makes slugify faster. One test fails now; the agent changes it.")
	if err := d.commit(ctx, "sample/weakened", "Make slugify faster", head); err != nil {
		return report.Report{}, err
	}
	stopped, err := d.review(ctx)
	if err != nil {
		return stopped, err
	}
	d.say("\nStopped (exit status %d): the test demands less than was approved.", stopped.Decision.ExitCode())
	d.say("\n4. The author has the approved test back, and mends the code instead.")
	if err := d.commit(ctx, "sample/mended", "Bring the approved test back, and keep its promise", stopped.NewHead); err != nil {
		return stopped, err
	}
	last, err := d.review(ctx)
	if err != nil {
		return last, err
	}
	return last, d.end(ctx, last)
}

// begin makes the project: its main branch, and the feature branch checked out.
func (d *demo) begin(ctx context.Context, dir string) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp(d.env.temp(), "workflow-reviewer-demo-"); err != nil {
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
	b, err := gitrepo.Create(d.dir)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // nothing is written on close
	for _, step := range []struct{ branch, folder, subject string }{
		{"main", "sample/main", "Begin the project"},
		{demoBranch, "sample/draft", "Propose link expiry, build slugify"},
	} {
		c, err := demoCommit(step.folder, step.subject)
		if err != nil {
			return err
		}
		if _, err := b.Commit(step.branch, c, d.author()); err != nil {
			return fmt.Errorf("commit the sample project: %w", err)
		}
	}
	d.say("A sample project in %s,\nreviewed by the %s engine.\n", d.dir, d.engine)
	return b.Checkout(ctx, demoBranch)
}

// commit writes a folder of the sample as the next commit after head.
func (d *demo) commit(ctx context.Context, folder, subject, head string) error {
	c, err := demoCommit(folder, subject)
	if err != nil {
		return err
	}
	return d.withRepo(ctx, func(repo *gitrepo.Repo) error {
		_, err := repo.Apply(ctx, []change.Commit{c}, d.author(), head)
		return err
	})
}

// withRepo opens the sample project for a moment.
func (d *demo) withRepo(ctx context.Context, f func(*gitrepo.Repo) error) error {
	store, err := os.MkdirTemp(d.env.temp(), "workflow-reviewer-work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(store) //nolint:errcheck // a temporary folder
	repo, err := gitrepo.Open(ctx, gitrepo.Options{Workspace: d.dir, Dir: filepath.Join(store, "store")})
	if err != nil {
		return err
	}
	return errors.Join(f(repo), repo.Close())
}

// demoCommit is a folder of the sample as one commit.
func demoCommit(folder, subject string) (change.Commit, error) {
	c := change.Commit{Subject: subject}
	err := fs.WalkDir(sample, folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := sample.ReadFile(path)
		c.Writes = append(c.Writes, change.Write{Path: strings.TrimPrefix(path, folder+"/"), Content: data})
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

func (d *demo) review(ctx context.Context) (report.Report, error) {
	opt := localOptions{repo: d.dir, base: "main", head: "HEAD", apply: true, inputs: map[string]string{
		"engine": d.engine, "openai-api-key": d.env.get("OPENAI_API_KEY"),
	}}
	rep, err := localRun(ctx, d.env, opt)
	if err == nil {
		rep.Terminal(d.env.Stdout, report.TerminalOptions{Color: d.env.Color, Width: 80})
	}
	return rep, err
}

func (d *demo) end(ctx context.Context, rep report.Report) error {
	if rep.Decision.ExitCode() == 0 {
		d.say("\nThe gate is open (exit status 0). What is approved has moved on.")
	} else {
		d.say("\nThe gate stays closed (exit status %d).", rep.Decision.ExitCode())
	}
	d.say("\nThe branch now, newest first:")
	if err := d.withRepo(ctx, func(repo *gitrepo.Repo) error { return d.log(ctx, repo) }); err != nil {
		return err
	}
	d.say("\nLook around:")
	d.say("  reviews      %s", filepath.Join(d.dir, "reviews"))
	d.say("  HTML report  %s", filepath.Join(rep.Dir, "report.html"))
	return nil
}

// log prints the branch's history by first parents.
func (d *demo) log(ctx context.Context, repo *gitrepo.Repo) error {
	sha, err := repo.Resolve(ctx, "HEAD")
	for err == nil && sha != "" {
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

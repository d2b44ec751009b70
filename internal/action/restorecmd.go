package action

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/prove"
	"workflow-reviewer/internal/prove/swap"
	"workflow-reviewer/internal/record"
)

// restoreOptions are the flags of the restore command.
type restoreOptions struct {
	integrityOptions
	dryRun, force bool
}

// runRestore writes the approved tests, and what they are run with, over the
// work tree, so that what runs next is what was approved.
func runRestore(ctx context.Context, env Env, args []string) int {
	opt := restoreOptions{integrityOptions: integrityOptions{config: config.DefaultPath}}
	fs := flag.NewFlagSet("restore", flag.ContinueOnError)
	fs.StringVar(&opt.repo, "repo", env.Dir, "`DIR` of the repository")
	fs.StringVar(&opt.base, "base", "", "`REV` whose approval records count (default: the default branch)")
	fs.StringVar(&opt.head, "head", "HEAD", "`REV` that is checked out")
	fs.StringVar(&opt.feature, "feature", "", "restore only the tests of this `FEATURE`")
	fs.BoolVar(&opt.dryRun, "dry-run", false, "say what would be restored, and write nothing")
	fs.BoolVar(&opt.force, "force", false, "write over changes that are not committed, too")
	if err := parseFlags(fs, args, env.Stderr); err != nil {
		return flagsExit(err)
	}
	if err := restore(ctx, env, opt); err != nil {
		complain(env.Stderr, err)
		return exitNotRun
	}
	return 0
}

func restore(ctx context.Context, env Env, opt restoreOptions) (err error) {
	opened, err := openClone(ctx, env, opt.repo)
	if err != nil {
		return err
	}
	defer opened.release(&err)
	repo := opened.Repo
	i, notices, err := inspect(ctx, env, repo, opt.integrityOptions)
	if err != nil {
		return err
	}
	for _, n := range notices {
		env.say("warning: " + n.Text)
	}
	baselines, err := i.restorable(ctx)
	if err != nil {
		return err
	}
	files, err := i.approvedContents(ctx, baselines)
	if err != nil {
		return err
	}
	if err := writeApproved(ctx, env, repo, slices.Collect(maps.Values(files)), opt); err != nil {
		return err
	}
	return i.warnOfOthers(ctx, env, baselines, files)
}

// writeApproved writes approved files over the work tree and says which differed. Unless forced it writes
// nothing where that would lose work: the error names the files.
func writeApproved(
	ctx context.Context, env Env, repo *gitrepo.Repo, files []gitrepo.RestoredFile, opt restoreOptions,
) error {
	differing, err := repo.Differing(files)
	if err != nil {
		return err
	}
	paths := make([]string, len(differing))
	for n, f := range differing {
		paths[n] = f.Path
	}
	slices.Sort(paths)
	lost, err := repo.Uncommitted(ctx, paths)
	if err != nil {
		return fmt.Errorf("look for changes that are not committed: %w", err)
	}
	done := map[bool]string{true: "would restore ", false: "restored "}[opt.dryRun]
	switch {
	case opt.dryRun:
		for _, p := range lost {
			env.say("warning: " + p + " has changes that are not committed: nothing is restored without --force")
		}
	case len(lost) > 0 && !opt.force:
		return fmt.Errorf("nothing was restored: these approved files have changes that are not committed: %s; "+
			"commit or stash them, or lose them with --force", strings.Join(lost, ", "))
	default:
		if err := writeOver(env, repo, differing); err != nil {
			return fmt.Errorf("nothing was restored: %w", err)
		}
	}
	for _, p := range paths {
		env.say(done + p)
	}
	end := map[bool]string{true: "would be restored", false: "are restored"}[opt.dryRun]
	env.say(fmt.Sprintf("Approved files: %d, of which %d differed and %s.", len(files), len(paths), end))
	return nil
}

// writeOver writes files over the work tree, all of them or none.
func writeOver(env Env, repo *gitrepo.Repo, files []gitrepo.RestoredFile) (err error) {
	if len(files) == 0 {
		return nil
	}
	tree, err := openTree(env, repo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	var changes []swap.Change
	for _, f := range files {
		changes = append(changes, swap.Change{Path: f.Path, File: &swap.File{Mode: f.Mode, Data: f.Content}})
	}
	if err := tree.Apply(changes, nil); err != nil {
		return err
	}
	own := gitrepo.Adopt(tree.Root())
	for _, f := range files {
		for p := f.Path; p != "."; p = path.Dir(p) {
			err = errors.Join(err, own(filepath.Join(tree.Root(), filepath.FromSlash(p))))
		}
	}
	if err != nil {
		return errors.Join(err, tree.Undo())
	}
	return tree.Settle()
}

// say prints a line of which parts may be foreign.
func (e Env) say(s string) { fmt.Fprintln(e.Stdout, markdown.Line(s, 0)) }

// restorable are the baselines that were approved. It is an error if there is
// none, or if it cannot be found out what was approved.
func (i inspection) restorable(ctx context.Context) ([]baseline.Baseline, error) {
	if i.only == "" {
		i.asked = nil // what is on record, whatever the change touches
	}
	found, err := baseline.Find(ctx, i.features(), i.options())
	if err != nil {
		return nil, err
	}
	var out []baseline.Baseline
	for _, b := range found {
		switch {
		case i.only != "" && b.Feature != i.only:
		case b.Unknown:
			return nil, fmt.Errorf("it cannot be found out which tests of %s were approved: %s", b.Feature, b.Missing)
		case b.Known():
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no approved tests were found%s: the base %s has no approval record, nor has the branch",
			map[bool]string{true: " of " + i.only}[i.only != ""], short(i.set.Base))
	}
	return out, nil
}

// approvedContents are the approved files by path.
func (i inspection) approvedContents(ctx context.Context, sets []baseline.Baseline) (map[string]gitrepo.RestoredFile, error) {
	out := map[string]gitrepo.RestoredFile{}
	for _, f := range prove.Choose(sets, i.set.BaseTree) {
		content, err := approvedBlob(ctx, i.repo, sets, f.Blob)
		if errors.Is(err, change.ErrLFSPointer) {
			if e, err := i.set.HeadTree.Stat(f.Path); err == nil && e.Blob == f.Blob {
				continue // the pointer is the approved one, so is what it was replaced by
			}
		}
		if err != nil {
			return nil, fmt.Errorf("read the approved %q: %w", f.Path, err)
		}
		out[f.Path] = gitrepo.RestoredFile{Path: f.Path, Mode: f.Mode, Content: content}
	}
	return out, nil
}

// warnOfOthers names files that nobody approved and that decide all the same what runs: they were not touched.
func (i inspection) warnOfOthers(
	ctx context.Context, env Env, baselines []baseline.Baseline, restored map[string]gitrepo.RestoredFile,
) error {
	for _, b := range baselines {
		if b.Unauthenticated != "" {
			env.say(fmt.Sprintf("warning: %s: unauthenticated: %s; whether the approval is forged is for the review to find",
				b.Feature, b.Unauthenticated))
		}
		for _, v := range b.Tampered {
			env.say(fmt.Sprintf("warning: %s: %s", v.File, v.Description))
		}
	}
	i.policy.Workarounds = "off"
	out, err := i.check(ctx, baselines)
	if err != nil {
		return err
	}
	for _, v := range out.Breaches() {
		if _, ok := restored[v.File]; !ok && v.Type != violation.Tampering {
			env.say(fmt.Sprintf("warning: %s is not approved and stays: %s", record.Location(v.File, v.Line), v.Description))
		}
	}
	for _, a := range out.Asks {
		if _, ok := restored[a.File]; !ok {
			env.say(fmt.Sprintf("warning: %s is not approved and stays: %s", record.Location(a.File, a.At), a.Question.Question))
		}
	}
	return nil
}

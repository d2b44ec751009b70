package localrun

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/inspect"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/prove"
	"workflow-reviewer/internal/prove/swap"
)

// restoreOptions are the flags of the restore command.
type restoreOptions struct {
	IntegrityOptions
	DryRun bool `flag:"dry-run" usage:"say what would be restored, and write nothing"`
	Force  bool `flag:"force" usage:"write over changes that are not committed, too"`
}

// Restore writes the approved tests, and what they are run with, over the
// work tree, so that what runs next is what was approved.
func Restore(ctx context.Context, env process.Env, args []string) int {
	opt := restoreOptions{IntegrityOptions: integrityOptions(env)}
	if err := cli.ParseFlags(cli.Flags("restore", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	return cli.Exit(env.Stderr, restore(ctx, env, opt))
}

// restore writes the approved files over the work tree, or says what it would write. Nothing is
// written if one of them has changes that are not committed. An approved file that cannot be read
// is an error before anything is written.
func restore(ctx context.Context, env process.Env, opt restoreOptions) (err error) {
	opened, err := OpenClone(ctx, env, opt.Repo)
	if err != nil {
		return err
	}
	defer opened.Release(&err)
	repo := opened.Repo
	i, notices, err := inspectRefs(ctx, env, repo, opt.IntegrityOptions)
	if err != nil {
		return err
	}
	for _, n := range notices {
		say(env, "warning: "+n.Text)
	}
	baselines, err := i.ApprovedBaselines(ctx)
	if err != nil {
		return err
	}
	files, err := approvedContents(ctx, i, baselines)
	if err != nil {
		return err
	}
	if err := writeApproved(ctx, env, repo, slices.Collect(maps.Values(files)), opt); err != nil {
		return err
	}
	return warnOfOthers(ctx, env, i, baselines, files)
}

// writeApproved writes approved files over the work tree and says which differed. Unless forced it
// writes nothing where that would lose work: the error names the files.
func writeApproved(
	ctx context.Context,
	env process.Env,
	repo *gitrepo.Repo,
	files []gitrepo.RestoredFile,
	opt restoreOptions,
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
	done := map[bool]string{true: "would restore ", false: "restored "}[opt.DryRun]
	switch {
	case opt.DryRun:
		for _, p := range lost {
			say(
				env,
				"warning: "+p+" has changes that are not committed: "+
					"nothing is restored without --force",
			)
		}
	case len(lost) > 0 && !opt.Force:
		return fmt.Errorf(
			"nothing was restored: these approved files have changes that are not committed: %s; "+
				"commit or stash them, or lose them with --force",
			strings.Join(lost, ", "),
		)
	default:
		if err := writeOver(env, repo, differing); err != nil {
			return fmt.Errorf("nothing was restored: %w", err)
		}
	}
	for _, p := range paths {
		say(env, done+p)
	}
	end := map[bool]string{true: "would be restored", false: "are restored"}[opt.DryRun]
	say(
		env,
		fmt.Sprintf(
			"Approved files: %d, of which %d differed and %s.", len(files), len(paths), end,
		),
	)
	return nil
}

// writeOver writes files over the work tree, all of them or none. It goes by the journal of prove,
// so that an interruption is put right by the next call.
func writeOver(env process.Env, repo *gitrepo.Repo, files []gitrepo.RestoredFile) (err error) {
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
		changes = append(
			changes, swap.Change{Path: f.Path, File: &swap.File{Mode: f.Mode, Data: f.Content}},
		)
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
func say(env process.Env, s string) { fmt.Fprintln(env.Stdout, markdown.Line(s, 0)) }

// approvedContents are the approved files by path.
func approvedContents(
	ctx context.Context, i inspect.Inspection, sets []baseline.Baseline,
) (map[string]gitrepo.RestoredFile, error) {
	out := map[string]gitrepo.RestoredFile{}
	for _, f := range prove.Choose(sets, i.Set.BaseTree) {
		content, err := approvedBlob(ctx, i.Repo, sets, f.Blob)
		if errors.Is(err, change.ErrLFSPointer) {
			if e, err := i.Set.HeadTree.Stat(f.Path); err == nil && e.Blob == f.Blob {
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

// warnOfOthers names files that nobody approved and that decide all the same what runs: they were
// not touched.
func warnOfOthers(
	ctx context.Context,
	env process.Env,
	i inspect.Inspection,
	baselines []baseline.Baseline,
	restored map[string]gitrepo.RestoredFile,
) error {
	for _, b := range baselines {
		if b.Unauthenticated != "" {
			say(
				env,
				fmt.Sprintf(
					"warning: %s: unauthenticated: %s; whether the approval is forged is for the "+
						"review to find",
					b.Feature, b.Unauthenticated,
				),
			)
		}
		for _, v := range b.Tampered {
			say(env, fmt.Sprintf("warning: %s: %s", v.File, v.Text))
		}
	}
	i.Policy.Workarounds = "off"
	out, err := i.Compare(ctx, baselines)
	stays := func(file string, line int, why string) {
		if _, ok := restored[file]; !ok {
			say(env, fmt.Sprintf(
				"warning: %s is not approved and stays: %s", form.Location(file, line), why,
			))
		}
	}
	for _, v := range out.Breaches() {
		if v.Category != violation.Tampering {
			stays(v.File, v.Line, v.Text)
		}
	}
	for _, a := range out.Asks {
		stays(a.File, a.At, a.Finding.Text)
	}
	return err
}

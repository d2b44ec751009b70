package localrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	proof "workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/inspect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/prove"
	"workflow-reviewer/internal/prove/swap"
)

// proveOptions are the flags of the prove command, and the command behind them.
type proveOptions struct {
	IntegrityOptions
	Results []string `flag:"results" arg:"GLOB" usage:"GLOB of the JUnit or go test -json files that the command writes"`
	Out     string   `flag:"out"     arg:"FILE" usage:"FILE for the evidence"`
	Keep    bool     `flag:"keep"               usage:"leave the approved tests in the work tree; the next prove puts it back"`
	Red     bool     `flag:"red"                usage:"show that the new and changed tests fail without the change"`
	command []string
}

// evidenceName is where evidence goes unless told otherwise.
const evidenceName = "evidence.json"

// parseProve reads the flags of prove and the command behind them. No command is an error.
func parseProve(env process.Env, args []string) (proveOptions, error) {
	opt := proveOptions{IntegrityOptions: integrityOptions(env), Out: evidenceName}
	fs := cli.Flags("prove", &opt)
	if err := cli.Parse(fs, args, env.Stderr); err != nil {
		return opt, err
	}
	opt.command = fs.Args()
	switch {
	case len(opt.command) == 0:
		return opt, cli.Misused(
			fs, env.Stderr,
			errors.New("no command: write it after --, such as prove -- python3 -m pytest"),
		)
	case opt.Approved != "" && opt.Base != "":
		return opt, cli.Misused(
			fs, env.Stderr, errors.New("--approved and --base exclude each other"),
		)
	case opt.Red && opt.Keep:
		return opt, cli.Misused(fs, env.Stderr, errors.New("--red and --keep exclude each other"))
	}
	return opt, nil
}

// Prove runs the approved tests against the head that is checked out, and writes what came of it.
// It ends with 0 if they pass, 1 if they do not, 2 if they were not run; then nothing has changed.
func Prove(ctx context.Context, env process.Env, args []string) int {
	opt, err := parseProve(env, args)
	if err != nil {
		return cli.FlagsExit(err)
	}
	outcome, err := proves(ctx, env, opt)
	switch {
	case err != nil:
		cli.Complain(env.Stderr, err)
		return cli.NotRun
	case outcome != proof.Passed:
		return cli.Fails
	default:
		return 0
	}
}

// note prints a line of prove beside the command's own output.
func note(env process.Env, s string) { fmt.Fprintln(env.Stderr, "prove: "+markdown.Line(s, 0)) }

// proves is the command between its flags and its exit status.
func proves(
	ctx context.Context, env process.Env, opt proveOptions,
) (outcome proof.Outcome, err error) {
	dir, err := filepath.Abs(opt.Repo)
	if err != nil {
		return outcome, err
	}
	opened, err := OpenClone(ctx, env, dir)
	if err != nil {
		return outcome, err
	}
	defer opened.Release(&err)
	repo := opened.Repo
	tree, err := openTree(env, repo)
	if err != nil {
		return outcome, fmt.Errorf("%s: %w", opt.Repo, err)
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	root := tree.Root()
	if err := mustBeClean(ctx, repo); err != nil {
		return outcome, err
	}
	o, err := proofOf(ctx, env, repo, opt)
	if err != nil {
		return outcome, err
	}
	o.Tree, o.Command.Dir = tree, dir
	file, err := evidenceFile(o.Set, root, dir, opt.Out)
	if err != nil {
		return outcome, err
	}
	o.Untracked = slices.DeleteFunc(
		o.Untracked,
		func(p string) bool { return filepath.Join(root, filepath.FromSlash(p)) == file },
	)
	return provesInto(ctx, o, file)
}

// openTree takes the work tree for this process, as it was before an earlier call that did not
// end. Two calls at a time are refused by the tree's lock. A note says if an earlier call was put
// right.
func openTree(env process.Env, repo *gitrepo.Repo) (*swap.Tree, error) {
	root, gitDir, err := repo.Folders()
	if err != nil {
		return nil, err
	}
	tree, mended, err := swap.Open(root, gitDir, repo.Raw)
	if mended {
		note(
			env,
			"An earlier call was interrupted, or kept its files: the work tree is as it was "+
				"before it.",
		)
	}
	return tree, err
}

// provesInto runs the tests and writes the evidence. Where there is none, what the command put in
// its place goes. Evidence of an earlier run stays only where the command left it untouched: what
// a failed run wrote must not be taken for evidence.
func provesInto(ctx context.Context, o prove.Options, file string) (proof.Outcome, error) {
	before, _ := os.Lstat(file)
	e, outcome, err := prove.Run(ctx, o)
	if err == nil {
		return outcome, prove.Write(e, file)
	}
	if after, statErr := os.Lstat(file); statErr == nil &&
		(before == nil || !os.SameFile(before, after) ||
			!before.ModTime().Equal(after.ModTime())) {
		err = errors.Join(err, os.Remove(file))
	}
	return outcome, err
}

// mustBeClean names the files that differ from the commit.
func mustBeClean(ctx context.Context, repo *gitrepo.Repo) error {
	dirty, err := repo.WorktreeDirty(ctx)
	if err != nil {
		return fmt.Errorf("look for changes that are not committed: %w", err)
	}
	if len(dirty) == 0 {
		return nil
	}
	more := ""
	if n := len(dirty) - 10; n > 0 {
		dirty, more = dirty[:10], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf(
		"nothing was run: these files have changes that are not committed: %s%s; commit or stash "+
			"them first",
		strings.Join(dirty, ", "), more,
	)
}

// evidenceFile is where the evidence goes: into a folder that is there, and neither into git's own
// nor over a file of the repository, which would be changed by it.
func evidenceFile(set change.Set, root, dir, out string) (string, error) {
	given := out
	if !filepath.IsAbs(out) {
		out = filepath.Join(dir, out)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(out))
	if err != nil {
		return "", fmt.Errorf("--out %s: %w; make the folder first", given, err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, filepath.Join(folder, filepath.Base(out)))
	if err != nil || !filepath.IsLocal(rel) {
		return out, nil //nolint:nilerr // it is elsewhere
	}
	rel = filepath.ToSlash(rel)
	if top, _, _ := strings.Cut(rel, "/"); strings.EqualFold(top, ".git") {
		return "", fmt.Errorf("--out %s: that is git's own folder: name another", given)
	}
	if _, err := set.HeadTree.Stat(rel); err == nil {
		return "", fmt.Errorf(
			"--out %s: the repository has a file there: name another, or take the file out of "+
				"the repository", rel,
		)
	}
	return out, nil
}

// proofOf finds out what was approved, and how the head differs.
func proofOf(
	ctx context.Context, env process.Env, repo *gitrepo.Repo, opt proveOptions,
) (o prove.Options, err error) {
	i, notices, err := inspectRefs(ctx, env, repo, opt.IntegrityOptions)
	if err != nil {
		return o, err
	}
	for _, n := range notices {
		note(env, "warning: "+n.Text)
	}
	set := i.Set
	o = prove.Options{
		Command: prove.Command{
			Args: opt.command, Env: env.List(), Stdout: env.Stdout, Stderr: env.Stderr,
		},
		Results: opt.Results, Keep: opt.Keep, Red: opt.Red,
		Tool: "workflow-reviewer " + env.Version, Log: func(s string) { note(env, s) },
	}
	o.Set, o.Role = set, i.Lookup.Role
	if o.Untracked, err = repo.Untracked(ctx); err != nil {
		return o, err
	}
	head, err := repo.Commit(set.Head)
	if err != nil {
		return o, err
	}
	o.Parents = head.Parents
	var sets []baseline.Baseline
	if !opt.Red {
		if sets, err = approvedSets(ctx, i, opt); err != nil {
			return o, err
		}
	}
	for _, b := range sets {
		record := b.Blob
		if record == "" {
			record = b.Commit
		}
		o.Sets = append(o.Sets, proof.Approved{Feature: b.Feature, Record: record})
	}
	implied, _, err := integrity.Implied(ctx, set.MergeBaseTree, sets, i.Policy.Protect)
	if err != nil {
		return o, err
	}
	o.Approved = prove.Choose(append(sets, baseline.Baseline{Files: implied}), set.BaseTree)
	o.Content = func(blob string) ([]byte, error) { return approvedBlob(ctx, repo, sets, blob) }
	return o, nil
}

// approvedSets are the approved tests; it is an error if there are none. A feature that is not
// known is an error too, as it would prove nothing and pass.
func approvedSets(
	ctx context.Context, i inspect.Inspection, opt proveOptions,
) ([]baseline.Baseline, error) {
	if opt.Approved == "" {
		return i.ApprovedBaselines(ctx)
	}
	b, err := i.GivenBaseline(ctx, opt.Feature)
	if err == nil && !b.Known() {
		err = errors.New(b.Missing)
	}
	return []baseline.Baseline{b}, err
}

// approvedBlob reads a blob; one that is not at hand is fetched with the commit that was approved.
func approvedBlob(
	ctx context.Context, repo *gitrepo.Repo, sets []baseline.Baseline, blob string,
) ([]byte, error) {
	data, err := repo.Blob(blob)
	if err == nil || errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrLFSPointer) {
		return data, err
	}
	for _, b := range sets {
		for _, commit := range []string{b.Head, b.Commit} {
			if commit == "" || repo.Fetch(ctx, commit) != nil {
				continue
			}
			if data, again := repo.Blob(blob); again == nil {
				return data, nil
			}
		}
	}
	return nil, fmt.Errorf(`%w; check out with "fetch-depth: 0"`, err)
}

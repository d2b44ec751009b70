package action

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
)

// runRestore writes the approved tests, and what they are run with, over the
// work tree, so that what runs next is what was approved.
func runRestore(ctx context.Context, env Env, args []string) int {
	opt := integrityOptions{config: config.DefaultPath}
	fs := flag.NewFlagSet("restore", flag.ContinueOnError)
	fs.StringVar(&opt.repo, "repo", env.Dir, "`DIR` of the repository")
	fs.StringVar(&opt.base, "base", "", "`REV` whose approval records count (default: the default branch)")
	fs.StringVar(&opt.head, "head", "HEAD", "`REV` that is checked out")
	fs.StringVar(&opt.feature, "feature", "", "restore only the tests of this `FEATURE`")
	if err := parseFlags(fs, args, env.Stderr); err != nil {
		return flagsExit(err)
	}
	if err := restore(ctx, env, opt); err != nil {
		complain(env.Stderr, err)
		return exitNotRun
	}
	return 0
}

func restore(ctx context.Context, env Env, opt integrityOptions) (err error) {
	work, err := os.MkdirTemp(env.temp(), "workflow-reviewer-work-")
	if err != nil {
		return fmt.Errorf("make a working folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	repo, err := gitrepo.Open(ctx, gitrepo.Options{Workspace: workspaceOf(opt.repo), Dir: storeIn(work)})
	if err != nil {
		return fmt.Errorf("open the repository %s: %w", opt.repo, err)
	}
	defer repo.Close() //nolint:errcheck // the store is a temporary folder
	set, notices, err := integritySet(ctx, env, repo, opt)
	if err != nil {
		return err
	}
	for _, n := range notices {
		env.say("warning: " + n.Text)
	}
	cfg, err := integrityConfig(repo, opt, set.Base)
	if err != nil {
		return err
	}
	lookup, err := detect.NewLookup(set, detect.Options{
		Globs: cfg.Globs, Features: cfg.Features, Ignore: cfg.Ignore, Branch: localBranch(repo, opt.head),
	})
	if err != nil {
		return err
	}
	i := inspection{repo: repo, policy: cfg.Integrity, set: set, lookup: lookup, only: opt.feature, today: env.Now().UTC()}
	baselines, err := i.restorable(ctx)
	if err != nil {
		return err
	}
	files, err := i.approvedContents(baselines)
	if err != nil {
		return err
	}
	differed, err := repo.Restore(slices.Collect(maps.Values(files)))
	slices.Sort(differed)
	for _, p := range differed {
		env.say("restored " + p)
	}
	if err != nil {
		return err
	}
	env.say(fmt.Sprintf("Approved files: %d, of which %d differed and are restored.", len(files), len(differed)))
	return i.warnOfOthers(ctx, env, baselines, files)
}

// say prints a line of which parts may be foreign.
func (e Env) say(s string) { fmt.Fprintln(e.Stdout, markdown.Line(s, 0)) }

// restorable are the baselines that were approved. It is an error if there is
// none, or if it cannot be found out what was approved.
func (i inspection) restorable(ctx context.Context) ([]baseline.Baseline, error) {
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

// approvedContents are the approved files by path. Of several approvals of a
// file the base's own version counts, else the newest.
func (i inspection) approvedContents(baselines []baseline.Baseline) (map[string]gitrepo.RestoredFile, error) {
	slices.SortStableFunc(baselines, func(a, b baseline.Baseline) int { return cmp.Compare(a.Revision, b.Revision) })
	chosen := map[string]approval.File{}
	trees := []change.Tree{i.set.BaseTree, i.set.MergeBaseTree, i.set.HeadTree}
	for _, b := range baselines {
		trees = append(trees, b.Trees...)
		for _, f := range b.Files {
			if was, ok := chosen[f.Path]; ok {
				if e, err := i.set.BaseTree.Stat(f.Path); err == nil && e.Blob == was.Blob {
					continue
				}
			}
			chosen[f.Path] = f
		}
	}
	out := map[string]gitrepo.RestoredFile{}
	for p, f := range chosen {
		content, err := contentOf(trees, f)
		if err != nil {
			return nil, fmt.Errorf("read the approved %q: %w", p, err)
		}
		if len(content) < 1024 && bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/spec/")) {
			if e, err := i.set.HeadTree.Stat(p); err == nil && e.Blob == f.Blob {
				continue // the pointer is the approved one, so is what it was replaced by
			}
			return nil, fmt.Errorf("restore %q: its content is in Git LFS, where this program does not get it", p)
		}
		out[p] = gitrepo.RestoredFile{Path: p, Mode: f.Mode, Content: content}
	}
	return out, nil
}

// contentOf reads an approved file from the first tree that has it.
func contentOf(trees []change.Tree, f approval.File) ([]byte, error) {
	for _, t := range trees {
		if e, err := t.Stat(f.Path); err == nil && e.Blob == f.Blob {
			return t.ReadFile(f.Path)
		}
	}
	return nil, fmt.Errorf(`no commit at hand holds blob %s; check out with "fetch-depth: 0"`, short(f.Blob))
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
	return nil
}

package baseline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// older looks for an approval from before there were records: the commit that brought the newest
// approving review of the base, else the newest commit of the base with the subject of an approval.
// missing says why it cannot be found out whether there is one, "" if there is none.
func (f *finder) older(ctx context.Context, b *Baseline) (missing string, err error) {
	c, at, missing, err := f.approvalCommit(ctx, b)
	if err != nil || c.SHA == "" {
		return missing, err
	}
	tree, err := f.History.Tree(ctx, c.SHA)
	if err != nil {
		const text = "the files of the approving commit %s cannot be read: %v"
		return fmt.Sprintf(text, change.Short(c.SHA), err), ctx.Err()
	}
	tests, err := f.Tests(tree, b.Feature)
	if err != nil {
		return "", err
	}
	for _, w := range f.reviewed(at) {
		if _, err := tree.Stat(w.Path); err == nil && !slices.Contains(tests, w.Path) {
			tests = append(tests, w.Path)
		}
	}
	if len(tests) == 0 {
		return fmt.Sprintf("the approving commit %s holds no test that is %s's by its path",
			change.Short(c.SHA), b.Feature), nil
	}
	files, notices, err := approval.Collect(ctx, tree,
		approval.Options{Tests: tests, Protect: f.Protect})
	if err != nil {
		return "", err
	}
	b.Commit, b.Path, b.Files = c.SHA, at.Path, files
	b.Notices = append(b.Notices, notices...)
	if at.Path != "" {
		b.Source, b.Trust = Review, "no record; the review "+at.Path+" came with this commit"
	} else {
		b.Source, b.Trust = Message, "no record; found by the commit's subject on the base"
	}
	return "", nil
}

// approvalCommit finds the commit on the base that approved a feature's tests.
func (f *finder) approvalCommit(ctx context.Context,
	b *Baseline,
) (c Commit, review record.Record, missing string, err error) {
	reviews, err := f.Reviews()
	if err != nil {
		return c, review, "", err
	}
	for _, r := range slices.Backward(reviews) {
		if !approves(r) || !detect.SameFeature(r.Feature, b.Feature) {
			continue
		}
		c, found, err := f.History.Brought(ctx, r.Path, r.Blob, f.Set.Base)
		switch {
		case ctx.Err() != nil:
			return c, r, "", ctx.Err()
		case err != nil:
			return Commit{}, r, fmt.Sprintf("it cannot be found out which commit brought %s: %v",
				r.Path, err), nil
		case found:
			return c, r, "", nil
		}
	}
	subjects, gap, err := f.bySubject(ctx)
	if gap != nil {
		missing = fmt.Sprintf("it cannot be found out whether a commit approved them: %v", gap)
	}
	return subjects[b.Feature], review, missing, err
}

// approves reports whether a review makes the tests as they stand the approved
// ones: one of tests from before there were records, or one that names a record.
func approves(r record.Record) bool {
	if r.Type != workflow.Tests || r.Decision != workflow.Approved {
		return false
	}
	return r.Result == nil || r.Result.Integrity != nil && r.Result.Integrity.Approval != ""
}

// subject begins the subjects of commits that approve tests.
const subject = "Approve tests: "

// bySubject are the commits on the base that approve tests by their subjects, by feature. gap says
// why they cannot be found. The history of a repository whose tree knows no workflow is not
// searched: that takes seconds.
func (f *finder) bySubject(ctx context.Context) (found map[string]Commit, gap, err error) {
	if f.subjects == nil && f.subjectGap == nil && f.Set.Base != "" {
		used, err := usesWorkflow(f.Set.BaseTree)
		if err != nil || !used {
			return nil, nil, err
		}
		f.subjects, f.subjectGap = f.History.Subjected(ctx, subject, f.Set.Base)
		maps.DeleteFunc(f.subjects,
			func(_ string, c Commit) bool { return c.Reviewed && len(c.Approvals) == 0 })
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	if f.subjectGap != nil {
		return nil, f.subjectGap, nil
	}
	return f.subjects, nil, nil
}

// usesWorkflow reports whether a tree has folders that approvals leave traces in.
func usesWorkflow(tree change.Tree) (bool, error) {
	for _, root := range []string{"", "project-meta/", "project-content/"} {
		for _, folder := range []string{"specs", "reviews", ".workflow"} {
			entries, err := tree.List(root + folder)
			if err != nil || len(entries) > 0 {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// approvedBefore are the features without a record whose tests the change
// touches and whose approval the base tells of otherwise.
func (f *finder) approvedBefore(ctx context.Context) ([]string, error) {
	var touched []string
	for _, p := range f.Touched {
		if !f.recorded(p) {
			touched = append(touched, p)
		}
	}
	if len(touched) == 0 {
		return nil, nil
	}
	reviews, err := f.Reviews()
	if err != nil {
		return nil, err
	}
	subjects, _, err := f.bySubject(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	add := func(feature string) {
		named := func(p string) bool { return f.Names(p, feature) }
		if feature != "" && !slices.Contains(out, feature) &&
			(slices.ContainsFunc(touched, named) || f.loads(ctx, feature, touched)) {
			out = append(out, feature)
		}
	}
	for _, r := range reviews {
		if approves(r) {
			add(r.Feature)
		}
	}
	for feature := range subjects {
		add(feature)
	}
	return out, nil
}

// loads reports whether the feature's tests of the base load one of the paths, which
// need not name it: a fixture. Where that cannot be found out, they may.
func (f *finder) loads(ctx context.Context, feature string, paths []string) bool {
	tests, err := f.Tests(f.Set.BaseTree, feature)
	if len(tests) == 0 {
		return err != nil
	}
	files, _, err := approval.Collect(ctx, f.Set.BaseTree,
		approval.Options{Tests: tests, Protect: f.Protect})
	return err != nil || slices.ContainsFunc(files, func(x approval.File) bool {
		return x.Role == approval.Support && slices.Contains(paths, x.Path)
	})
}

// recorded reports whether a record of the base lists a path.
func (f *finder) recorded(p string) bool {
	for _, s := range f.base {
		if _, ok := s.record.File(p); ok && s.err == nil {
			return true
		}
	}
	return false
}

// reviewed are the files of a review that its record lists.
func (f *finder) reviewed(r record.Record) []workflow.File {
	if r.Legacy {
		return nil
	}
	return r.Files
}

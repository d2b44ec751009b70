package writeback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/inspect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/prove"
	"workflow-reviewer/internal/workflow"
)

// approve makes the approval records of a round: one for each tests review that ended APPROVED,
// unless what it would say is on record already. Each review learns the blob id of its record. A
// record that cannot be made takes the approval with it: tests that nobody can hold an
// implementation to are not approved.
func (w Writer) approve(ctx context.Context, o *pipeline.Outcome) map[string]change.Write {
	approvals := map[string]change.Write{}
	for i := range o.Results {
		res := &o.Results[i]
		if res.Decision != workflow.Approved || res.Artifact.Type != workflow.Tests {
			continue
		}
		rec, due, err := w.approvalOf(ctx, o, *res)
		switch {
		case err != nil:
			res.Decision, res.Cached, res.ReviewPath = workflow.Error, false, ""
			res.Failure = &workflow.Failure{
				Class:   "integrity",
				Message: fmt.Sprintf("the approval could not be recorded: %v", err),
				Action: "Correct what kept the approval from being recorded, and run again; " +
					"the tests were found good.",
			}
			pipeline.NameReview(o.Set.HeadTree, res)
			continue
		case !due:
			continue
		}
		note := workflow.Integrity{Verdict: string(pipeline.Neutral(o.Integrity.Outcome))}
		if res.Integrity != nil {
			note = *res.Integrity
		}
		if note.NotRecorded = w.unrecorded(o, rec, *res); note.NotRecorded != "" {
			text := res.Artifact.Name() + ": " + note.NotRecorded
			o.Notices = append(o.Notices, workflow.Finding{Level: workflow.Warn, Text: text})
		} else {
			content := rec.Render()
			approvals[res.Artifact.Name()] = change.Write{
				Path: approval.Path(rec.Feature), Content: content,
			}
			note.Approval = gitrepo.BlobID(content)
			note.Approves, note.TakenOver = takes(o.Set, rec, res.Artifact)
		}
		if !res.Cached { // what is written is not rewritten
			res.Integrity = &note
		}
	}
	return approvals
}

// unrecorded is why an approval does not become its feature's baseline, "" if it does: nobody read
// it, approved tests that the code fails, a name that nobody gave, or tests of the base that the
// change weakens and that nobody approved.
func (w Writer) unrecorded(o *pipeline.Outcome, rec approval.Record, res workflow.Result) string {
	if res.ReviewedBy() == workflow.ByRules && !w.Config.ApprovalsByRules {
		return fmt.Sprintf(
			"Not recorded as the approved tests of %s: neither a model nor a person read them. "+
				`Review them with engine codex, or set "approvals": {"by_rules": true} in the `+
				"config.",
			rec.Feature,
		)
	}
	if failing := o.Integrity.Outcome.Failing; failing != nil {
		return fmt.Sprintf(
			"Not recorded as the approved tests of %s: %s. What joins approved tests runs "+
				"beside them, so that "+
				"nothing does while they fail. Correct the code first.",
			rec.Feature,
			failing,
		)
	}
	open := o.Integrity.Outcome.Weakened
	for _, v := range open {
		_, listed := rec.File(v.File)
		if _, err := o.Set.HeadTree.Stat(v.File); listed || err != nil {
			return fmt.Sprintf(
				"Not recorded as the approved tests of %s: the change demands less than the "+
					"base in %s (%d such changes). "+
					"Restore the tests, or have the change approved: by the label "+
					"re-review:tests, or by an "+
					"RFC in rfcs/approved/ on the base.",
				rec.Feature,
				form.Location(v.File, v.Line),
				len(open),
			)
		}
	}
	known := rec.Revision > 1
	lookup := o.Integrity.Lookup
	if !known && !w.Config.Integrity.RecordUnnamed && lookup != nil && !lookup.Named(rec.Feature) {
		return fmt.Sprintf(
			"Not recorded as the approved tests of %s, which is only the branch's name: add a "+
				"spec of that name, a label "+
				"\"feature: <name>\", "+
				`or "features" in the config; or set "integrity": {"record_unnamed": true}.`,
			rec.Feature,
		)
	}
	return ""
}

// takes lists what a record approves, and what of it was on the base before and was not in the
// review.
func takes(set change.Set, rec approval.Record, a workflow.Artifact) (approves, over []string) {
	for _, f := range rec.Files {
		name := fmt.Sprintf("%s (%s)", f.Path, f.Role)
		approves = append(approves, name)
		if _, err := set.BaseTree.Stat(f.Path); err == nil && !pipeline.Holds(a, f.Path) {
			over = append(over, name)
		}
	}
	return approves, over
}

// approvalOf is the record of an approved review; due is false if one that says the same counts
// already.
func (w Writer) approvalOf(
	ctx context.Context, o *pipeline.Outcome, res workflow.Result,
) (rec approval.Record, due bool, err error) {
	tests, others := approvedFiles(o.Integrity.Lookup, res.Artifact)
	if len(tests) == 0 {
		return rec, false, nil
	}
	files, _, err := approval.Collect(
		ctx, o.Set.HeadTree, approval.Options{Tests: tests, Protect: w.Config.Integrity.Protect},
	)
	if err != nil {
		return rec, false, err
	}
	files, err = inspect.WithFiles(o.Set.HeadTree, files, approval.Support, others)
	if err != nil {
		return rec, false, err
	}
	slices.SortFunc(files, func(a, b approval.File) int { return strings.Compare(a.Path, b.Path) })
	rec = approval.Record{
		Version: approval.Version, Feature: res.Artifact.Feature, Type: string(workflow.Tests),
		Revision: 1,
		Review:   res.ReviewPath, Head: o.Set.Head, Files: files,
	}
	if rec.Tests, err = w.countTests(ctx, o.Set.HeadTree, files); err != nil {
		return rec, false, err
	}
	if f, ok := o.Integrity.Outcome.Of(res.Artifact.Feature); ok {
		rec.Revision = f.Revision + 1
		if len(f.Tampered) == 0 && sameFiles(f.Files, files, res.Cached) &&
			(f.Source == baseline.BaseRecord || f.Source == baseline.BranchRecord) {
			return rec, false, nil
		}
	}
	_, err = approval.Parse(rec.Render())
	return rec, true, errors.Unwrap(err) // without the advice to who reads a record
}

// countTests says of a record what a later run is measured by: how many tests it approves, and how
// many ran where test results were given.
func (w Writer) countTests(
	ctx context.Context, head change.Tree, files []approval.File,
) (*approval.Tests, error) {
	demand, err := prove.Demand(ctx, files, func(blob string) ([]byte, error) {
		i := slices.IndexFunc(files, func(f approval.File) bool { return f.Blob == blob })
		return head.ReadFile(files[i].Path)
	})
	t := &approval.Tests{Count: demand.Tests, Skips: demand.Skipped}
	if ran := w.Measured.Tests; ran != nil {
		t.Ran = ran.Run()
	}
	return t, err
}

// approvedFiles are the tests that an approval is for, and the other files that were reviewed with
// them.
func approvedFiles(lookup *detect.Lookup, a workflow.Artifact) (tests, others []string) {
	tests = slices.Clone(a.Tests)
	for _, f := range a.Files {
		if lookup != nil && lookup.Role(f.Path) == detect.Test {
			tests = append(tests, f.Path)
		} else {
			others = append(others, f.Path)
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests), others
}

// sameFiles reports whether a record lists the same files; of a verdict that is
// re-used, only the tests count, as it was about nothing else.
func sameFiles(a, b []approval.File, testsAlone bool) bool {
	versions := func(files []approval.File) map[string]string {
		out := map[string]string{}
		for _, f := range files {
			if !testsAlone || f.Role == approval.Test {
				out[f.Path] = f.Blob + cmp.Or(f.Role, " ")
			}
		}
		return out
	}
	return maps.Equal(versions(a), versions(b))
}

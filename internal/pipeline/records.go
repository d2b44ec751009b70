package pipeline

import (
	"context"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// readRecords reads the reviews of the head, and those of the base that the head does not hold: a
// branch may take a record away, but not what it named. Drafts, the reviews that writers asked for,
// are among them for writers alone.
func readRecords(
	set change.Set, roots []string, drafts bool,
) (head, base []record.Record, notices []workflow.Finding, err error) {
	read := record.Read
	if drafts {
		read = record.ReadAll
	}
	head, notices, err = read(set.HeadTree, roots)
	if err == nil && set.BaseTree != nil {
		base, _, err = read(
			set.BaseTree,
			roots,
			head...) // what cannot be read is told where the head's are read
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read earlier reviews: %w", err)
	}
	return head, base, notices, nil
}

// approvedAs is detection's lookup of what a version of a file was approved as.
// Whether a record may be believed is asked only of those that list the file.
func approvedAs(
	ctx context.Context, vouched Voucher, approvals func(path, blob string) []record.Record,
) func(path, blob string) []detect.Approved {
	if vouched == nil {
		return nil
	}
	return func(path, blob string) []detect.Approved {
		var out []detect.Approved
		for _, r := range approvals(path, blob) {
			known := slices.ContainsFunc(
				out,
				func(a detect.Approved) bool { return a.Type == r.Type && a.Feature == r.Feature },
			)
			if known ||
				len(out) > 0 && (out[0].Type != workflow.BugFix || r.Type != workflow.BugFix) {
				continue // the newest counts; only bug fixes share their files
			}
			if ok, _, err := vouched(ctx, r); err != nil || !ok {
				continue
			}
			out = append(
				out,
				detect.Approved{
					Type: r.Type, Feature: r.Feature, Path: r.Files[0].Path, Record: r.Path,
				},
			)
		}
		return out
	}
}

// remembered asks for each record once, as whoever is asked may be far away. Failures are not
// remembered.
func remembered(ask Voucher) Voucher {
	if ask == nil {
		return nil
	}
	type answer struct {
		ok  bool
		why string
	}
	known := map[workflow.File]answer{}
	return func(ctx context.Context, r record.Record) (bool, string, error) {
		file := workflow.File{Path: r.Path, Blob: r.Blob}
		if a, ok := known[file]; ok {
			return a.ok, a.why, nil
		}
		ok, why, err := ask(ctx, r)
		if err == nil {
			known[file] = answer{ok, why}
		}
		return ok, why, err
	}
}

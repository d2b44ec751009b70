package pipeline

import (
	"context"
	"path"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// TestApprovedAsBelievesNobody: the newest record that somebody vouches for
// counts, each is asked for once, and none that does not list the file.
func TestApprovedAsBelievesNobody(t *testing.T) {
	t.Parallel()
	a := workflow.File{Path: "src/a.py", Blob: "a1"}
	rec := func(path string, day int, typ workflow.Type, feature string, files ...workflow.File) record.Record {
		return record.Record{
			Path: path, Blob: path, Type: typ, Feature: feature, Decision: workflow.Approved,
			Time: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC), Files: files,
		}
	}
	forged := rec("forged", 9, workflow.Implementation, "evil", a)
	for name, c := range map[string]struct {
		records []record.Record
		want    []string
		asked   int
	}{
		"newest": {[]record.Record{
			rec("1", 1, workflow.Implementation, "old", a), rec("2", 2, workflow.Implementation, "new", a),
		}, []string{"implementation: new"}, 1},
		"forged":      {[]record.Record{rec("1", 1, workflow.Implementation, "old", a), forged}, []string{"implementation: old"}, 2},
		"only forged": {[]record.Record{forged}, nil, 1},
		"other files": {[]record.Record{rec("1", 1, workflow.Tests, "x", workflow.File{Path: "src/a.py", Blob: "a2"})}, nil, 0},
		"bug fixes": {[]record.Record{
			rec("1", 1, workflow.Implementation, "old", a), rec("2", 2, workflow.BugFix, "x", a),
			rec("3", 3, workflow.BugFix, "y", a), rec("4", 4, workflow.BugFix, "y", a),
		}, []string{"bug-fix: y", "bug-fix: x"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			find := approvedAs(context.Background(), remembered(func(_ context.Context, r record.Record) (bool, string, error) {
				asked++
				return r.Path != "forged", "", nil
			}), record.Approvals(path.Clean, c.records...))
			for range 2 {
				var got []string
				for _, f := range find(a.Path, a.Blob) {
					got = append(got, string(f.Type)+": "+f.Feature)
				}
				if d := cmp.Diff(c.want, got); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
			}
			if asked != c.asked {
				t.Errorf("asked for %d records, want %d", asked, c.asked)
			}
		})
	}
}

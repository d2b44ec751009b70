package baseline_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

type files = map[string]string

const (
	good = "def test_add():\n    assert add(1, 2) == 3\n"
	weak = "def test_add():\n    assert add(1, 2)\n"
	at   = ".workflow/approvals/add.json"
)

// rec is a record of add's tests.
func rec(revision int, content string) string {
	sum := sha256.Sum256([]byte(content))
	return string(approval.Record{
		Version: 1, Feature: "add", Revision: revision, Review: "reviews/tests/x.md", Head: strings.Repeat("1", 40),
		Files: []approval.File{{
			Path: "tests/test_add.py", Mode: change.ModeRegular, Blob: changetest.Blob(content),
			SHA256: hex.EncodeToString(sum[:]), Role: approval.Test,
		}},
	}.Render())
}

// past is a history that a test makes up.
type past struct {
	brought, subjected baseline.Commit
	approving          []baseline.Commit
	err, gap           error
	trees              map[string]change.Tree
}

func (p past) Brought(context.Context, string, string, string) (baseline.Commit, bool, error) {
	return p.brought, p.brought.SHA != "", p.err
}

func (p past) Subjected(_ context.Context, prefix, _ string) (map[string]baseline.Commit, error) {
	found := map[string]baseline.Commit{}
	if p.subjected.SHA != "" && prefix == "Approve tests: " {
		found["add"] = p.subjected
	}
	return found, p.err
}

func (p past) Approving(context.Context, string, string) ([]baseline.Commit, error) {
	return p.approving, p.gap
}

func (p past) Tree(_ context.Context, sha string) (change.Tree, error) {
	if t := p.trees[sha]; t != nil {
		return t, nil
	}
	return nil, errors.New("no such commit")
}

// tests lists the files of tests/ that are named after a feature.
func tests(tree change.Tree, feature string) ([]string, error) {
	var out []string
	entries, err := tree.List("tests")
	for _, e := range entries {
		if strings.Contains(e.Path, feature) {
			out = append(out, e.Path)
		}
	}
	return out, err
}

// signs is a GitHub that signed, or not.
func signs(ok bool, err error) baseline.Witness {
	return func(_ context.Context, _ approval.Record, _ string, c baseline.Commit, _ change.Tree) (bool, string, error) {
		if c.SHA == "" {
			return false, "no commit names it", err
		}
		return ok, "signed or not", err
	}
}

// approved is a branch with a commit that holds files and names a record.
func approved(in files, c baseline.Commit) past {
	return past{approving: []baseline.Commit{c}, trees: map[string]change.Tree{c.SHA: changetest.Tree(c.SHA, in)}}
}

func named(blob string) baseline.Commit {
	return baseline.Commit{SHA: "c0ffee", Approvals: []string{"add " + blob}}
}

func TestFind(t *testing.T) {
	base := files{"tests/test_add.py": good, at: rec(1, good)}
	tested := files{"tests/test_add.py": good}
	worked := files{"tests/test_add.py": good, "specs/doing/add.md": "# Add\n"}
	second := rec(2, weak)
	onBranch := files{"tests/test_add.py": weak, at: second}
	review := record.Record{
		Path: "reviews/tests/20250101T000000-add-APPROVED.md", Blob: strings.Repeat("2", 40), Type: workflow.Tests,
		Feature: "add", Decision: workflow.Approved, Time: time.Unix(1, 0), Legacy: true,
	}
	old := map[string]change.Tree{"c0ffee": changetest.Tree("c0ffee", tested)}
	for name, c := range map[string]struct {
		base, mergeBase, head files // mergeBase nil = base
		history               past
		witness               baseline.Witness
		reviews               []record.Record
		doing, warn           bool

		source   baseline.Source
		revision int
		approved string // content of the test that counts
		unauth   bool
		strict   bool
		unknown  bool
		tampered []string
	}{
		"record on the base": {base: base, head: base, source: baseline.BaseRecord, revision: 1, approved: good},
		"record removed": {
			base: base, head: tested, source: baseline.BaseRecord, revision: 1, approved: good,
			tampered: []string{"record_removed"},
		},
		"record removed on the base too": {base: tested, mergeBase: base, head: tested, source: baseline.None},
		"record edited": {
			base: base, head: onBranch, witness: signs(true, nil), source: baseline.BaseRecord, revision: 1,
			approved: good, tampered: []string{"record_changed"},
		},
		"record added by hand": {
			base: tested, head: onBranch, witness: signs(true, nil), source: baseline.None,
			tampered: []string{"record_forged"},
		},
		"record that is none": {
			base: tested, head: files{"tests/test_add.py": good, at: "{}"}, source: baseline.None,
			tampered: []string{"record_invalid"},
		},
		"record made a link": {
			base: base, head: files{"tests/test_add.py": weak, at: changetest.Symlink("x")},
			source: baseline.BaseRecord, revision: 1, approved: good, tampered: []string{"record_changed"},
		},
		"signed and named": {
			base: base, head: onBranch, history: approved(onBranch, named(changetest.Blob(second))),
			witness: signs(true, nil), source: baseline.BranchRecord, revision: 2, approved: weak,
		},
		"named and not signed": {
			base: base, head: onBranch, history: approved(onBranch, named(changetest.Blob(second))),
			witness: signs(false, nil), source: baseline.BaseRecord, revision: 1, approved: good, tampered: []string{"record_changed"},
		},
		"signed for another record": {
			base: base, head: onBranch, history: approved(onBranch, named(strings.Repeat("3", 40))),
			witness: signs(true, nil), source: baseline.BaseRecord, revision: 1, approved: good, tampered: []string{"record_changed"},
		},
		"trailer without GitHub": {
			base: base, head: onBranch, history: approved(onBranch, named(changetest.Blob(second))),
			source: baseline.BranchRecord, revision: 2, approved: weak, unauth: true,
		},
		"no trailer without GitHub": {
			base: base, head: onBranch, history: approved(onBranch, baseline.Commit{SHA: "c0ffee"}),
			source: baseline.BaseRecord, revision: 1, approved: good, tampered: []string{"record_changed"},
		},
		"approved here, then removed": {
			base: files{}, head: files{"tests/test_add.py": weak}, history: approved(files{"tests/test_add.py": good, at: rec(1, good)},
				named(changetest.Blob(rec(1, good)))),
			witness: signs(true, nil), source: baseline.BranchRecord, revision: 1, approved: good, tampered: []string{"record_removed"},
		},
		"approved here, then replaced": {
			base: files{}, head: files{"tests/test_add.py": weak, at: rec(1, weak)},
			history: approved(files{"tests/test_add.py": good, at: rec(1, good)}, named(changetest.Blob(rec(1, good)))),
			witness: signs(true, nil), source: baseline.BranchRecord, revision: 1, approved: good, tampered: []string{"record_changed"},
		},
		"approved here, review removed": {
			base: files{}, head: files{"tests/test_add.py": good, at: rec(1, good)},
			history: approved(files{at: rec(1, good), "reviews/tests/x.md": "x"}, named(changetest.Blob(rec(1, good)))),
			witness: signs(true, nil), source: baseline.BranchRecord, revision: 1, approved: good, tampered: []string{"review_removed"},
		},
		"approved here, review rewritten": {
			base: files{}, head: files{at: rec(1, good), "reviews/tests/x.md": "y"},
			history: approved(files{at: rec(1, good), "reviews/tests/x.md": "x"}, named(changetest.Blob(rec(1, good)))),
			witness: signs(true, nil), source: baseline.BranchRecord, revision: 1, approved: good, tampered: []string{"review_changed"},
		},
		"the record it names is not there": {
			base: files{}, head: tested, history: approved(files{}, named(changetest.Blob(rec(1, good)))), witness: signs(true, nil),
			source: baseline.New,
		},
		"older revision replayed": {
			base: files{"tests/test_add.py": good, at: rec(3, good)}, head: onBranch,
			history: approved(onBranch, named(changetest.Blob(second))), witness: signs(true, nil),
			source: baseline.BaseRecord, revision: 3, approved: good, tampered: []string{"record_changed"},
		},
		"GitHub does not answer": {
			base: base, head: onBranch, history: approved(onBranch, named(changetest.Blob(second))),
			witness: signs(false, errors.New("502")), source: baseline.None, revision: 1, strict: true, unknown: true,
		},
		"history not at hand, local": {
			base: base, head: onBranch, history: past{gap: errors.New("shallow")}, source: baseline.None,
			revision: 1, strict: true, unknown: true,
		},
		"approved again on the base": {
			base: onBranch, mergeBase: base, head: base, source: baseline.BaseRecord, revision: 2,
			approved: weak,
		},
		"brought from the base": {
			base: onBranch, mergeBase: base, head: onBranch, source: baseline.BaseRecord, revision: 2,
			approved: weak,
		},
		"unreadable on the base": {
			base: files{at: "no json"}, head: files{at: "no json"}, source: baseline.None, strict: true,
			unknown: true,
		},
		"record of another name": {
			base: files{".workflow/approvals/add.json": strings.Replace(rec(1, good), `"add"`, `"sub"`, 1)},
			head: base, source: baseline.None, strict: true, unknown: true, tampered: []string{"record_changed"},
		},
		"review on the base": {
			base: tested, head: tested, reviews: []record.Record{review},
			history: past{brought: baseline.Commit{SHA: "c0ffee"}, trees: old}, source: baseline.Review, approved: good,
		},
		"subject on the base": {
			base: worked, head: worked, history: past{subjected: baseline.Commit{SHA: "c0ffee"}, trees: old},
			source: baseline.Message, approved: good,
		},
		"history ends too early": {
			base: worked, head: worked, history: past{err: errors.New("shallow")}, doing: true,
			source: baseline.None, strict: true, unknown: true,
		},
		"no workflow, history short": {
			base: tested, head: tested, history: past{err: errors.New("shallow")}, doing: true,
			source: baseline.None, strict: true,
		},
		"commit without its files": {
			base: worked, head: worked, history: past{subjected: baseline.Commit{SHA: "gone"}},
			source: baseline.None, unknown: true,
		},
		"none and being worked on": {base: tested, head: tested, doing: true, source: baseline.None, strict: true},
		"none, the config warns":   {base: tested, head: tested, doing: true, warn: true, source: baseline.None},
		"none":                     {base: tested, head: tested, source: baseline.None},
		"brand-new tests":          {base: files{}, head: tested, doing: true, source: baseline.New},
		"no tests at all":          {base: files{}, head: files{}, doing: true, source: baseline.NoTests},
	} {
		t.Run(name, func(t *testing.T) {
			if c.mergeBase == nil {
				c.mergeBase = c.base
			}
			got, err := baseline.Find(t.Context(), []string{"add"}, baseline.Options{
				Set: changetest.Set(c.base, c.mergeBase, c.head), History: c.history, Witness: c.witness, Tests: tests,
				Doing: func(string) bool { return c.doing }, Warn: c.warn,
				Reviews: func() ([]record.Record, error) { return c.reviews, nil },
			})
			if err != nil || len(got) != 1 {
				t.Fatalf("%v, %v", got, err)
			}
			b := got[0]
			if b.Source != c.source || b.Revision != c.revision || b.Strict != c.strict || b.Unknown != c.unknown ||
				(b.Unauthenticated != "") != c.unauth {
				t.Errorf("source %s, revision %d, strict %t, unknown %t, unauthenticated %q", b.Source, b.Revision, b.Strict, b.Unknown,
					b.Unauthenticated)
			}
			if (b.Missing == "") == (c.source == baseline.None) {
				t.Errorf("missing %q", b.Missing)
			}
			var blobs, want []string
			for _, f := range b.Files {
				blobs = append(blobs, f.Blob)
			}
			if c.approved != "" {
				want = []string{changetest.Blob(c.approved)}
			}
			if diff := cmp.Diff(want, blobs); diff != "" {
				t.Errorf("approved (-want +got):\n%s", diff)
			}
			var kinds []string
			for _, v := range b.Tampered {
				kinds = append(kinds, v.Kind)
				if v.Category != "approval_tampering" || v.Feature != "add" || v.File != at && v.File != "reviews/tests/x.md" {
					t.Errorf("violation %+v", v)
				}
			}
			if diff := cmp.Diff(c.tampered, kinds); diff != "" {
				t.Errorf("tampering (-want +got):\n%s", diff)
			}
			if b.String() == "" {
				t.Error("it says nothing")
			}
		})
	}
}

// TestFindListsEveryRecord: features are found by their records, in any of the
// trees, and files that are none are left alone.
func TestFindListsEveryRecord(t *testing.T) {
	base := files{at: rec(1, good), ".workflow/approvals/README.md": "x", ".workflow/approvals/.gitkeep": ""}
	head := maps.Clone(base)
	head[".workflow/approvals/sub/deep.json"] = rec(1, good)
	head[".workflow/approvals/Add.json"] = rec(1, good)
	got, err := baseline.Find(t.Context(), nil, baseline.Options{
		Set: changetest.Set(base, base, head), History: past{}, Tests: tests,
		Doing: func(string) bool { return false }, Reviews: func() ([]record.Record, error) { return nil, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range got {
		names = append(names, b.Feature)
		if tampered := len(b.Tampered) > 0; tampered != (b.Feature != "add") {
			t.Errorf("%s: tampered %v", b.Feature, b.Tampered)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"Add", "add", "sub/deep"}, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// brokenTree fails to list.
type brokenTree struct{ change.Tree }

func (brokenTree) List(string) ([]change.Entry, error) { return nil, errors.New("disk") }

func TestFindReportsBrokenTrees(t *testing.T) {
	set := changetest.Set(files{at: rec(1, good)}, files{}, files{})
	for _, tree := range []*change.Tree{&set.BaseTree, &set.MergeBaseTree, &set.HeadTree} {
		whole := *tree
		*tree = brokenTree{whole}
		if _, err := baseline.Find(t.Context(), nil, baseline.Options{Set: set, History: past{}}); err == nil ||
			!strings.Contains(err.Error(), "disk") {
			t.Errorf("error %v", err)
		}
		*tree = whole
	}
}

func TestFindStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	set := changetest.Set(files{at: rec(1, good)}, files{}, files{})
	if _, err := baseline.Find(ctx, nil, baseline.Options{
		Set: set, History: past{}, Tests: tests,
		Doing: func(string) bool { return false }, Reviews: func() ([]record.Record, error) { return nil, nil },
	}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestFindWhatTheChangeTouches: features without a record that nobody asked for
// are found by the tests that the change touches.
func TestFindWhatTheChangeTouches(t *testing.T) {
	base := files{"tests/test_add.py": good, "tests/test_sub.py": good, "tests/test_mul.py": good, at: rec(1, good)}
	head := files{"tests/test_add.py": weak, "tests/test_sub.py": weak, "tests/test_mul.py": weak, at: rec(1, good)}
	got, err := baseline.Find(t.Context(), nil, baseline.Options{
		Set: changetest.Set(base, base, head), Tests: tests, Doing: func(string) bool { return false },
		History: past{brought: baseline.Commit{SHA: "c0ffee"}, trees: map[string]change.Tree{"c0ffee": changetest.Tree("c0ffee", base)}},
		Touched: []string{"tests/test_add.py", "tests/test_sub.py", "tests/test_mul.py"},
		Names:   strings.Contains,
		Reviews: func() ([]record.Record, error) {
			return []record.Record{
				{Path: "reviews/tests/x-sub-APPROVED.md", Type: workflow.Tests, Feature: "sub", Decision: workflow.Approved, Legacy: true},
				{
					Path: "reviews/tests/x-mul-NEEDS-CHANGES.md", Type: workflow.Tests, Feature: "mul", Decision: workflow.NeedsChanges,
					Legacy: true,
				},
				{Path: "reviews/specs/x-mul-APPROVED.md", Type: workflow.Spec, Feature: "mul", Decision: workflow.Approved, Legacy: true},
			}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range got {
		names = append(names, b.Feature+" "+string(b.Source))
	}
	if diff := cmp.Diff([]string{"add record-on-base", "sub review-on-base"}, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

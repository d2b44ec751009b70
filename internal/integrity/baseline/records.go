package baseline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// stored is one file of the folder of records.
type stored struct {
	change.Entry
	record approval.Record
	err    error // why it cannot be used
}

// records reads the folders of records of a tree, by path.
func records(tree change.Tree, roots []string) (map[string]stored, error) {
	out := map[string]stored{}
	var entries []change.Entry
	for _, root := range append([]string{""}, roots...) {
		folder := path.Join(root, approval.Folder)
		found, err := tree.List(folder)
		if err != nil {
			return nil, fmt.Errorf("list %q of %s: %w", folder, change.Short(tree.Commit()), err)
		}
		entries = append(entries, found...)
	}
	for _, e := range entries {
		if path.Ext(e.Path) != ".json" {
			continue
		}
		out[e.Path] = readRecord(tree, e)
	}
	return out, nil
}

// Recorded are the features that have an approval record in a tree.
func Recorded(tree change.Tree, roots []string) ([]string, error) {
	found, err := records(tree, roots)
	var out []string
	for p := range found {
		out = append(out, approval.FeatureOf(p))
	}
	return out, err
}

// Stat is a tree's entry, the zero Entry if there is none.
func Stat(tree change.Tree, p string) (change.Entry, error) {
	e, err := tree.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return change.Entry{}, nil
	}
	if err != nil {
		return change.Entry{}, fmt.Errorf("look up %q: %w", p, err)
	}
	return e, nil
}

// readRecord reads one record. What is wrong with it is kept: a record that cannot be used must not
// count as none.
func readRecord(tree change.Tree, e change.Entry) stored {
	r, err := parseRecord(tree, e)
	return stored{e, r, err}
}

// parseRecord reads a record that is a regular file and stands where its feature's record belongs;
// a link could point at another.
func parseRecord(tree change.Tree, e change.Entry) (approval.Record, error) {
	if e.Mode != change.ModeRegular && e.Mode != change.ModeExecutable {
		return approval.Record{}, errors.New("it is not a regular file")
	}
	data, err := tree.ReadFile(e.Path)
	if err != nil {
		return approval.Record{}, err
	}
	r, err := approval.Parse(data)
	if err == nil && approval.Path(r.Feature) != e.Path {
		err = fmt.Errorf("it is the record of %q and belongs to %s", r.Feature,
			approval.Path(r.Feature))
	}
	return r, err
}

// use takes a record's files as the baseline.
func (b *Baseline) use(s stored, source Source, commit, trust string) {
	b.Source, b.Commit, b.Path, b.Trust = source, commit, s.Path, trust
	b.Files, b.Revision = s.record.Files, s.record.Revision
	b.Blob, b.Head = s.Blob, s.record.Head
	b.Unauthenticated, b.Missing, b.Strict = "", "", false
}

// tampered notes what the change itself did to a record or its review. It is a violation whatever
// became of the tests.
func (b *Baseline) tampered(v workflow.Finding) {
	v.Feature = b.Feature
	b.Tampered = append(b.Tampered, v)
}

// place is the first line of a record or review: their findings are about the whole file.
func place(at, text string) violation.Place {
	return violation.Place{Path: at, Line: 1, Text: text}
}

// summary is a record in the few words that evidence has room for.
func summary(s stored) string {
	if s.err != nil {
		return "(no valid record)"
	}
	return fmt.Sprintf("revision %d, %d files", s.record.Revision, len(s.record.Files))
}

// unknown leaves the baseline open: nothing passes without it.
func (b *Baseline) unknown(why string) {
	b.Source, b.Files, b.Strict, b.Unknown, b.Missing = None, nil, true, true, why
}

// Commit is what a baseline needs to know of one.
type Commit struct {
	SHA       string
	Approvals []string // values of its trailers Approved-Tests, "<feature> <blob id of the record>"
	Reviewed  bool     // it says that a review file came with it, of this program
	Base      string   // branch that the approval is for, "" in commits of earlier releases
}

// History answers questions about commits. An answer that the history at hand does not give is an
// error, never a «no».
type History interface {
	// Brought is the commit of head's history that brought a blob to a path.
	Brought(ctx context.Context, path, blob, head string) (Commit, bool, error)
	// Subjected are the newest commits of head's history whose subject begins with prefix, by the
	// rest of it.
	Subjected(ctx context.Context, prefix, head string) (map[string]Commit, error)
	// Approving are the commits of head's history that are not in base's and that
	// name approval records in trailers, the newest first.
	Approving(ctx context.Context, base, head string) ([]Commit, error)
	// Tree is a commit's tree, fetched if need be.
	Tree(ctx context.Context, sha string) (change.Tree, error)
}

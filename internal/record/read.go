package record

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// Bounds of one Read.
const (
	maxRecords = 2000
	maxBytes   = 64 << 20
)

// Read returns the review files of a tree, oldest first, from reviews/ and project-meta/reviews/ of
// the repository and of the roots, but for those that were read before. Beyond 2,000 files or 64
// MiB the oldest are left out. What cannot be read becomes a warning; the error is that of the tree
// itself. Drafts are not among them.
func Read(
	tree change.Tree, roots []string, before ...Record,
) ([]Record, []workflow.Finding, error) {
	records, notices, err := ReadAll(tree, roots, before...)
	return slices.DeleteFunc(records, func(r Record) bool { return r.Draft }), notices, err
}

// ReadAll is Read with the drafts.
func ReadAll(
	tree change.Tree, roots []string, before ...Record,
) ([]Record, []workflow.Finding, error) {
	entries, err := listReviews(tree, roots)
	if err != nil {
		return nil, nil, err
	}
	blobs := make(map[string]string, len(before))
	for _, r := range before {
		blobs[r.Path] = r.Blob
	}
	entries = slices.DeleteFunc(
		entries,
		func(e change.Entry) bool { return blobs[e.Path] == e.Blob },
	)
	entries, notices := newest(entries)
	var records []Record
	for _, e := range entries {
		rec, err := readOne(tree, e)
		switch {
		case errors.Is(err, ErrNoReview):
		case err != nil:
			notices = append(
				notices,
				workflow.Finding{
					Level: workflow.Warn,
					File:  e.Path,
					Text:  err.Error() + "; it is ignored",
				},
			)
		default:
			records = append(records, rec)
		}
	}
	slices.SortStableFunc(records, func(a, b Record) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Path, b.Path))
	})
	return records, notices, nil
}

// listReviews lists the Markdown files in the folders of reviews, of the repository and of each
// root. A folder that is not there has none. A link in such a folder is an entry like any other;
// reading it fails.
func listReviews(tree change.Tree, roots []string) ([]change.Entry, error) {
	var out []change.Entry
	var folders []string
	for _, root := range append([]string{""}, roots...) {
		folders = append(
			folders, path.Join(root, "reviews"), path.Join(root, "project-meta/reviews"),
		)
	}
	for _, folder := range folders {
		es, err := tree.List(folder)
		if err != nil {
			return nil, fmt.Errorf("list %q: %w", folder, err)
		}
		for _, e := range es {
			if strings.EqualFold(path.Ext(e.Path), ".md") {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// newest keeps what fits the bounds, by the time in the files' names. The notice names how many
// there are. Files that are too large count nothing, as they are refused one by one.
func newest(es []change.Entry) ([]change.Entry, []workflow.Finding) {
	times := map[string]time.Time{}
	for _, e := range es {
		n, _ := parseName(e.Path)
		times[e.Path] = n.time
	}
	slices.SortStableFunc(
		es,
		func(a, b change.Entry) int { return times[b.Path].Compare(times[a.Path]) },
	)
	var size int64
	for i, e := range es {
		if e.Size <= MaxFile {
			size += e.Size
		}
		if i >= maxRecords || size > maxBytes {
			return es[:i], []workflow.Finding{{
				Level: workflow.Warn, File: "reviews",
				Text: fmt.Sprintf(
					"There are %d review files; only the newest %d are read.", len(es), i,
				),
			}}
		}
	}
	return es, nil
}

// readOne reads one review. Beside an error the record has at least path, blob and digest, so that
// whoever vouches for it can be asked.
func readOne(tree change.Tree, e change.Entry) (Record, error) {
	if e.Size > MaxFile {
		return Record{}, fmt.Errorf("read review %q: larger than %d bytes", e.Path, MaxFile)
	}
	content, err := tree.ReadFile(e.Path)
	if err != nil {
		return Record{}, fmt.Errorf("read review %q: %w", e.Path, err)
	}
	rec, err := Parse(e.Path, content)
	rec.Blob, rec.Digest = e.Blob, Digest(content)
	return rec, err
}

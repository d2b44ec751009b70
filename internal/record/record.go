// Package record is the one place that knows the format of review files: their path, their front
// matter, their Markdown, and the data block that lets a recorded verdict be shown and used again.
// Files of other tools and of former versions are read as history as far as they can be understood.
package record

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/workflow"

	"go.yaml.in/yaml/v3"
)

// Schema names the format of the front matter.
const Schema = "workflow-reviewer/review@1"

// MaxFile is the largest review file that is written or read, in bytes.
const MaxFile = 1 << 20

// Record is one review file.
type Record struct {
	Path string // relative to the root
	Blob string // git blob id; set by Read
	// Digest is that of the file's bytes; set by Read.
	Digest string

	Type     workflow.Type // "" if a legacy file does not tell
	Feature  string        // "" if a legacy file does not tell
	Decision workflow.Decision
	Time     time.Time // UTC; zero if a legacy file does not tell

	Files     []workflow.File // what was reviewed; without blob ids in a legacy file
	Head      string
	Iteration int
	// Warning says that a legacy file approves on a condition.
	Warning string

	// Draft marks a review that a writer asked for: it counts for writers alone.
	Draft bool
	// Legacy marks a file without our front matter: it counts as history, its verdict is never used
	// again.
	Legacy bool
	// Result is the review as it was, nil for a legacy file. ReviewPath is the
	// record's path; Cached and MovedTo are for the caller to set.
	Result *workflow.Result
	// Text is the Markdown for people, cut to 32 KiB.
	Text string
}

// Digest identifies the bytes of a review file, "sha256:<hex>". As the external id of a check run
// it vouches for a record: a check run cannot be written from a pull request, a file can.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Approvals is a lookup of the reviews that approved a version of a file, wherever the lifecycle
// has moved it, the newest first. It says nothing of whether they may be believed. History of other
// tools names no versions and is left out. canonical is what a path is in every state of the
// document there.
func Approvals(
	canonical func(path string) string,
	records ...Record,
) func(path, blob string) []Record {
	records = slices.DeleteFunc(
		slices.Clone(records),
		func(r Record) bool { return r.Decision != workflow.Approved || r.Legacy },
	)
	slices.SortStableFunc(records, func(x, y Record) int {
		return cmp.Or(y.Time.Compare(x.Time), strings.Compare(y.Path, x.Path))
	})
	of := map[workflow.File][]int{} // by canonical path and blob
	for i, r := range records {
		for _, f := range r.Files {
			if version := (workflow.File{Path: canonical(f.Path), Blob: f.Blob}); f.Blob != "" {
				of[version] = append(of[version], i)
			}
		}
	}
	return func(path, blob string) (out []Record) {
		for _, i := range of[workflow.File{Path: canonical(path), Blob: blob}] {
			out = append(out, records[i])
		}
		return out
	}
}

// Render writes the review file: front matter, Markdown for people, and the data block, at most
// MaxFile bytes. What had to be cut to fit is listed in the file. The text is hostile and comes out
// harmless.
func Render(r workflow.Result) []byte { return renderWithin(r, false) }

// RenderDraft is Render for a review that a writer asked for before anything was
// proposed: it is marked as one, and is no record of any run but a writer's.
func RenderDraft(r workflow.Result) []byte { return renderWithin(r, true) }

// renderWithin renders a result by the widest of the limits that keeps the file below MaxFile. If
// none does, only what a record needs is left. Half of the room is for the data, without which the
// file is no record.
func renderWithin(r workflow.Result, draft bool) []byte {
	for _, l := range limits {
		bounded := l.apply(r)
		if size(bounded) > MaxFile/2 {
			continue // the Markdown is about as long as the data
		}
		if out := render(bounded, draft); len(out) <= MaxFile {
			return out
		}
	}
	return render(verdictOnly(r), draft)
}

// render is the file: front matter, Markdown for people, and a comment with the data that a later
// run reads.
func render(r workflow.Result, draft bool) []byte {
	var b bytes.Buffer
	b.WriteString("---\n")
	enc := yaml.NewEncoder(&b)
	front := frontOf(r)
	front.Draft = draft
	if err := enc.Encode(front); err != nil {
		// Strings and numbers always encode; a panic here is a defect of the library.
		panic(fmt.Sprintf("encode front matter: %v", err))
	}
	fmt.Fprintf(
		&b,
		"---\n# %s Review: %s\n\n",
		r.Artifact.Type.Title(), heading(r.Artifact.Feature),
	)
	b.WriteString(Body(r, 2))
	b.WriteString("\n\n")
	b.WriteString(dataLine(r))
	return b.Bytes()
}

// Package record is the one place that knows the format of review files: their
// path, their front matter, their Markdown, and the data block that lets a
// recorded verdict be shown and used again. Files of other tools and of former
// versions are read as history as far as they can be understood.
package record

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"workflow-reviewer/internal/workflow"
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

	Files         []workflow.File // what was reviewed; without blob ids in a legacy file
	ContextDigest string
	Head          string
	Base          string
	Engine        string
	Model         string
	Effort        string
	Iteration     int
	Warning       string
	Tokens        workflow.Tokens
	DurationMS    int64

	// Draft marks a review that a writer asked for: it counts for writers alone.
	Draft bool
	// Legacy marks a file without our front matter: it counts as history, its
	// verdict is never used again.
	Legacy bool
	// Result is the review as it was, nil for a legacy file. ReviewPath is the
	// record's path; Cached and MovedTo are for the caller to set.
	Result *workflow.Result
	// Text is the Markdown for people, cut to 32 KiB.
	Text string
}

// Digest identifies the bytes of a review file, "sha256:<hex>". As the
// external id of a check run it vouches for a record: a check run cannot be
// written from a pull request, a file can.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

package record

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// Layout is the time in a review file's name, UTC.
const Layout = "20060102T150405"

// Path is where the review is saved, relative to the repository's root:
// reviews/<folder>/<time>-<feature>-<decision>.md below the artifact's own. There
// is one (type, feature) in a run, so it is unique in a run.
func Path(r workflow.Result) string {
	name := r.Date.UTC().Format(Layout) + "-" + slug(withoutRoot(r.Artifact)) + "-" + Outcome(r) + ".md"
	return path.Join(r.Artifact.Root, "reviews", slug(r.Artifact.Type.Folder()), name)
}

// withoutRoot is a feature's name without the root that holds its reviews.
func withoutRoot(a workflow.Artifact) string {
	dir, name := path.Split(a.Feature)
	if root := path.Clean(dir); a.Root != "" && (a.Root == root || a.Root == path.Join(root, "project-meta")) {
		return name
	}
	return a.Feature
}

var unsafe = lazyregexp.New(`[^A-Za-z0-9._-]+`)

const maxSlug = 100

// Slug is s as part of a file name, unique to s.
func Slug(s string) string { return slug(s) }

// slug is s as part of a file name. A changed name gets a piece of its hash,
// so that two features never share one.
func slug(s string) string {
	safe := strings.Trim(unsafe.ReplaceAllString(s, "-"), "-.")
	safe = safe[:min(len(safe), maxSlug)]
	if safe == s && s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return strings.TrimLeft(safe+"-"+hex.EncodeToString(sum[:3]), "-")
}

// Overridden is the decision of a review file by which a person answers for
// what a review refused.
const Overridden = "OVERRIDDEN"

// Outcome is a result's decision as its file's name and front matter spell it.
func Outcome(r workflow.Result) string {
	if r.Override != nil {
		return Overridden
	}
	return r.Decision.String()
}

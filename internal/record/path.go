package record

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// Layout is the time in a review file's name, UTC.
const Layout = "20060102T150405"

// Path is where the review is saved, relative to the root:
// reviews/<folder>/<time>-<feature>-<decision>.md. There is one (type,
// feature) in a run, so it is unique in a run.
func Path(r workflow.Result) string {
	name := r.Date.UTC().Format(Layout) + "-" + slug(r.Artifact.Feature) + "-" + r.Decision.String() + ".md"
	return path.Join("reviews", slug(r.Artifact.Type.Folder()), name)
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

const maxSlug = 100

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

package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// threadID is eight bytes of a digest, in hexadecimal.
func threadID(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

var markerAtEnd = lazyregexp.New(
	`<!-- workflow-reviewer:finding ([0-9a-f]{16}) ([0-9a-f]{8}(?:[0-9a-f]{8})?) -->\s*$`,
)

// Settled reports whether a comment in the diff, one of our own, is about a finding that this run
// found resolved: its review approved and says nothing of it any more, or calls it resolved. A
// review that did not run, or that ended before anybody looked, settles nothing.
func (r Report) Settled(body string) bool {
	m := markerAtEnd.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	for _, res := range r.Results {
		if threadID(res.Artifact.Name()) == m[1] {
			return settles(res, m[2])
		}
	}
	return false
}

// settles looks for a finding by its id, or, in threads of earlier versions, by a hash of its
// title.
func settles(res workflow.Result, id string) bool {
	is := func(finding, title string) bool {
		return finding == id || threadID(titleKey(title)) == id
	}
	for _, i := range res.Issues {
		if is(i.Key, i.Title) {
			return false
		}
	}
	for _, p := range res.Previous {
		if is(p.ID, p.Title) {
			return (p.Resolved || p.Dismissed) && res.Decision != workflow.Error
		}
	}
	return res.Decision == workflow.Approved
}

// titleKey is a title apart from its spacing and letter case.
func titleKey(s string) string { return strings.ToLower(markdown.Line(s, 0)) }

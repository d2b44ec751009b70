package report

import (
	"crypto/sha256"
	"encoding/hex"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

func threadID(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

var markerAtEnd = lazyregexp.New(`<!-- workflow-reviewer:finding ([0-9a-f]{16}) ([0-9a-f]{16}) -->\s*$`)

// Settled reports whether a comment in the diff, one of our own, is about a finding that this run found
// resolved: its review approved and says nothing of it any more, or calls it resolved. A review that did not
// run, or that ended before anybody looked, settles nothing.
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

func settles(res workflow.Result, id string) bool {
	for _, i := range res.Issues {
		if threadID(titleKey(i.Title)) == id {
			return false
		}
	}
	for _, p := range res.Previous {
		if threadID(titleKey(p.Title)) == id {
			return (p.Resolved || p.Dismissed) && res.Decision != workflow.Error
		}
	}
	return res.Decision == workflow.Approved
}

package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/approval"
)

// record is an approval record of a feature's tests.
func record(feature string, revision int, tests map[string]string) string {
	r := approval.Record{
		Version: 1, Feature: feature, Type: "tests", Revision: revision,
		Review: "reviews/tests/20260101T000000-" + feature + "-APPROVED.md", Head: "8a45265c3d2e7d2e7f4350895fcedc8b1baa9f4e",
	}
	for _, p := range slices.Sorted(maps.Keys(tests)) {
		sum := sha256.Sum256([]byte(tests[p]))
		r.Files = append(r.Files, approval.File{
			Path: p, Mode: change.ModeRegular, Blob: changetest.Blob(tests[p]), SHA256: hex.EncodeToString(sum[:]), Role: approval.Test,
		})
	}
	return string(r.Render())
}

// with joins maps of files, the later ones over the earlier.
func with(ms ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range ms {
		maps.Copy(out, m)
	}
	return out
}

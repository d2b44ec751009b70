package review

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// textOf identifies what a finding is about: its lines, its whole file, or all files of the
// artifact. lines is 0 for the latter two. ok is false if it cannot be read.
func textOf(tree change.Tree, a workflow.Artifact, i workflow.Issue) (text string, lines int, ok bool) {
	if i.File == "" {
		var all []string
		for _, f := range a.Files {
			all = append(all, a.Lasting(f.Path), f.Blob)
		}
		return digestOf(all), 0, len(all) > 0
	}
	data, err := tree.ReadFile(i.File)
	if err != nil {
		return "", 0, false
	}
	if i.Line <= 0 {
		return digestOf([]string{string(data)}), 0, true
	}
	all, end := strings.SplitAfter(string(data), "\n"), max(i.Line, i.EndLine)
	if end > len(all) {
		return "", 0, false
	}
	return digestOf(all[i.Line-1 : end]), end - i.Line + 1, true
}

// findDismissed reports whether what a dismissal is about is as it was; at are the
// lines, from 1, at which its text begins now.
func findDismissed(tree change.Tree, a workflow.Artifact, d workflow.Dismissal) (at []int, ok bool) {
	if d.Lines <= 0 {
		i := d.Issue
		i.Line = 0
		text, _, ok := textOf(tree, a, i)
		return nil, ok && text == d.Text
	}
	data, err := tree.ReadFile(d.Issue.File)
	if err != nil {
		return nil, false
	}
	all := strings.SplitAfter(string(data), "\n")
	for n := 0; n+d.Lines <= len(all); n++ {
		if digestOf(all[n:n+d.Lines]) == d.Text {
			at = append(at, n+1)
		}
	}
	return at, len(at) > 0
}

// digestOf identifies texts; that the last line of a file lacks its line feed makes no difference.
func digestOf(texts []string) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write([]byte(strings.TrimRight(t, "\r\n")))
		h.Write([]byte{'\n'})
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

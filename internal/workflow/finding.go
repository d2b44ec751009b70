package workflow

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
)

// FindingState is how a finding relates to the earlier reviews of its artifact.
type FindingState string

// The states; "" in a review without earlier ones.
const (
	Found  FindingState = "new"    // on lines that changed since the last review
	Open   FindingState = "open"   // found before
	Advice FindingState = "advice" // new, on lines that an earlier review saw: blocks nothing
)

// Identify gives every issue of the result that has none its id: eight hex digits from what stays the same while the
// finding does, which are artifact, rule, file and title. Of several alike each gets its own.
func (r *Result) Identify() {
	taken := map[string]bool{}
	for _, i := range r.Issues {
		taken[i.ID] = true
	}
	issues := append([]Issue{}, r.Issues...)
	for k := range issues {
		for n := 0; issues[k].ID == ""; n++ {
			a, i := r.Artifact, issues[k]
			id := Fingerprint(string(a.Type), a.Feature, i.Rule, a.Lasting(i.File), PlainWords(i.Title), fmt.Sprint(n))
			if !taken[id] {
				issues[k].ID, taken[id] = id, true
			}
		}
	}
	r.Issues = issues
}

// Fingerprint is eight hex digits that stand for the parts in their order.
func Fingerprint(parts ...string) string {
	h := sha256.New()
	for _, s := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// PlainWords is a text's letters and digits in lower case, words apart by a space.
func PlainWords(s string) string {
	fields := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(fields, " ")
}

// Alike reports whether two findings of reviews of one artifact are the same, if both name files by where they are now.
func (i Issue) Alike(o Issue) bool {
	return i.ID != "" && i.ID == o.ID || i.Rule == o.Rule && i.File == o.File && PlainWords(i.Title) == PlainWords(o.Title)
}

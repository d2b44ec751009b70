package workflow

import (
	"cmp"
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

// Identify gives every issue of the result that has none its id: eight hex digits from what stays
// the same while the finding does, which are artifact, kind, file and the code it stands on, never
// its wording. Of several alike each gets its own. A reviewer's finding about a whole file has no
// code: there its title counts, so that setting one aside sets no other aside.
func (r *Result) Identify() {
	taken := map[string]bool{}
	for _, i := range r.Issues {
		taken[i.ID] = true
	}
	issues := append([]Issue{}, r.Issues...)
	for k := range issues {
		for n := 0; issues[k].ID == ""; n++ {
			a, i := r.Artifact, issues[k]
			id := Fingerprint(string(a.Type), a.Feature, i.kind(), a.Lasting(i.File), i.stands(), fmt.Sprint(n))
			if !taken[id] {
				issues[k].ID, taken[id] = id, true
			}
		}
	}
	r.Issues = issues
}

// Blocks reports whether an issue keeps the review from approving: a High one, and of a model that
// refused every one that is neither Low nor advice.
func (r Result) Blocks(i Issue) bool {
	if r.Decision != NeedsChanges || i.State == Advice {
		return false
	}
	return i.Severity == High || i.Severity != Low && r.MustBeReadBy == "" && ReaderOf(r.Engine) == ByModel
}

// kind is the check's id, or the category of a reviewer's finding.
func (i Issue) kind() string { return cmp.Or(i.Rule, "review/"+string(i.Category)) }

// stands is what the finding stands on.
func (i Issue) stands() string {
	if i.Subject == "" && i.Rule == "" {
		return PlainWords(i.Title)
	}
	return strings.Join(strings.Fields(i.Subject), " ")
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

// Alike reports whether two findings of reviews of one artifact are the same, if both name files by
// where they are now. Ids that earlier versions made of titles do not equal those of today; their
// findings are known by rule, file and title.
func (i Issue) Alike(o Issue) bool {
	return i.ID != "" && i.ID == o.ID || i.Rule == o.Rule && i.File == o.File && PlainWords(i.Title) == PlainWords(o.Title)
}

// IsFindingID reports whether a text is a finding's id, as reviews show it.
func IsFindingID(s string) bool {
	return len(s) == 8 && strings.Trim(s, "0123456789abcdef") == ""
}

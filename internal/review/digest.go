package review

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// digester hashes a sequence of texts. Each is preceded by its length, so that no two sequences
// look alike.
type digester struct{ h hash.Hash }

func newDigester() digester { return digester{sha256.New()} }

// add adds texts with their lengths, so that no two lists of texts have the same digest by how they
// join.
func (d digester) add(texts ...string) {
	for _, t := range texts {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(t)))
		d.h.Write(size[:])
		d.h.Write([]byte(t))
	}
}

func (d digester) sum() string { return "sha256:" + hex.EncodeToString(d.h.Sum(nil)) }

// contextDigests identify everything a reviewer is shown besides the artifact, and what else
// decides the verdict: the digest of today, and that by which earlier versions recorded the same.
// Paths enter in their canonical form, so that a document keeps its identity when its spec is
// moved.
func contextDigests(
	canonical func(path string) string,
	fixed string,
	p prompt.Parts,
	policy ...string,
) (now, former string) {
	moved := canonicalizer(canonical, p.Artifact)
	shared := func(version string, related []prompt.Document) digester {
		d := newDigester()
		d.add(version, fixed, string(answers.Asked{}.Schema()))
		d.add(policy...)
		for _, group := range [][]prompt.Document{p.Project, related, p.Earlier} {
			d.add("group")
			for _, doc := range group {
				d.add(canonical(doc.Path), moved.Replace(doc.Heading), doc.Note, stateless(doc, p.Artifact))
			}
		}
		d.add("checks")
		return d
	}
	d, f := shared("workflow-reviewer/context@2", p.Related), shared("workflow-reviewer/context@1", p.Formerly)
	d.add(p.Deciding...)
	addFacts(p, d, moved)
	addWords(p, f, moved)
	return d.sum(), f.sum()
}

// addFacts adds what checks found and what a reviewer is asked by kind, place and code, never by
// the wording.
func addFacts(p prompt.Parts, d digester, moved *strings.Replacer) {
	for _, c := range p.Own {
		d.add("check", c.ID, string(c.Outcome)) // what was looked at is no context
		if c.Gate {
			for _, name := range slices.Sorted(maps.Keys(c.Figures)) {
				d.add(name, fmt.Sprint(c.Figures[name]))
			}
		}
		for _, i := range c.Issues {
			d.add("issue", string(i.Severity), i.Rule, moved.Replace(prompt.PlaceOf(i)), i.Subject)
			if tools.Is(c.ID) {
				d.add(i.Title) // is the tool's and no wording of ours
			}
		}
	}
	if p.Facts.Integrity != nil {
		for _, v := range p.Facts.Integrity.Findings {
			d.add("finding", v.Type, v.Kind, moved.Replace(v.File), v.Side, v.Evidence)
		}
	}
	for _, q := range answers.QuestionsOf(p.Facts) {
		d.add("question", q.ID)
	}
	for _, r := range p.Facts.Requirements {
		d.add("requirement", r.ID, r.Text, moved.Replace(r.Spec), fmt.Sprint(r.Changed != ""))
	}
}

// addWords adds the same by its wording.
func addWords(p prompt.Parts, d digester, moved *strings.Replacer) {
	for _, c := range p.Own {
		d.add("check", c.ID, string(c.Outcome))
		if c.Outcome == workflow.Failed || c.Outcome == workflow.Noted || c.Gate {
			d.add("found", moved.Replace(c.Summary))
		}
		for _, i := range c.Issues {
			d.add("issue", string(i.Severity), i.Title, moved.Replace(i.Description), moved.Replace(prompt.PlaceOf(i)))
		}
	}
	for _, doc := range slices.Concat(p.Integrity, p.Ledger, p.Questions) {
		d.add("integrity", doc.Heading, moved.Replace(doc.Body))
	}
}

// stateless is a document's body apart from what only tells its state.
func stateless(d prompt.Document, a workflow.Artifact) string {
	if !strings.EqualFold(path.Ext(d.Path), ".md") {
		return d.Body
	}
	return layout.Content(d.Body, a.StateLine)
}

// extended is the digest of a context to which a circumstance was added.
func extended(digest string, circumstances ...string) string {
	d := newDigester()
	d.add(digest)
	d.add(circumstances...)
	return d.sum()
}

// canonicalizer replaces the paths of an artifact's documents by their
// canonical form wherever they occur in a text of ours.
func canonicalizer(canonical func(path string) string, a workflow.Artifact) *strings.Replacer {
	var pairs []string
	for _, p := range slices.Concat([]string{a.SpecPath}, prompt.FilePaths(a), a.Companions) {
		if c := canonical(p); c != p {
			pairs = append(pairs, p, c)
		}
	}
	return strings.NewReplacer(pairs...)
}

// sameFiles reports whether two artifacts consist of the same files, wherever
// their lifecycle has moved them and whatever state they tell.
func sameFiles(canonical func(path string) string, a, b []workflow.File) bool {
	ordered := func(files []workflow.File) []workflow.File {
		files = slices.Clone(files)
		for i := range files {
			files[i].Path = canonical(files[i].Path)
		}
		slices.SortFunc(files, func(x, y workflow.File) int { return strings.Compare(x.Path, y.Path) })
		return files
	}
	return len(a) > 0 && len(a) == len(b) && slices.EqualFunc(ordered(a), ordered(b), func(x, y workflow.File) bool {
		return x.Path == y.Path && x.Same(y)
	})
}

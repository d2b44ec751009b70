package review

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// digest identifies a sequence of texts. Each is preceded by its length, so that no two sequences
// look alike.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(t))))
		h.Write([]byte(t))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// schema is what an answer must look like, whatever is asked.
var schema = sync.OnceValue(func() string { return string(answers.Asked{}.Schema()) })

// grounds are what a verdict rests on besides the artifact itself.
type grounds struct {
	fixed  string       // part of the prompt
	policy []string     // and the former blobs of the artifact's files
	shown  prompt.Parts // of which the documents and names count
	checks []workflow.Check
	result workflow.Result // whose integrity, questions and requirements count
}

// contextDigest identifies what a verdict rests on. Paths enter in their canonical form, so that a
// document keeps its identity when its spec is moved. What checks found and what a reviewer is
// asked enters by kind, place and code, never by the wording.
func contextDigest(canonical func(path string) string, g grounds) string {
	moved := canonicalizer(canonical, g.shown.Artifact)
	all := append([]string{"workflow-reviewer/context@2", g.fixed, schema()}, g.policy...)
	add := func(texts ...string) { all = append(all, texts...) }
	for _, group := range [][]prompt.Document{g.shown.Project, g.shown.Related, g.shown.Earlier} {
		add("group")
		for _, doc := range group {
			body := doc.Body
			if strings.EqualFold(path.Ext(doc.Path), ".md") { // whose state is no content
				body = layout.Content(body, g.shown.Artifact.StateLine)
			}
			add(canonical(doc.Path), moved.Replace(doc.Heading), doc.Note, body)
		}
	}
	add("checks")
	add(g.shown.Names...)
	for _, c := range g.checks {
		add(foundBy(c, moved)...)
	}
	if g.result.Integrity != nil {
		for _, v := range g.result.Integrity.Findings {
			add("finding", string(v.Category), v.Kind, moved.Replace(v.File), v.Side, v.Evidence)
		}
	}
	for _, q := range g.result.AllQuestions() {
		add("question", q.Key)
	}
	for _, r := range g.result.Requirements {
		add("requirement", r.ID, r.Text, moved.Replace(r.Spec), fmt.Sprint(r.Changed != ""))
	}
	return digest(all...)
}

// foundBy is what a check found, for a digest; what it looked at is no context.
func foundBy(c workflow.Check, moved *strings.Replacer) []string {
	out := []string{"check", c.ID, string(c.Outcome)}
	for _, name := range slices.Sorted(maps.Keys(c.Figures)) {
		if c.Gate {
			out = append(out, name, fmt.Sprint(c.Figures[name]))
		}
	}
	for _, i := range c.Issues {
		out = append(out,
			"issue", string(i.Level), i.Kind, moved.Replace(prompt.PlaceOf(i)), i.Subject)
		if tools.Is(c.ID) {
			out = append(out, i.Title) // is the tool's and no wording of ours
		}
	}
	return out
}

// extended is the digest of a context to which circumstances were added.
func extended(context string, circumstances ...string) string {
	return digest(append([]string{context}, circumstances...)...)
}

// canonicalizer replaces the paths of an artifact's documents by their canonical form wherever they
// occur in a text of ours.
func canonicalizer(canonical func(path string) string, a workflow.Artifact) *strings.Replacer {
	var pairs []string
	for _, p := range slices.Concat([]string{a.SpecPath}, prompt.FilePaths(a), a.Companions) {
		if c := canonical(p); c != p {
			pairs = append(pairs, p, c)
		}
	}
	return strings.NewReplacer(pairs...)
}

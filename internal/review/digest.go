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
	"sync"

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

func (d digester) add(texts ...string) {
	for _, t := range texts {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(t)))
		d.h.Write(size[:])
		d.h.Write([]byte(t))
	}
}

func (d digester) sum() string { return "sha256:" + hex.EncodeToString(d.h.Sum(nil)) }

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
	d := newDigester()
	d.add("workflow-reviewer/context@2", g.fixed, schema())
	d.add(g.policy...)
	for _, group := range [][]prompt.Document{g.shown.Project, g.shown.Related, g.shown.Earlier} {
		d.add("group")
		for _, doc := range group {
			body := doc.Body
			if strings.EqualFold(path.Ext(doc.Path), ".md") { // whose state is no content
				body = layout.Content(body, g.shown.Artifact.StateLine)
			}
			d.add(canonical(doc.Path), moved.Replace(doc.Heading), doc.Note, body)
		}
	}
	d.add("checks")
	d.add(g.shown.Names...)
	for _, c := range g.checks {
		d.addCheck(c, moved)
	}
	if g.result.Integrity != nil {
		for _, v := range g.result.Integrity.Findings {
			d.add("finding", string(v.Category), v.Kind, moved.Replace(v.File), v.Side, v.Evidence)
		}
	}
	for _, q := range answers.QuestionsOf(g.result) {
		d.add("question", q.Key)
	}
	for _, r := range g.result.Requirements {
		d.add("requirement", r.ID, r.Text, moved.Replace(r.Spec), fmt.Sprint(r.Changed != ""))
	}
	return d.sum()
}

// addCheck adds what a check found; what it looked at is no context.
func (d digester) addCheck(c workflow.Check, moved *strings.Replacer) {
	d.add("check", c.ID, string(c.Outcome))
	for _, name := range slices.Sorted(maps.Keys(c.Figures)) {
		if c.Gate {
			d.add(name, fmt.Sprint(c.Figures[name]))
		}
	}
	for _, i := range c.Issues {
		d.add("issue", string(i.Level), i.Kind, moved.Replace(prompt.PlaceOf(i)), i.Subject)
		if tools.Is(c.ID) {
			d.add(i.Title) // is the tool's and no wording of ours
		}
	}
}

// extended is the digest of a context to which circumstances were added.
func extended(digest string, circumstances ...string) string {
	d := newDigester()
	d.add(digest)
	d.add(circumstances...)
	return d.sum()
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

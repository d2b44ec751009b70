// Package prompt writes what a model is shown: the instructions of a type, the documents around an
// artifact, and the artifact with its change.
package prompt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/review/symbols"
	"workflow-reviewer/internal/workflow"
)

// Max is the longest prompt that codex 0.169.0 takes, in characters.
const Max = 1 << 20

// Material is what the prompts of one run are made from, looked up once. It is not safe for
// concurrent use.
type Material struct {
	Set       change.Set
	Canonical func(path string) string
	Author    Intent
	// Model says that one will read the prompts. Without it only what a verdict rests on is
	// gathered, and what costs much to find is left out.
	Model bool

	index   *symbols.Index         // of the head
	changed map[string]change.File // by path
	listed  []string               // paths of the first of them, deleted ones before others
	lines   []string               // what the list of files says of these
	project []Document
	omitted []string // of the project context
}

// NewMaterial prepares the material of a change. A model is also shown the files of the base that
// the project context names.
func NewMaterial(
	set change.Set,
	canonical func(path string) string,
	author Intent,
	model bool,
	projectContext []string,
) *Material {
	m := &Material{
		Set: set, Canonical: canonical, Author: author, Model: model,
		changed: map[string]change.File{},
	}
	var paths []string
	for _, f := range set.Files {
		m.changed[f.Path] = f
		paths = append(paths, f.Path)
	}
	for _, isDeleted := range []bool{true, false} {
		for _, f := range set.Files {
			if (f.Status == change.Deleted) == isDeleted && len(m.listed) < maxListed {
				m.listed = append(m.listed, f.Path)
				m.lines = append(m.lines, Text("file", f, maxFileList))
			}
		}
	}
	m.index = symbols.NewIndex(set.HeadTree, paths)
	if model {
		m.project, m.omitted = readProject(set.BaseTree, projectContext)
	}
	return m
}

// Collect gathers what a reviewer of an artifact is shown by what stands in the repository. A spec
// that the artifact names and that the head does not hold, or not as text, is an error; any other
// document that is missing is a warning.
func (m *Material) Collect(ctx context.Context, a workflow.Artifact) (Parts, error) {
	p := Parts{Artifact: a, Author: m.Author, Project: m.project}
	g := gatherer{Material: m, Parts: &p, Reader: Reader{tree: m.Set.HeadTree, Left: MaxRelatedAll}}
	if err := g.related(); err != nil {
		return p, err
	}
	p.View = m.View(ctx, a, MaxArtifact)
	p.Omitted = slices.Concat(m.omitted, g.Reader.omitted)
	m.around(ctx, &p)
	p.Omitted = append(p.Omitted, p.View.Omitted...)
	return p, nil
}

// Parts are the pieces of a prompt's variable part, in the order in which they are written: what
// the reviews of a run have in common comes first.
type Parts struct {
	Artifact workflow.Artifact
	Project  []Document
	Related  []Document
	Near     []Document // code and tests around the change
	Earlier  []Document
	Omitted  []string
	View     View
	// Files lists those of the pull request. Known is what this program knows of the artifact: its
	// checks, what it is held against, and what was found and the reviewer must judge.
	Files string
	Known workflow.Result
	// Template is the repository's own form of the variable part, "" for none; Author is what it
	// may quote.
	Template string
	Author   Intent

	Warnings []string // for the review
	Names    []string // what a verdict rests on of what changed lines name, and of tests
}

// text writes the variable part of the prompt.
func (p Parts) text() string {
	if p.Template != "" {
		return p.filled()
	}
	return Text("request", p, 2*Max)
}

// NotWhole names what is not shown whole.
func (p Parts) NotWhole() []Document {
	body := cut(maxOmitted, strings.Join(p.Omitted, "\n"))
	return withBodies(Document{Heading: "Files", Body: body})
}

// Compose writes the prompt, within the limit of fixed and variable part together. Only an artifact
// of thousands of files can exceed what the budgets leave free; then file by file gives up its
// place.
func Compose(fixed string, p Parts) (text string, omitted []string) {
	room := Max - utf8.RuneCountInString(fixed)
	for {
		text = p.text()
		if utf8.RuneCountInString(text) <= room {
			return text, p.Omitted
		}
		if len(p.View.Docs) == 0 {
			text = cut(max(room-200, 0), text)
			return text, append(p.Omitted, "the request itself, which was too long")
		}
		keep := len(p.View.Docs) / 2
		p.Omitted = append(slices.Clone(p.Omitted), fmt.Sprintf(
			"%d more files of the artifact are neither shown nor listed; list_files names them",
			len(p.View.Docs)-keep))
		p.View.Docs = p.View.Docs[:keep]
	}
}

package record

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// ErrNoReview is the error for a file that is no review at all, a README.
var ErrNoReview = errors.New("not a review file")

const maxText = 32 << 10

// Parse reads a review file of any spelling. A file with our front matter must be sound and agree
// with its own name, else it is an error; any other is read as history, with Legacy set and what
// its name and text tell. Whether a file may be believed is not asked here: anybody can write one.
func Parse(p string, content []byte) (Record, error) {
	if len(content) > MaxFile {
		return Record{}, fmt.Errorf("read review %q: larger than %d bytes", p, MaxFile)
	}
	name, named := parseName(p)
	matter, body, _ := splitFront(content)
	f, ours, err := parseFront(matter)
	if err != nil {
		return Record{}, fmt.Errorf("read review %q: %w", p, err)
	}
	if !ours {
		return legacy(p, name, named, string(body))
	}
	rec, err := current(p, f, name, body)
	if err != nil {
		return Record{}, fmt.Errorf("read review %q: %w", p, err)
	}
	return rec, nil
}

// current is a review in today's format. The file's name and folder must tell the same time,
// decision and type as its front matter, or a renamed record would count as another one.
func current(p string, f front, name fileName, body []byte) (Record, error) {
	rec := Record{
		Path: p, Type: workflow.Type(f.Type), Feature: f.Feature, Time: name.time,
		Files: f.Artifacts, Head: f.Head, Iteration: f.Iteration, Draft: f.Draft,
	}
	if f.Decision == Overridden {
		rec.Decision = workflow.Approved
	} else if err := rec.Decision.UnmarshalText([]byte(f.Decision)); err != nil {
		return rec, fmt.Errorf("front matter: %w", err)
	}
	overridden := f.Decision == Overridden
	if name.time.IsZero() || !name.decided || name.decision != rec.Decision ||
		name.overridden != overridden ||
		rec.Decision == workflow.None {
		return rec, fmt.Errorf("the file's name does not tell time and decision %s", f.Decision)
	}
	if path.Base(path.Dir(p)) != rec.Type.Folder() {
		return rec, fmt.Errorf(
			"a review of type %s belongs into reviews/%s", rec.Type, rec.Type.Folder(),
		)
	}
	text, r, err := cutData(body)
	if err != nil {
		return rec, err
	}
	if overridden != (r.Override != nil) {
		return rec, fmt.Errorf(
			"the data block does not tell who overrode it, or the decision is another",
		)
	}
	if !r.Date.IsZero() && !r.Date.Equal(name.time) {
		return rec, fmt.Errorf("the file was renamed: the review is of %s", r.Date.Format(Layout))
	}
	rec.Text = markdown.Clip(string(text), maxText)
	r.Artifact = workflow.Artifact{Type: rec.Type, Feature: rec.Feature, Files: rec.Files}
	r.Decision, r.Date, r.ReviewPath = rec.Decision, rec.Time, rec.Path
	f.describe(&r)
	r.Identify()
	rec.Result = &r
	return rec, nil
}

// legacy reads a review of other tools and times as history. ErrNoReview says that a file is none;
// nothing else of its text is believed.
func legacy(p string, name fileName, named bool, body string) (Record, error) {
	if !named || name.overridden || strings.ToLower(path.Ext(p)) != ".md" {
		return Record{}, ErrNoReview
	}
	rec := Record{
		Path:     p,
		Type:     name.typ,
		Feature:  name.feature,
		Decision: name.decision,
		Time:     name.time,
		Legacy:   true,
	}
	rec.Text = markdown.Clip(strings.ToValidUTF8(body, "\uFFFD"), maxText)
	h := readHeader(rec.Text)
	if !name.decided {
		if !h.decided {
			return Record{}, ErrNoReview
		}
		name.said, rec.Decision = h.said, h.said.Decision
	}
	if name.said.Conditional {
		rec.Warning = "It was approved on a condition, or with a review."
	}
	rec.Type = cmp.Or(rec.Type, h.typ)
	rec.Feature = cmp.Or(rec.Feature, h.feature)
	if h.artifact != "" && filepath.IsLocal(h.artifact) {
		rec.Files = []workflow.File{{Path: h.artifact}}
	}
	return rec, nil
}

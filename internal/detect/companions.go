package detect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// Bounds of what the reviewer of one artifact is shown besides.
const (
	maxCompanions    = 30
	maxCompanionSize = 512 << 10 // bytes
)

// place says whose project an artifact is of: where its documents are, its reviews are too.
func (d *detector) place(a *workflow.Artifact) {
	p, _ := d.rules.projectOf(a.Feature)
	a.Root = p.root
	for _, doc := range []string{a.SpecPath, a.Path()} {
		if at := d.rules.place(doc); doc != "" && at.prefix == p.prefix()+metaFolder {
			a.Root = path.Join(p.root, metaFolder)
		}
	}
}

// metaFolder holds the documents of a project that keeps them apart from its content.
const metaFolder = "project-meta/"

// companions lists the documents that belong to an artifact's feature: its other specs, then what
// its layout names.
func (d *detector) companions(a *workflow.Artifact) error {
	p, name := d.rules.projectOf(a.Feature)
	docs := p.specs.of(name)
	if report := d.reportIn(a); report.path != "" {
		docs = append([]spec{report}, docs...)
	}
	if len(docs) == 0 || docs[0].match.Layout == nil || d.rules.place(a.Path()).project != p {
		return nil
	}
	isPlan := a.Type == workflow.Roadmap && a.SpecPath == "" && !docs[0].tasks
	if a.Type == workflow.Vision || a.Type == workflow.Scope || isPlan {
		return nil
	}
	switch l := docs[0].match.Layout; {
	case l.Bundle:
		a.Layout = layout.BundleName
	case l.Name != layout.Workflow:
		a.Layout = l.Name
	}
	if line := docs[0].match.Line(); line != "Status" {
		a.StateLine = line
	}
	var all []string
	for _, s := range docs {
		if !s.tasks {
			all = append(all, s.path)
		}
	}
	for _, s := range docs {
		related, err := d.related(s)
		if err != nil {
			return err
		}
		all = append(all, related...)
	}
	for _, c := range all {
		isOwn := func(f workflow.File) bool { return f.Path == c }
		isKnown := c == a.SpecPath || slices.ContainsFunc(a.Files, isOwn) ||
			slices.Contains(a.Companions, c)
		if !isKnown && len(a.Companions) < maxCompanions {
			a.Companions = append(a.Companions, c)
		}
	}
	return nil
}

// reportIn is the report of a bug fix whose layout shows its reviewers more.
func (d *detector) reportIn(a *workflow.Artifact) spec {
	at := d.rules.place(a.Path())
	m, ok := at.match()
	if !ok || a.Type != workflow.BugFix || m.Kind != layout.Bug || len(m.Layout.Companions) == 0 {
		return spec{}
	}
	return spec{path: a.Path(), match: m}
}

// related are the files of the head that a layout's companion patterns name for a document.
func (d *detector) related(s spec) ([]string, error) {
	return d.inFolders(d.rules.place(s.path).prefix, s.match.Companions(), maxCompanionSize)
}

// inFolders are the files of the head, of at most so many bytes, that are documents below a prefix.
func (d *detector) inFolders(
	prefix string,
	documents layout.Documents,
	most int64,
) ([]string, error) {
	var entries []change.Entry
	for _, folder := range documents.Folders() {
		found, err := d.set.HeadTree.List(strings.TrimSuffix(prefix+folder, "/"))
		if err != nil {
			return nil, fmt.Errorf("list %q of %s: %w", prefix+folder, short(d.set.Head), err)
		}
		entries = append(entries, found...)
	}
	entries = slices.DeleteFunc(
		entries,
		func(e change.Entry) bool { return !isRegular(e.Mode) || e.Size > most },
	)
	out := documents.Among(below(prefix, entries))
	for i := range out {
		out[i] = prefix + out[i]
	}
	return out, nil
}

// contentOf identifies a document apart from its state, "" for what is none.
func (d *detector) contentOf(c *candidate) string {
	if c.class != document {
		return ""
	}
	text, err := d.headText(c.Path)
	if err != nil || !layout.TellsState(text, c.match.Line()) {
		return ""
	}
	sum := sha256.Sum256([]byte(layout.Content(text, c.match.Line())))
	return "sha256:" + hex.EncodeToString(sum[:])
}

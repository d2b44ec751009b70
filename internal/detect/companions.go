package detect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// Bounds of what the reviewer of one artifact is shown besides.
const (
	maxCompanions    = 30
	maxCompanionSize = 512 << 10 // bytes
)

// place says whose project an artifact is of: where its documents are, its
// reviews are too.
func (d *detector) place(a *workflow.Artifact) {
	p, _ := d.rules.projectOf(a.Feature)
	a.Root = p.root
	for _, doc := range []string{a.SpecPath, a.Path()} {
		if at := d.rules.place(doc); doc != "" && at.prefix == p.prefix()+metaFolder {
			a.Root = path.Join(p.root, metaFolder)
		}
	}
}

// metaFolder holds the documents of a project that keeps them apart from its
// content.
const metaFolder = "project-meta/"

// companions lists the documents that belong to an artifact's feature: its
// other specs, then what its layout names.
func (d *detector) companions(a *workflow.Artifact) error {
	p, name := d.rules.projectOf(a.Feature)
	docs := p.specs.of(name)
	if len(docs) == 0 || docs[0].match.Layout == nil || d.rules.place(a.Path()).project != p {
		return nil
	}
	if a.Type == workflow.Vision || a.Type == workflow.Scope || a.Type == workflow.Roadmap && a.SpecPath == "" && !docs[0].tasks {
		return nil
	}
	if a.Layout = docs[0].match.Layout.Name; a.Layout == layout.Workflow {
		a.Layout = ""
	}
	if line := docs[0].match.Line(); line != "Status" {
		a.StateLine = line
	}
	skip := []string{a.SpecPath}
	for _, f := range a.Files {
		skip = append(skip, f.Path)
	}
	var out []string
	add := func(paths ...string) {
		for _, c := range paths {
			if !slices.Contains(skip, c) && !slices.Contains(out, c) && len(out) < maxCompanions {
				out = append(out, c)
			}
		}
	}
	for _, s := range docs {
		if !s.tasks {
			add(s.path)
		}
	}
	for _, s := range docs {
		related, err := d.related(s)
		if err != nil {
			return err
		}
		add(related...)
	}
	a.Companions = out
	return nil
}

// related are the files of the head that a layout's companion patterns name for
// a document.
func (d *detector) related(s spec) ([]string, error) {
	prefix := d.rules.place(s.path).prefix
	var paths []string
	for _, folder := range s.match.RelatedFolders() {
		entries, err := d.set.HeadTree.List(strings.TrimSuffix(prefix+folder, "/"))
		if err != nil {
			return nil, fmt.Errorf("list %q of %s: %w", prefix+folder, short(d.set.Head), err)
		}
		for _, e := range entries {
			if isRegular(e.Mode) && e.Size <= maxCompanionSize {
				paths = append(paths, strings.TrimPrefix(e.Path, prefix))
			}
		}
	}
	related := s.match.Related(paths)
	for i, r := range related {
		related[i] = prefix + r
	}
	return related, nil
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

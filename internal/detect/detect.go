// Package detect finds what a change asks to have reviewed: it turns changed files into artifacts,
// each of one type and one feature, and says of every file that is in none of them why.
package detect

import (
	"context"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// Options says what to look for. The zero value means the built-in rules.
type Options struct {
	Types []workflow.Type // wanted; nil = all
	// explicit artifact paths instead of what the change touched
	Paths    []string
	Globs    map[workflow.Type][]string // replaces the built-in list of a type
	Features map[string][]string        // feature → globs
	Ignore   []string                   // globs of what is no artifact
	Branch   string                     // the head's branch name, hostile
	Trunks   []string                   // branches that stand for no work of their own
	Labels   []string                   // the pull request's labels
	// in use, complete; one named layout.Auto stands for all that show; nil means auto
	Layouts []layout.Layout
	Roots   []string // globs of folders that are projects of their own
	// Approved looks up what a version of a file, a path with a blob, was
	// approved as, the newest approval first; nil means that nothing was.
	Approved func(path, blob string) []Approved
	// Recent reports whether the base's history shows that a path changed lately; nil means that
	// there is none to ask.
	Recent func(path string) bool
	// Demands reports whether a file that would be in no artifact must be reviewed all the same, as
	// part of the implementation and whatever Types says; nil means that none must. Foreign files
	// are vendored or generated.
	Demands func(path string, foreign bool) bool
	// Implemented reports whether an implementation of a feature was approved, and whether that was
	// before the change; nil means none.
	Implemented func(feature string) (approved, before bool)
	// Unmet says of an artifact's claims, in a sentence, what they name that is not there, "" if
	// all is; nil means that nobody asks.
	Unmet func(a workflow.Artifact) string
	// AutoMove says whether an approved artifact of a type may be moved; nil means none.
	AutoMove func(workflow.Type) bool
}

// Result is what was found. Every slice is in a fixed order.
type Result struct {
	Artifacts []workflow.Artifact // by workflow.Types, then by feature
	Notices   workflow.Notices
	Missing   []Missing
	Context   []string `json:",omitempty"` // documents of the projects that every reviewer is shown
}

// Missing is an explicit path that names no file of the head.
type Missing struct {
	Path    string
	Type    workflow.Type // what it would have been, as far as the path tells
	Message string        // "Spec not found at specs/todo/x.md"
}

// Artifacts finds the artifacts of a change. It reads each blob at most once.
// An error means that a tree could not be read, never that a file is strange.
func Artifacts(ctx context.Context, set change.Set, opt Options) (Result, error) {
	d, err := detected(ctx, set, opt)
	if err != nil {
		return Result{}, err
	}
	artifacts, err := d.assemble()
	if err != nil {
		return Result{}, err
	}
	if artifacts, err = d.claim(artifacts); err != nil {
		return Result{}, err
	}
	if err := d.notePins(); err != nil {
		return Result{}, err
	}
	if len(artifacts) == 0 && len(d.missing) == 0 {
		d.notes.note(
			"",
			"nothing to review: no file of this change is a workflow artifact of a type that is asked for",
		)
	}
	return Result{
		Artifacts: artifacts, Notices: d.notes.list(), Missing: d.missing,
		Context: d.rules.context(),
	}, nil
}

// detected gives every file that is in an artifact its type and feature.
func detected(ctx context.Context, set change.Set, opt Options) (*detector, error) {
	d, err := newDetector(set, opt)
	if err != nil {
		return nil, err
	}
	if err := d.collect(); err != nil {
		return nil, err
	}
	if err := d.inspect(ctx); err != nil {
		return nil, err
	}
	if err := d.assignFeatures(); err != nil {
		return nil, err
	}
	d.splitSources()
	d.noteRoots()
	return d, nil
}

// newDetector prepares a detection. It fails where a tree cannot be listed.
func newDetector(set change.Set, opt Options) (*detector, error) {
	r, err := newRules(set, opt)
	return &detector{set: set, opt: opt, rules: r, notes: &notes{}}, err
}

// detector is the state of one run.
type detector struct {
	set   change.Set
	opt   Options
	rules rules
	notes *notes

	files   []*candidate // sorted by path
	missing []Missing
	added   map[string]string
	texts   map[string]string // documents of the head that were read
	tests   *headTests        // of the head, once they were asked for
	foreign int64             // bytes of vendored and generated files that were searched
}

// candidate is a file that may be part of an artifact.
type candidate struct {
	change.File
	kind     // its type is decided by splitSources for sources
	place    place
	body     body // of a source, what its changed functions are
	found    resolution
	explicit bool       // named by Options.Paths
	whole    bool       // not part of the change: all of it counts as changed
	demanded bool       // reviewed only because of what it holds
	moved    bool       // a pure move
	approved bool       // keeps type and feature of an approval
	fixes    []Approved // the bug fixes that it was approved with
	bugs     []*candidate
}

// oldPath is where the file's old side is, "" if there is none.
func (c *candidate) oldPath() string {
	switch {
	case c.OldPath != "":
		return c.OldPath
	case c.Status == change.Added:
		return ""
	default:
		return c.Path
	}
}

func (d *detector) wants(t workflow.Type) bool {
	return d.opt.Types == nil || slices.Contains(d.opt.Types, t)
}

func (d *detector) mayMove(
	t workflow.Type,
) bool {
	return d.opt.AutoMove != nil && d.opt.AutoMove(t)
}

// of lists the candidates of the classes.
func (d *detector) of(classes ...class) []*candidate {
	var out []*candidate
	for _, c := range d.files {
		if slices.Contains(classes, c.class) {
			out = append(out, c)
		}
	}
	return out
}

package detect

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/workflow"
)

// class is what a path can be.
type class int

const (
	nothing    class = iota // whyClass says why
	document                // vision, scope, roadmap or spec: one file, one artifact
	bugReport               //
	testFile                // a test
	testHelper              // what tests load or are run by
	source                  // skeleton or implementation
)

// noArtifact is why a file that no rule names is in no artifact.
const noArtifact = "neither a workflow document nor source code"

// place is a path and what is left of it below project-meta/ or
// project-content/, where every rule is applied again.
type place struct {
	prefix string // with a slash at the end, or empty
	rel    string
}

func placeOf(p string) place {
	for _, prefix := range []string{"project-meta/", "project-content/"} {
		if rel, ok := strings.CutPrefix(p, prefix); ok {
			return place{prefix, rel}
		}
	}
	return place{"", p}
}

// rules classifies paths: the built-in lists, and the config's in their place.
type rules struct {
	globs  map[workflow.Type][]string
	ignore []string
}

func newRules(opt Options) rules { return rules{globs: opt.Globs, ignore: opt.Ignore} }

// kind is what the rules make of a path.
type kind struct {
	class class
	typ   workflow.Type // of a document
	why   string
}

// of classifies a path by its name alone.
func (r rules) of(p string) kind {
	at := placeOf(p)
	if why := ownFile(at.rel); why != "" {
		return kind{class: nothing, why: why}
	}
	if g := matchAny(r.ignore, p, at); g != "" {
		return kind{class: nothing, why: "ignored by the config (" + g + ")"}
	}
	for _, t := range []workflow.Type{workflow.Vision, workflow.Scope, workflow.Roadmap, workflow.Spec, workflow.BugFix} {
		if why := r.isDocument(t, p, at); why != "" {
			if t == workflow.BugFix {
				return kind{bugReport, t, why}
			}
			return kind{document, t, why}
		}
	}
	if why := foreignFile(at.rel); why != "" {
		return kind{class: nothing, why: why}
	}
	return r.code(p, at)
}

// code classifies what is no document.
func (r rules) code(p string, at place) kind {
	if r.has(workflow.Tests) {
		if g := matchAny(r.globs[workflow.Tests], p, at); g != "" {
			return kind{testFile, workflow.Tests, "config paths: " + g}
		}
	} else if c, why := testConvention(at.rel); c != nothing {
		return kind{c, workflow.Tests, why}
	}
	if g := matchAny(r.globs[workflow.Skeleton], p, at); g != "" {
		return kind{source, workflow.Skeleton, "config paths: " + g}
	}
	if r.has(workflow.Implementation) {
		if g := matchAny(r.globs[workflow.Implementation], p, at); g != "" {
			return kind{source, "", "config paths: " + g}
		}
		return kind{class: nothing, why: "not in the config's paths"}
	}
	if lang := conventions.Language(at.rel); lang != "" {
		return kind{source, "", lang + " source"}
	}
	return kind{class: nothing, why: noArtifact}
}

// has reports whether the config replaces the list of a type.
func (r rules) has(t workflow.Type) bool { return len(r.globs[t]) > 0 }

// isDocument says why a path is a document of a type, "" if it is none.
func (r rules) isDocument(t workflow.Type, p string, at place) string {
	if r.has(t) {
		if g := matchAny(r.globs[t], p, at); g != "" {
			return "config paths: " + g
		}
		return ""
	}
	dir, file := path.Split(at.rel)
	switch t {
	case workflow.Vision, workflow.Scope, workflow.Roadmap:
		if file == strings.ToUpper(string(t))+".md" && (dir == "" || dir == "docs/" || dir == "planning/") {
			return "named " + file
		}
	case workflow.Spec:
		if path.Ext(file) == ".md" && stateOf(at.rel) != "" {
			return "in " + dir
		}
	case workflow.BugFix:
		if path.Ext(file) == ".md" && dir == "bugs/fixing/" {
			return "in " + dir
		}
	}
	return ""
}

// stateOf is the state of a spec at a path below a prefix, "" if there is none.
func stateOf(rel string) workflow.State {
	dir := path.Dir(rel)
	if path.Dir(dir) != "specs" {
		return ""
	}
	switch s := workflow.State(path.Base(dir)); s {
	case workflow.Proposed, workflow.Todo, workflow.Doing, workflow.Done:
		return s
	default:
		return ""
	}
}

// matchAny returns the first glob that matches the path from the root or from
// below its prefix, "" if there is none. A bad glob matches nothing.
func matchAny(globs []string, p string, at place) string {
	for _, g := range globs {
		if matches(g, p) || at.rel != p && matches(g, at.rel) {
			return g
		}
	}
	return ""
}

func matches(glob, p string) bool {
	ok, err := doublestar.Match(strings.TrimPrefix(glob, "./"), p)
	return ok && err == nil
}

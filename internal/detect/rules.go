package detect

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// class is what a path can be.
type class int

const (
	nothing    class = iota // why says why
	document                // vision, scope, roadmap or spec: one file, one artifact
	bugReport               //
	testFile                // a test
	testHelper              // what tests load or are run by
	source                  // skeleton or implementation
)

// noArtifact is why a file that no rule names is in no artifact.
const noArtifact = "neither a workflow document nor source code"

// rules classifies paths: the layouts of each project, and the config's lists in their place.
type rules struct {
	globs    map[workflow.Type][]string
	ignore   []string
	projects []*project // the nested first, the repository's own last
	builtin  layout.Set
}

// newRules compiles what decides about paths: globs, layouts and projects.
func newRules(set change.Set, opt Options) (rules, error) {
	all, err := layout.BuiltinSet()
	if err != nil {
		return rules{}, err // a test compiles them
	}
	ps, err := projects(set, opt)
	return rules{globs: opt.Globs, ignore: opt.Ignore, projects: ps, builtin: all}, err
}

// Canonical tells of a path what it is in every state of the document there, by the layouts in use.
func Canonical(set change.Set, opt Options) (func(path string) string, error) {
	r, err := newRules(set, opt)
	return r.canonical, err
}

// canonical is a path without the folder of its state, which is the same in all states.
func (r rules) canonical(p string) string {
	at := r.place(p)
	return at.prefix + at.layouts.Canonical(at.rel)
}

// kind is what the rules make of a path.
type kind struct {
	class class
	typ   workflow.Type // of a document
	why   string
	match layout.Match // the zero value if no layout names the path

	closed  bool // it is never reviewed: our own, ignored, or foreign
	foreign bool // others' work, vendored or generated
}

// documentKinds are the types of documents by what a layout takes them for.
func documentKinds() map[layout.Kind]workflow.Type {
	return map[layout.Kind]workflow.Type{
		layout.Vision: workflow.Vision, layout.Scope: workflow.Scope,
		layout.Roadmap: workflow.Roadmap,
		layout.Spec:    workflow.Spec, layout.Capability: workflow.Spec,
		layout.Bug: workflow.BugFix,
	}
}

// of classifies a path by its name alone.
func (r rules) of(p string) kind {
	at := r.place(p)
	if why := ownFile(at.rel); why != "" {
		return kind{class: nothing, why: why, closed: true}
	}
	if g := matchAny(r.ignore, p, at); g != "" {
		return kind{class: nothing, why: "ignored by the config (" + g + ")", closed: true}
	}
	m, _ := at.match()
	if k := r.document(p, at, m); k.class != nothing {
		return k
	}
	if why := shownOnly(m); why != "" {
		return kind{class: nothing, match: m, why: why}
	}
	if why := foreignFile(at.rel); why != "" {
		return kind{class: nothing, why: why, closed: true, foreign: true}
	}
	k := r.code(p, at)
	switch {
	case m.Kind == layout.Tests && !r.has(workflow.Tests) && k.class != testHelper:
		k = kind{class: testFile, typ: workflow.Tests, why: "tests of the layout " + m.Layout.Name}
	case m.Kind == layout.Code && k.class == nothing:
		k = kind{class: source, why: "code of the layout " + m.Layout.Name}
	}
	k.match = m
	return k
}

// shownOnly says what a layout has a document for that nobody reviews, "" if it has it for more.
func shownOnly(m layout.Match) string {
	switch m.Kind {
	case layout.Companion:
		return fmt.Sprintf("a document of %s (layout %s) that its reviewers are shown",
			cmp.Or(m.Feature, "all features"), m.Layout.Name)
	case layout.Context:
		return "a document of the project (layout " + m.Layout.Name + "), shown to reviewers"
	case layout.Tool:
		return "a file of the tools of the layout " + m.Layout.Name
	}
	return ""
}

// isTest reports whether of calls a path a test, without what it takes to tell what else is.
func (r rules) isTest(p string) bool {
	at := r.place(p)
	hasTests := func(l layout.Layout) bool { return len(l.Tests) > 0 }
	if !r.has(workflow.Tests) && !slices.ContainsFunc(at.layouts.Layouts, hasTests) {
		if c, _ := testConvention(at.rel); c != testFile {
			return false
		}
	}
	return r.of(p).class == testFile
}

// document classifies what is a document by the config or by the match.
func (r rules) document(p string, at place, m layout.Match) kind {
	for _, t := range []workflow.Type{
		workflow.Vision, workflow.Scope, workflow.Roadmap, workflow.Spec, workflow.BugFix,
	} {
		k := kind{class: document, typ: t, match: m}
		if t == workflow.BugFix {
			k.class = bugReport
		}
		if r.has(t) {
			if g := matchAny(r.globs[t], p, at); g != "" {
				k.why = "config paths: " + g
				return k
			}
		} else if documentKinds()[m.Kind] == t && isDocument(p, path.Base(m.Pattern)) {
			k.why = "layout " + m.Layout.Name + ": " + m.Pattern
			return k
		}
	}
	return kind{}
}

// isDocument reports whether a file can be the document that a pattern's last part names: prose
// that is no list of contents, or a bundle's data by its whole name.
func isDocument(p, pattern string) bool {
	if strings.ContainsAny(pattern, "{*") && contents.MatchString(p) {
		return false
	}
	return prose(p) || path.Ext(p) == ".json" && pattern == path.Base(p)
}

// contents matches what lists the specs of a folder, or is copied for one; where a pattern
// names such a file itself, it is a document.
var contents = lazyregexp.New(`(?i)(?:^|/)(?:readme|index|template)\.\w+$`)

// prose reports whether a path is that of a text for people.
func prose(p string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx"}, strings.ToLower(path.Ext(p)))
}

// code classifies what is no document.
func (r rules) code(p string, at place) kind {
	if r.has(workflow.Tests) {
		if g := matchAny(r.globs[workflow.Tests], p, at); g != "" {
			return kind{class: testFile, typ: workflow.Tests, why: "config paths: " + g}
		}
	} else if c, why := testConvention(at.rel); c != nothing {
		return kind{class: c, typ: workflow.Tests, why: why}
	}
	if g := matchAny(r.globs[workflow.Skeleton], p, at); g != "" {
		return kind{class: source, typ: workflow.Skeleton, why: "config paths: " + g}
	}
	if r.has(workflow.Implementation) {
		if g := matchAny(r.globs[workflow.Implementation], p, at); g != "" {
			return kind{class: source, why: "config paths: " + g}
		}
		return kind{class: nothing, why: "not in the config's paths"}
	}
	if lang := conventions.Language(at.rel); lang != "" {
		return kind{class: source, why: lang + " source"}
	}
	return kind{class: nothing, why: noArtifact}
}

// has reports whether the config replaces the list of a type.
func (r rules) has(t workflow.Type) bool { return len(r.globs[t]) > 0 }

// matchAny returns the first entry that names the path from the root or from
// below its prefix, "" if there is none.
func matchAny(entries []string, p string, at place) string {
	for _, e := range entries {
		if glob.Names(e, p) || at.rel != p && glob.Names(e, at.rel) {
			return e
		}
	}
	return ""
}

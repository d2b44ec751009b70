package detect

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// missedDocument says of a file in no artifact that its author may take it for a spec or a plan,
// why, and how it becomes one; "" if nothing speaks for that.
func (d *detector) missedDocument(c *candidate, k kind) string {
	isUnnamed, m := k.why == noArtifact, k.match
	isShown := m.Kind == layout.Companion || m.Kind == layout.Tool
	isCode := conventions.Language(c.Path) != ""
	switch {
	case isCode && (k.why == ownFile(c.place.rel) || m.Kind == layout.Tool):
		return "source code: " + k.why
	case !isUnnamed && !isShown:
		return "" // ours, ignored, foreign
	case !prose(c.Path) && documentKinds()[m.Kind] != "":
		return fmt.Sprintf(
			"the layout %s has documents there (%s), but only Markdown is reviewed",
			m.Layout.Name, m.Pattern,
		)
	case !prose(c.Path):
		return ""
	case isUnnamed && (notSpec.MatchString(path.Base(c.Path)) || copyFolder.MatchString(c.Path)):
		return misspelled(c.place.rel)
	}
	if hint := d.unusedLayout(c); hint != "" && m.Kind != layout.Tool {
		return hint
	}
	if isUnnamed {
		isIn := func(l layout.Layout) bool {
			return l.Name != layout.Workflow && len(l.Spec) > 0 && l.Shown([]string{c.place.rel})
		}
		in := namedSpec.MatchString(c.Path) && slices.ContainsFunc(c.place.layouts.Layouts, isIn)
		if in {
			return d.unknownLayout(c, in)
		}
		return cmp.Or(misspelled(c.place.rel), d.belowNoRoot(c.Path), d.unknownLayout(c, in))
	}
	aside := besideSpecs.MatchString(c.Path)
	titles := d.headings(c)
	isSpec := namedSpec.MatchString(c.Path) && !aside
	isAlike := m.Kind == layout.Tool && len(titles) > 0 && !aside &&
		!notSpec.MatchString(path.Base(c.Path))
	if isSpec || isAlike {
		const none = `%s, and the layout %s has none there: its specs are %s (others want an entry in "layouts")`
		return fmt.Sprintf(none, resemblance(titles, isSpec), m.Layout.Name, m.Layout.Spec[0])
	}
	return ""
}

// unknownLayout says that a document that no layout names looks like a spec; in is that it is
// called one in a folder of a layout in use.
func (d *detector) unknownLayout(c *candidate, in bool) string {
	at, tool := specFolder.FindStringIndex(c.Path), toolFolder.FindStringIndex(c.Path)
	if !in && (d.rules.has(workflow.Spec) || tool != nil && (at == nil || at[0] > tool[0])) {
		return ""
	}
	titles := d.headings(c)
	if !in && at == nil && (len(titles) == 0 || hiddenFolder.MatchString(c.Path)) {
		return ""
	}
	spec := path.Join(path.Dir(c.place.rel), "{feature}"+path.Ext(c.Path))
	const unnamed = `%s, and no layout in use names it: say in the config's "layouts" ` +
		`(or "paths") where specs are, as {"spec": %q}, or ignore it`
	return fmt.Sprintf(unnamed, resemblance(titles, in || at != nil), spec)
}

// resemblance says what makes a document look like a spec.
func resemblance(titles []string, byName bool) string {
	if byName {
		return "named like a spec"
	}
	return fmt.Sprintf(
		"its headings %q look like those of a spec, story, plan or bug report",
		titles,
	)
}

// headings are two headings of a document that those of a built-in layout have.
func (d *detector) headings(c *candidate) []string {
	text, _ := d.headText(c.Path) // what cannot be read has none
	for _, l := range d.rules.builtin.Layouts {
		if found := l.Resembles(text); len(found) > 0 {
			return found
		}
	}
	return nil
}

// unusedLayout says why a document that a layout names, of those in use or built in, is not read as
// one, "" if none names it.
func (d *detector) unusedLayout(c *candidate) string {
	m := c.match
	if documentKinds()[m.Kind] == "" {
		m, _ = d.rules.builtin.Match(c.place.rel)
	}
	typ := documentKinds()[m.Kind]
	if typ == "" {
		return ""
	}
	why := `is not in use: name it in the config's "layouts"`
	isIts := func(l layout.Layout) bool { return l.Name == m.Layout.Name }
	switch {
	case d.rules.has(typ):
		why = `does not count where the config's "paths" name files of that type: name it there as well, or ignore it`
	case slices.ContainsFunc(c.place.layouts.Layouts, isIts):
		why = `the config's "layouts" have elsewhere: name it there as well, or ignore it`
	}
	return fmt.Sprintf("a document of the layout %s, which %s", m.Layout.Name, why)
}

// belowNoRoot says that a path is a document of a built-in layout below a folder that is no root.
func (d *detector) belowNoRoot(p string) string {
	for i, r := range p {
		if r != '/' {
			continue
		}
		m, _ := d.rules.builtin.Match(p[i+1:])
		if m.Kind == layout.Spec || m.Kind == layout.Capability ||
			m.Kind == layout.Roadmap && m.Feature != "" {
			return fmt.Sprintf(
				"a document of the layout %s below %s, which is no root: name that folder in the config's \"roots\" "+
					"(letters, digits and . _ - alone) or in \"layouts\": {\"extends\": %[1]q, \"root\": %[2]q}",
				m.Layout.Name,
				p[:i],
			)
		}
	}
	return ""
}

// What names of documents tell.
var (
	// namedSpec matches documents that their authors take for specs.
	namedSpec = lazyregexp.New(
		`(?i)(?:^|/)(?:[\w-]+[-_])?(?:spec|requirements|bugfix)\.mdx?$|(?:^|/)\.kiro/specs/[^/]+\.mdx?$`,
	)
	// specFolder matches documents in folders, or under names, that specs usually have.
	specFolder = lazyregexp.New(
		`(?i)(?:^|/)\.?(?:specs?|specifications?|rfcs?|prds?|proposals?|requirements|user[-_]?stories|` +
			`epics|plans|bugs|bug[-_]?reports)/(?:.*/)?[^/]+$|` +
			`(?:^|/)stories/(?:.*/)?[^/]+\.md$|` +
			`(?:^|[/._-])(?:spec|prd|requirements)\.mdx?$|(?:^|/)prd[._-][^/]*\.mdx?$`,
	)
	// besideSpecs matches what layouts keep beside specs, notSpec what anybody does.
	besideSpecs = lazyregexp.New(
		`(?:^|/)(?:checklists|contracts|templates?|commands|prompts|schemas)/`,
	)
	notSpec = lazyregexp.New(
		`(?i)^(?:(?:readme|index|template|changelog|contributing|license|agents|claude)` +
			`(?:[._].*|-[a-z]{2}(?:-[a-z]{2,4})?\.\w+)|_.*)$`,
	)
	// copyFolder matches what is copied from, toolFolder what agents are run with, and hiddenFolder
	// what is below the folder of a tool.
	copyFolder   = lazyregexp.New(`(?:^|/)(?:templates?|commands|prompts|fixtures|testdata)/`)
	toolFolder   = lazyregexp.New(`(?:^|/)(?:skills|agents|workflows|rules)/`)
	hiddenFolder = lazyregexp.New(`(?:^|/)\.[^/]+/`)
)

// misspelled says which document a path might have been meant to be, "" if none.
func misspelled(rel string) string {
	switch upper := strings.ToUpper(path.Base(rel)); upper {
	case "VISION.MD", "SCOPE.MD", "ROADMAP.MD":
		want := strings.TrimSuffix(upper, ".MD") + ".md"
		return "looks like " + want +
			", which is read only under exactly that name in the root, docs/ or planning/"
	}
	return ""
}

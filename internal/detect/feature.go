package detect

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// resolution is the feature of a file and how it was found.
type resolution struct {
	feature string // with the project's root before it, safe as part of a file name
	why     string
	byPath  bool // by the file's own path, not by what the whole change says
	hint    bool // a name in the path that the feature a change tells of overrules
	told    bool // the change tells: by a label, its branch or its documents
	guess   bool // the only spec in work, where nothing names another
}

// resolve finds the feature of a path by what its layout captures, by the config, or by a part of
// the path that names a spec; false if none says anything.
func (d *detector) resolve(p string) (resolution, bool) {
	at := d.rules.place(p)
	named := func(feature, why string) (resolution, bool) {
		return resolution{
			feature: at.name(at.specs.canonical(feature)),
			why:     why,
			byPath:  true,
		}, true
	}
	if m, ok := at.match(); ok && m.Feature != "" {
		return named(m.Feature, "the layout "+m.Layout.Name+": "+m.Pattern)
	}
	if feature, glob := d.configured(p, at); feature != "" {
		return named(feature, "config features: "+glob)
	}
	var best spec
	longest, segment := 0, ""
	for _, s := range segments(at.rel) {
		found, ok := at.specs.get(s)
		isBetter := len(keyOf(s)) > longest && found.touched == best.touched ||
			found.touched && !best.touched
		if ok && isBetter {
			best, longest, segment = found, len(keyOf(s)), s
		}
	}
	if longest == 0 {
		return resolution{}, false
	}
	out, _ := named(best.feature, fmt.Sprintf("%q in its path is the spec %s", segment, best.path))
	out.hint = best.hint()
	return out, true
}

// featureOf is the feature of a path, by itself or by what the change says.
func (d *detector) featureOf(p string) resolution {
	fallback := d.rules.place(p).fallback
	found, ok := d.resolve(p)
	if ok && !(found.hint && fallback.told) {
		return found
	}
	return fallback
}

// configured is the feature whose longest glob matches; of equally long ones the first by feature
// name, then by glob.
func (d *detector) configured(p string, at place) (feature, glob string) {
	for _, name := range slices.Sorted(maps.Keys(d.opt.Features)) {
		for _, g := range slices.Sorted(slices.Values(d.opt.Features[name])) {
			if len(g) > len(glob) && matchAny([]string{g}, p, at) != "" {
				feature, glob = name, g
			}
		}
	}
	return feature, glob
}

// segments are the names in a path that may be a feature's, the file's own first, then its folders
// from the innermost.
func segments(rel string) []string {
	dirs := strings.Split(rel, "/")
	out := stems(dirs[len(dirs)-1])
	for i := len(dirs) - 2; i >= 0; i-- {
		out = append(out, dirs[i])
	}
	return out
}

// stems are a file's name without extension, and without test affixes too.
func stems(name string) []string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	out := []string{stem}
	bare := testPrefix.ReplaceAllString(stem, "$1")
	if bare = testSuffix.ReplaceAllString(bare, "$1$2"); bare != stem && bare != "" {
		out = append(out, bare)
	}
	return out
}

var (
	testPrefix = lazyregexp.New(`^(?:tests?[_-]+|Tests?(\p{Lu}))`)
	testSuffix = lazyregexp.New(
		`(?:[._-](?:unit[_-]?|integration[_-]?|e2e[_-]?)?(?:tests?|specs?)|` +
			`\.(?:e2e|cy|test-d|unit|integration|d)|([\p{L}\p{N}])(?:Tests?\d*|TestCase|Specs?)|([\p{Ll}\p{N}])(?:IT|ITCase))$`,
	)
)

// assignFeatures gives every candidate its feature.
func (d *detector) assignFeatures() error {
	if err := d.resolveChanges(); err != nil {
		return err
	}
	only := map[*project]resolution{}
	var loaded []*candidate // by tests, with paths that name no feature
	for _, c := range d.files {
		if c.class == document || c.class == bugReport {
			c.found = d.documentFeature(c)
			continue
		}
		c.found = d.featureOf(c.Path)
		named := c.found.byPath
		if d.keepName(c); c.class == testHelper && !named && !c.approved {
			loaded = append(loaded, c)
		}
	}
	for _, p := range d.rules.projects {
		only[p] = d.onlyTested(p)
	}
	for _, c := range loaded {
		if found := only[c.place.project]; found.feature != "" {
			c.found = found
		}
	}
	return nil
}

// documentFeature is the feature of a document: what its layout captures, else its name.
func (d *detector) documentFeature(c *candidate) resolution {
	if c.match.Feature != "" {
		return resolution{
			feature: c.place.name(c.match.Feature),
			why:     "the layout " + c.match.Layout.Name + " names it",
			byPath:  true,
		}
	}
	for _, a := range d.approvedAs(c) {
		if c.class == bugReport &&
			a.Type == workflow.BugFix { // moved to where no pattern names its feature
			return resolution{feature: a.Feature, why: "approved by " + a.Record, byPath: true}
		}
	}
	return resolution{
		feature: c.place.name(stemOf(c.Path)),
		why:     "the name of the document",
		byPath:  true,
	}
}

// resolveChanges indexes the specs and finds the feature that the change is about, in each project.
func (d *detector) resolveChanges() error {
	if err := d.indexSpecs(); err != nil {
		return err
	}
	for _, p := range d.rules.projects {
		p.fallback = d.resolveChange(p)
		p.fallback.feature = p.prefix() + p.fallback.feature
	}
	return nil
}

// noteFallback says, once a run, that files are reviewed under a feature that has no spec: a
// warning where a project has specs, else the one hint that a repository without any gets. A guess
// is always called one.
func (d *detector) noteFallback() {
	const names = `set a label "feature: <spec>", or name the branch feature/<spec>`
	hasHint := false
	for _, p := range d.rules.projects {
		_, name := d.rules.projectOf(p.fallback.feature)
		_, hasSpec := p.specs.get(name)
		isWithout := func(c *candidate) bool {
			return c.place.project == p && c.found == p.fallback && len(c.bugs) == 0
		}
		isUsed := slices.ContainsFunc(d.of(source, testFile, testHelper), isWithout)
		switch f := p.fallback; {
		case !isUsed || hasSpec && !f.guess:
		case f.guess:
			d.notes.warn("", "the feature %q is a guess: %s; %s", f.feature, f.why, names)
		case len(p.specs) > 0:
			d.notes.warn(
				"",
				"no spec was found for feature %q, which is %s: give it one, or name a file or folder "+
					"like its spec, %s",
				f.feature,
				f.why,
				names,
			)
			return
		case !hasHint:
			hasHint = true
			d.notes.note("",
				"no spec was found: the change is reviewed as %q, %s",
				f.feature, f.why,
			)
		}
	}
}

// onlyTested is the feature of files that tests load whose paths name none: that of the tests of
// the change in their project, if they are all of one. What lies in no root may serve the tests of
// all.
func (d *detector) onlyTested(p *project) resolution {
	only := resolution{}
	for _, t := range d.of(testFile) {
		switch {
		case p.root != "" && t.place.project != p:
		case only.feature != "" && only.feature != t.found.feature:
			return resolution{}
		default:
			only = t.found
		}
	}
	only.why = "goes with the tests of this change"
	return only
}

// resolveChange finds the feature of a project's files whose paths name none: by label, by branch,
// by the specs that the change brings or works off, by the words of the branch, by a guess, or else
// the branch's name.
func (d *detector) resolveChange(p *project) resolution {
	if labels := featureLabels(d.opt.Labels); len(labels) > 0 {
		return d.resolveLabel(p, labels)
	}
	named := func(s spec, why string) resolution {
		why = fmt.Sprintf(why, d.opt.Branch, s.path)
		return resolution{feature: slug(s.feature), why: why, told: true}
	}
	for _, name := range p.layouts.Branch(d.opt.Branch) {
		if s, ok := p.specs.ofBranch(name); ok {
			return named(s, "the branch %q names the spec %s")
		}
	}
	feature, why, among := d.featureOfDocuments(p)
	if feature != "" {
		return resolution{feature: p.specs.canonical(feature), why: why, told: true}
	}
	if s, ok := p.specs.inWords(d.opt.Branch); ok {
		return named(s, "the branch %q holds the words of the spec %s")
	}
	if s, ok := d.guess(p, among); ok {
		why := s.path + " is the only spec in work, and nothing names another"
		return resolution{feature: slug(s.feature), why: why, guess: true}
	}
	branch := featureBranch.ReplaceAllString(d.opt.Branch, "")
	if branch == "" {
		const why = "named after the head commit, as no branch is known"
		return resolution{feature: "commit-" + short(d.set.Head), why: why}
	}
	why = fmt.Sprintf("the name of the branch %q", d.opt.Branch)
	return resolution{feature: strings.ToLower(slug(branch)), why: why}
}

var featureBranch = lazyregexp.New(`^(?:feature|feat|bugfix)/`)

// ofBranch is the spec that a branch names: by its whole name, else as the only
// one of its number, as 004 and 004-fix-login do 004-login.
func (x specIndex) ofBranch(name string) (spec, bool) {
	if s, ok := x.get(name); ok && !s.existing {
		return s, true
	}
	found := map[string]spec{}
	if n := number.FindString(name + "-"); n != "" {
		for _, list := range x {
			for _, s := range list {
				if strings.HasPrefix(s.feature, n) {
					found[s.feature] = s
				}
			}
		}
	}
	for _, s := range found {
		return s, len(found) == 1
	}
	return spec{}, false
}

// resolveLabel takes the label that names a spec, else the first one.
func (d *detector) resolveLabel(p *project, labels []string) resolution {
	for _, l := range labels {
		if s, ok := p.specs.get(l); ok {
			return resolution{
				feature: slug(s.feature),
				why:     "the label names the spec " + s.path,
				told:    !s.existing,
			}
		}
	}
	if len(labels) > 1 && p.root == "" {
		d.notes.warn("",
			"several feature labels, none of which names a spec: %q is used, %q are not",
			labels[0], labels[1:],
		)
	}
	return resolution{
		feature: slug(labels[0]),
		why:     fmt.Sprintf("the label \"feature: %s\"", labels[0]),
	}
}

// featureLabels are the names in the labels "feature: x" and "feature:x".
func featureLabels(labels []string) []string {
	var out []string
	for _, l := range labels {
		if len(l) < len("feature:") || !strings.EqualFold(l[:len("feature:")], "feature:") {
			continue
		}
		if name := strings.TrimSpace(l[len("feature:"):]); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// maxSlug is the longest feature name, in bytes.
const maxSlug = 100

var unsafeInSlug = lazyregexp.New(`[^A-Za-z0-9._-]+|\.{2,}`)

// slug makes a name safe as a part of a file name: letters, digits, ".", "_"
// and "-", at most maxSlug bytes, neither empty nor hidden.
func slug(name string) string {
	s := strings.Trim(unsafeInSlug.ReplaceAllString(name, "-"), "-.")
	s = strings.TrimRight(s[:min(len(s), maxSlug)], "-.")
	if s == "" && name != "" {
		sum := sha256.Sum256([]byte(name))
		return "unnamed-" + hex.EncodeToString(sum[:4])
	}
	return cmp.Or(s, "unnamed")
}

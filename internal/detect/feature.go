package detect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// resolution is the feature of a file and how it was found.
type resolution struct {
	feature string // safe as part of a file name
	why     string
	byPath  bool // by the file's own path, not by what the whole change says
	weak    bool // nothing but the name of the branch, or of the commit
}

// resolve finds the feature of a path by the config or by a part of the path
// that is the stem of a spec; false if neither says anything.
func (d *detector) resolve(p string) (resolution, bool) {
	at := placeOf(p)
	if feature, glob := d.configured(p, at); feature != "" {
		return resolution{feature: d.specs.canonical(feature), why: "config features: " + glob, byPath: true}, true
	}
	var best spec
	longest, segment := 0, ""
	for _, s := range segments(at.rel) {
		if key := keyOf(s); len(key) > longest {
			if found, ok := d.specs.get(s); ok {
				best, longest, segment = found, len(key), s
			}
		}
	}
	if longest == 0 {
		return resolution{}, false
	}
	why := fmt.Sprintf("%q in its path is the spec %s", segment, best.path)
	return resolution{feature: slug(best.stem), why: why, byPath: true}, true
}

// configured is the feature whose longest glob matches; of equally long ones
// the first by feature name, then by glob.
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

// segments are the names in a path that may be a feature's, the file's own
// first, then its folders from the innermost.
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
	if bare := withoutAffixes(stem); bare != stem && bare != "" {
		out = append(out, bare)
	}
	return out
}

var (
	testPrefix = regexp.MustCompile(`^(?:tests?[_-]+|Tests?(\p{Lu}))`)
	testSuffix = regexp.MustCompile(`(?:[._-](?:unit[_-]?|integration[_-]?|e2e[_-]?)?(?:tests?|specs?)|` +
		`\.(?:e2e|cy|test-d|unit|integration|d)|([\p{L}\p{N}])(?:Tests?\d*|TestCase|Specs?)|([\p{Ll}\p{N}])(?:IT|ITCase))$`)
)

func withoutAffixes(stem string) string {
	return testSuffix.ReplaceAllString(testPrefix.ReplaceAllString(stem, "$1"), "$1$2")
}

// assignFeatures gives every candidate its feature.
func (d *detector) assignFeatures() error {
	if err := d.indexSpecs(); err != nil {
		return err
	}
	d.fallback = d.resolveChange()
	var unnamed []*candidate
	var kept []resolution
	for _, c := range d.files {
		if c.class == document || c.class == bugReport {
			c.found = resolution{feature: slug(stemOf(c.Path)), why: "the name of the document", byPath: true}
			continue
		}
		found, named := d.resolve(c.Path)
		c.found = found
		d.keepName(c)
		switch {
		case !named && c.approved:
			kept = append(kept, c.found)
		case !named:
			unnamed = append(unnamed, c)
		}
	}
	if d.fallback.weak {
		d.keepFallback(kept)
	}
	for _, c := range unnamed {
		c.found = d.fallback
	}
	only := d.onlyTested()
	for _, c := range unnamed {
		if c.class == testHelper && only.feature != "" {
			c.found = only
		}
	}
	return nil
}

// noteFallback says that files are reviewed under a feature that has no spec.
func (d *detector) noteFallback() {
	if _, ok := d.specs.get(d.fallback.feature); ok {
		return
	}
	for _, c := range d.of(source, testFile, testHelper) {
		if c.found == d.fallback && len(c.bugs) == 0 {
			d.notes.add(true, "", "no spec was found for feature %q, which is %s: name a file or folder like the spec, "+
				"set a label \"feature: <spec>\", or name the branch feature/<spec>", d.fallback.feature, d.fallback.why)
			return
		}
	}
}

// onlyTested is the feature of files that tests load whose paths name none:
// that of the tests of the change, if they are all of one.
func (d *detector) onlyTested() resolution {
	only := resolution{}
	for _, t := range d.of(testFile) {
		if only.feature != "" && only.feature != t.found.feature {
			return resolution{}
		}
		only = t.found
	}
	only.why = "goes with the tests of this change"
	return only
}

// resolveChange finds the feature of files whose paths name none: by label, by
// branch, by the only spec that is being worked on, or else the branch's name.
func (d *detector) resolveChange() resolution {
	if labels := featureLabels(d.opt.Labels); len(labels) > 0 {
		return d.resolveLabel(labels)
	}
	branch := featureBranch.ReplaceAllString(d.opt.Branch, "")
	if branch != d.opt.Branch {
		parts := append([]string{branch}, strings.Split(branch, "/")...)
		for _, part := range parts {
			if s, ok := d.specs.get(part); ok {
				return resolution{feature: slug(s.stem), why: fmt.Sprintf("the branch %q names the spec %s", d.opt.Branch, s.path)}
			}
		}
	}
	if s, ok := d.specs.onlyDoing(); ok {
		return resolution{feature: slug(s.stem), why: s.path + " is the only spec in specs/doing"}
	}
	if branch == "" {
		return resolution{feature: "commit-" + short(d.set.Head), why: "named after the head commit, as no branch is known", weak: true}
	}
	return resolution{feature: strings.ToLower(slug(branch)), why: fmt.Sprintf("the name of the branch %q", d.opt.Branch), weak: true}
}

var featureBranch = regexp.MustCompile(`^(?:feature|feat|bugfix)/`)

func (d *detector) resolveLabel(labels []string) resolution {
	for _, l := range labels {
		if s, ok := d.specs.get(l); ok {
			return resolution{feature: slug(s.stem), why: fmt.Sprintf("the label names the spec %s", s.path)}
		}
	}
	if len(labels) > 1 {
		d.notes.add(true, "", "several feature labels, none of which names a spec: %q is used, %q are not", labels[0], labels[1:])
	}
	return resolution{feature: slug(labels[0]), why: fmt.Sprintf("the label \"feature: %s\"", labels[0])}
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

var unsafeInSlug = regexp.MustCompile(`[^A-Za-z0-9._-]+|\.{2,}`)

// slug makes a name safe as a part of a file name: letters, digits, ".", "_"
// and "-", at most maxSlug bytes, neither empty nor hidden.
func slug(name string) string {
	s := strings.Trim(unsafeInSlug.ReplaceAllString(name, "-"), "-.")
	s = strings.TrimRight(s[:min(len(s), maxSlug)], "-.")
	if s == "" && name != "" {
		sum := sha256.Sum256([]byte(name))
		return "unnamed-" + hex.EncodeToString(sum[:4])
	}
	if s == "" {
		return "unnamed"
	}
	return s
}

package integrity

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// standIns finds new files that take the place of approved ones, which stay as they are: where a file system
// does not tell their names apart, or where an interpreter finds the new one first. Submodules in the folders
// of tests are judged here, too: no record can list what is in them.
func (c *checker) standIns(ctx context.Context) error {
	known := c.records()
	if len(known) == 0 {
		return nil
	}
	folded := foldedPaths(known)
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.Mode == change.ModeSubmodule || f.OldMode == change.ModeSubmodule {
			c.submodule(f, known)
		}
		if f.Status != change.Added && f.Status != change.Renamed {
			continue
		}
		if err := c.standIn(f.Path, known, folded); err != nil {
			return err
		}
	}
	return nil
}

// records are the files that baselines list, by path.
func (c *checker) records() map[string]approval.File {
	if c.listed != nil {
		return c.listed
	}
	out := map[string]approval.File{}
	c.listed = out
	for _, b := range c.Baselines {
		for _, f := range b.Files {
			if was, ok := out[f.Path]; !ok || was.Role != approval.Test {
				out[f.Path] = f
			}
		}
	}
	return out
}

// standIn judges one new path.
func (c *checker) standIn(p string, known map[string]approval.File, folded map[string]string) error {
	if _, listed := known[p]; listed {
		return nil
	}
	if dir := path.Dir(p); path.Base(p) == "go.mod" && dir != "." {
		for t := range known {
			if strings.HasSuffix(t, "_test.go") && within(path.Dir(t), dir) {
				c.takesPlace(violation.ConfigNarrowed, p, t+" belongs to another module now, which runs of the one above leave out")
				return nil
			}
		}
	}
	for _, of := range []struct {
		path, why string
		kind      violation.Kind
	}{
		{folded[fold(p)], "where letter case and Unicode form do not count, %s and %s are one file", violation.FileChanged},
		{precedes(p, known), "an import finds %s in place of %s", violation.HelperChanged},
	} {
		if of.path == "" || of.path == p {
			continue
		}
		if there, err := c.inHead(of.path); err != nil || !there {
			return err // it went there
		}
		c.takesPlace(of.kind, p, fmt.Sprintf(of.why, p, of.path))
		return nil
	}
	tested, err := c.hides(p, known)
	if err == nil && tested != "" {
		c.takesPlace(violation.MockOfSUT, p, fmt.Sprintf("approved tests load %s where they ask for %s", p, tested))
	}
	return err
}

func (c *checker) takesPlace(kind violation.Kind, p, why string) {
	c.violate(violation.Added(kind, violation.Place{Path: p, Line: 1, Text: "(new file)"}, "Approved file displaced: "+why))
}

// inHead reports whether the head holds a file or folder of that path.
func (c *checker) inHead(p string) (bool, error) {
	if e, err := stat(c.Set.HeadTree, p); err != nil || e.Path != "" {
		return err == nil, err
	}
	below, err := c.Set.HeadTree.List(p)
	if err != nil {
		return false, fmt.Errorf("list %q of the head: %w", p, err)
	}
	return len(below) > 0, nil
}

// fold is what a path comes to where letter case and Unicode form do not count.
func fold(p string) string { return norm.NFC.String(cases.Fold().String(norm.NFD.String(p))) }

// foldedPaths are the files and the folders above them, by their folded names.
// A new file of that name, as a symbolic link may be, replaces a folder.
func foldedPaths(known map[string]approval.File) map[string]string {
	out := map[string]string{}
	for p := range known {
		for ; p != "." && out[fold(p)] == ""; p = path.Dir(p) {
			out[fold(p)] = p
		}
	}
	return out
}

// precedes is the approved file whose import finds p first, "" if there is none: a package before a Python
// module, a script before what is compiled to it, a file before a folder's index.
func precedes(p string, known map[string]approval.File) string {
	dir, base := path.Split(p)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	scripts := conventions.ScriptExtensions()
	var hidden []string
	switch {
	case base == "__init__.py":
		hidden = append(hidden, strings.TrimSuffix(dir, "/")+".py")
	case slices.Contains(scripts, ext):
		for _, e := range scripts[slices.Index(scripts, ext)+1:] {
			hidden = append(hidden, dir+stem+e)
		}
		for _, e := range scripts {
			hidden = append(hidden, dir+stem+"/index"+e)
		}
	}
	for _, h := range hidden {
		if f, ok := known[h]; ok && f.Role == approval.Support {
			return h
		}
	}
	return ""
}

var (
	pythonImport = lazyregexp.New(`(?m)^[ \t]*(?:from|import)[ \t]+(\w+)`)
	rubyRequire  = lazyregexp.New(`(?m)^[ \t]*require[ \t(]+["']([^"']+)["']`)
)

// pythonFramework is a module in the place of a test framework, or one that Python loads first.
var pythonFramework = lazyregexp.New(`(?:^|/)(_?pytest|pluggy|unittest|doctest|nose2?|mock|hypothesis|coverage|runpy|importlib|` +
	`sitecustomize|usercustomize)(?:\.py|/(?:.*/)?\w+\.py)$`)

// rubyFramework is a file in the place of one of a test framework.
var rubyFramework = lazyregexp.New(`(?:^|/)(rspec(?:/(?:core|expectations|mocks|matchers|support|autorun|version))?|` +
	`minitest(?:/(?:autorun|test|spec|mock|assertions|unit|pride))?|test/unit|simplecov)\.rb$`)

// frameworkPackage is a folder whose classes come before a framework's own.
var frameworkPackage = lazyregexp.New(`\b(?:org/(?:junit|assertj|hamcrest|mockito|testng|spockframework)|io/kotest|` +
	`com/google/common/truth)/.*`)

// hides is the module in whose place approved tests would load p, "" if there is none. Runners put the folder
// of Python's tests, and spec/ or test/ of Ruby's, before all other places where modules are looked for.
func (c *checker) hides(p string, known map[string]approval.File) (string, error) {
	switch lang := conventions.Language(p); {
	case conventions.IsJVM(p):
		return frameworkPackage.FindString(p), nil
	case lang == "Ruby":
		if m := rubyFramework.FindStringSubmatch(p); m != nil {
			return m[1], nil
		}
		module := strings.TrimSuffix(strings.TrimPrefix(p, top(p)+"/"), ".rb")
		if top(p) != "spec" && top(p) != "test" {
			return "", nil
		}
		return c.askedFor(module, p, rubyRequire, known, func(dir string) bool { return within(dir, top(p)) })
	case lang == "Python":
		if m := pythonFramework.FindStringSubmatch(p); m != nil {
			return m[1], nil
		}
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			rel := strings.TrimPrefix(p, dir+"/")
			module, _, _ := strings.Cut(strings.TrimSuffix(rel, ".py"), "/")
			elsewhere, err := c.elsewhere(dir, module)
			if err != nil {
				return "", err
			}
			if !elsewhere && c.Role(p) < detect.Helper {
				continue // the module itself, beside its tests
			}
			found, err := c.askedFor(module, p, pythonImport, known, func(d string) bool { return d == dir })
			if err != nil || found != "" {
				return found, err
			}
		}
	}
	return "", nil
}

// elsewhere reports whether a module of Python stands where projects have them.
func (c *checker) elsewhere(dir, module string) (bool, error) {
	for _, root := range []string{"", "src/", "lib/"} {
		for _, p := range []string{root + module + ".py", root + module} {
			if there, err := c.inHead(p); err != nil || there && !strings.HasPrefix(p+"/", dir+"/") {
				return there, err
			}
		}
	}
	return false, nil
}

// askedFor is the module if an approved test of the new file's language, in such a folder, imports it, else "".
func (c *checker) askedFor(
	module, file string, imports *lazyregexp.Regexp, known map[string]approval.File, in func(dir string) bool,
) (string, error) {
	for p, f := range known {
		if f.Role != approval.Test || path.Ext(p) != path.Ext(file) || !in(path.Dir(p)) {
			continue
		}
		text, err := content(c.Set.HeadTree, p)
		if err != nil {
			return "", err
		}
		for _, m := range imports.FindAllSubmatch(text, -1) {
			if string(m[1]) == module {
				return module, nil
			}
		}
	}
	return "", nil
}

// submodule judges one that stands among tests or has approved files in its
// place. Where it came from the folder of files, these are gone anyway.
func (c *checker) submodule(f change.File, known map[string]approval.File) {
	if _, listed := known[f.Path]; listed || f.Blob == f.OldBlob && f.Mode == f.OldMode || f.Status == change.Added {
		return
	}
	for p, file := range known {
		if file.Role == approval.Test && (within(f.Path, path.Dir(p)) && path.Dir(p) != "." || c.Role(f.Path+"/x.py") >= detect.Helper ||
			c.mentions(f.Path+path.Ext(p))(f.Path)) {
			at := violation.Place{Path: f.Path, Line: 1, Text: "commit " + short(f.OldBlob)}
			is := violation.Place{Path: f.Path, Line: 1, Text: "commit " + short(f.Blob)}
			c.violate(violation.Changed(violation.HelperChanged, at, is,
				"Submodule of the tests changed: "+f.Path+" is another commit than on the base"))
			return
		}
	}
}

func short(sha string) string { return sha[:min(len(sha), 10)] }

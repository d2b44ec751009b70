package testdiff

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

func equalImports(a, b []testmodel.Import) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Local != b[i].Local || a[i].Source != b[i].Source {
			return false
		}
	}
	return true
}

// compareImports judges names that stand for something else than they did, and
// learns which ones are only called differently. Order and imports that nothing
// uses count for nothing.
func (d *fileDiff) compareImports() {
	if equalImports(d.was.file.Imports, d.is.file.Imports) {
		return
	}
	is := map[string]testmodel.Import{}
	bySource := map[string]string{}
	for _, i := range d.is.file.Imports {
		if _, ok := is[i.Local]; !ok {
			is[i.Local] = i
		}
		bySource[i.Source] = i.Local
	}
	for _, w := range d.was.file.Imports {
		if d.hasImport(d.is.file.Imports, w) {
			continue
		}
		switch now, ok := is[w.Local]; {
		case ok && w.Local != "" && w.Local != "*":
			d.rebound(w, now)
		case w.Local == "":
			d.c.add(violation.Removed(violation.TestModified, d.was.at(w.Line, w.Text), "Import removed that the tests may need: "+w.Text))
		default:
			d.learn(w, is, bySource)
		}
	}
	for _, i := range d.is.file.Imports {
		if i.Local == "" && !d.hasImport(d.was.file.Imports, i) {
			d.c.add(violation.Added(violation.TestModified, d.is.at(i.Line, i.Text), "Import added that runs code before approved tests: "+i.Text))
		}
	}
}

func (d *fileDiff) hasImport(in []testmodel.Import, i testmodel.Import) bool {
	return slices.ContainsFunc(in, func(o testmodel.Import) bool { return o.Local == i.Local && d.sameSource(o.Source, i.Source) })
}

// sameSource reports whether two sources are the same however they are
// written: relative or absolute, with or without extension.
func (d *fileDiff) sameSource(a, b string) bool {
	if a == b {
		return true
	}
	plain := func(file, s string) string {
		s = strings.TrimPrefix(s, "node:")
		if strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") {
			s = path.Join(path.Dir(file), s)
		} else if dots := len(s) - len(strings.TrimLeft(s, ".")); dots > 0 && strings.HasSuffix(file, ".py") {
			dir := path.Dir(file)
			for range dots - 1 {
				dir = path.Dir(dir)
			}
			s = strings.ReplaceAll(strings.TrimPrefix(dir, "."), "/", ".") + "." + s[dots:]
		}
		for _, ext := range []string{".js", ".ts", ".mjs", ".tsx", ".jsx", ".cjs"} {
			s = strings.Replace(s+"#", ext+"#", "#", 1)
			s = strings.TrimSuffix(s, "#")
		}
		return strings.TrimPrefix(s, ".")
	}
	x, y := plain(d.was.path, a), plain(d.is.path, b)
	return x == y || mockLibrary(x) && mockLibrary(y)
}

func mockLibrary(source string) bool {
	return strings.HasPrefix(source, "unittest.mock") || source == "mock"
}

// rebound judges a name that is imported from somewhere else.
func (d *fileDiff) rebound(w, now testmodel.Import) {
	if !d.uses(w.Local) || sameModule(w.Source, now.Source) {
		return
	}
	kind, description := violation.TestModified, fmt.Sprintf("%s is imported from %s instead of %s", w.Local, now.Source, w.Source)
	if double(now.Source) || !strings.HasSuffix(now.Source, lastName(w.Source)) {
		kind = violation.MockOfSUT
	}
	d.c.add(violation.Changed(kind, d.was.at(w.Line, w.Text), d.is.at(now.Line, now.Text), description))
}

// sameModule reports whether a package and something in it are imported under
// the package's name: import a.b, import a.c.
func sameModule(a, b string) bool {
	x, y, _ := strings.Cut(a, ".")
	z, w, _ := strings.Cut(b, ".")
	return x == z && x != "" && (y == "" || w == "")
}

// double reports whether a source looks like a stand-in for the real thing.
func double(source string) bool {
	l := strings.ToLower(source)
	for _, word := range []string{"mock", "fake", "stub", "dummy", "test", "spec", "fixture", "helper", "double", "conftest"} {
		if strings.Contains(l, word) {
			return true
		}
	}
	return false
}

// learn notes that an import is written another way: under another name, or by
// its module.
func (d *fileDiff) learn(w testmodel.Import, is map[string]testmodel.Import, bySource map[string]string) {
	if local, ok := bySource[w.Source]; ok && local != w.Local && !d.uses(local) {
		d.renamed = append(d.renamed, rename{[]string{w.Local}, local})
		return
	}
	for local, i := range is { // import m; m.f(x) → from m import f; f(x)
		if rest, ok := strings.CutPrefix(i.Source, w.Source+"."); ok && rest == local {
			d.renamed = append(d.renamed, rename{[]string{w.Local, ".", rest}, local})
		}
	}
}

// isImport reports whether the approved file imports a name.
func (d *fileDiff) isImport(name string) bool {
	_, ok := d.imports[name]
	return ok
}

// isUnderTest reports whether what a mock replaces is something that the
// approved file imports to test it.
func (d *fileDiff) isUnderTest(target string) bool {
	if target == "" || target == "?" {
		return false
	}
	own := strings.TrimSuffix(strings.ReplaceAll(d.is.path, "/", "."), path.Ext(d.is.path))
	for local, source := range d.imports {
		if framework(source) || local == "" {
			continue
		}
		name := strings.NewReplacer("/", ".", "#", ".", "::", ".").Replace(strings.TrimLeft(source, "./"))
		goal := strings.NewReplacer("/", ".", "#", ".", "::", ".").Replace(strings.TrimLeft(target, "./"))
		switch {
		case goal == local, strings.HasPrefix(goal, local+"."), goal == name,
			goal == own+"."+local, strings.HasSuffix(own, "."+strings.TrimSuffix(goal, "."+local)) && strings.HasSuffix(goal, "."+local),
			lastName(goal) == lastName(name) && len(lastName(goal)) > 2 && strings.HasPrefix(name, firstPart(goal)+"."),
			strings.HasPrefix(name, goal+"."):
			return true
		}
	}
	return false
}

func firstPart(dotted string) string {
	head, _, _ := strings.Cut(dotted, ".")
	return head
}

// framework reports whether an import is of the test framework or the
// language's own library.
func framework(source string) bool {
	first := strings.FieldsFunc(source, func(r rune) bool { return strings.ContainsRune("./#:@", r) })
	if len(first) == 0 {
		return true
	}
	if strings.HasPrefix(source, ".") {
		return false
	}
	switch first[0] {
	case "pytest", "unittest", "mock", "os", "sys", "re", "json", "io", "time", "datetime", "math", "random", "typing", "pathlib", "collections",
		"itertools", "functools", "subprocess", "tempfile", "shutil", "logging", "urllib", "socket", "threading", "asyncio", "contextlib",
		"testing", "errors", "fmt", "strings", "bytes", "context", "net", "jest", "vitest", "mocha", "chai", "node", "assert", "fs", "path",
		"sinon", "rspec", "minitest", "java", "javax", "org", "System", "Xunit", "NUnit", "Moq", "std", "core", "alloc", "decimal", "uuid",
		"requests", "numpy", "pandas", "copy", "string", "textwrap", "dataclasses", "enum", "inspect", "warnings", "types", "__future__":
		return true
	default:
		return false
	}
}

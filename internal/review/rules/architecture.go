package rules

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// relativeImport is an import of a file by its place: in its first group what
// scripts write, in its second what Python does. Types alone make no cycle when
// the program runs.
var relativeImport = regexp.MustCompile(`^(?:import\b|export\b|const\b|let\b|var\b|\}).*?(?:from\s*|require\(\s*|import\s*)['"](\.[^'"\n]*)['"]|^from\s+(\.+[\w.]*)\s+import\b`)

var typeImport = regexp.MustCompile(`^(?:import|export)\s+type\b`)

// relativeImports are what a file imports by its place, by line, from 1.
func (f *source) relativeImports() map[int]string {
	out := map[int]string{}
	script := slices.Contains(scripts(), f.language)
	for i, l := range f.lines {
		if !script && f.language != syntax.Python || strings.TrimSpace(f.code[i]) == "" || typeImport.MatchString(l) {
			continue
		}
		m := relativeImport.FindStringSubmatch(l)
		switch {
		case m == nil:
		case script:
			out[i+1] = m[1]
		default:
			out[i+1] = m[2]
		}
	}
	return out
}

// farImports is how many imports of a file may climb two folders or more.
const farImports = 2

// reachesFar names files that reach across the tree again and again.
func reachesFar(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.code() {
		n, first := 0, 0
		imports := f.relativeImports()
		for _, l := range slices.Sorted(maps.Keys(imports)) {
			if !strings.HasPrefix(imports[l], "../..") && !strings.HasPrefix(imports[l], "...") {
				continue
			}
			if n++; first == 0 && f.added(l) {
				first = l
			}
		}
		if n > farImports && first > 0 {
			out = append(out, workflow.Issue{File: f.path, Line: first, Title: "Many imports climb two folders or more", Description: fmt.Sprintf("%d imports of %s do.", n, f.path)})
		}
	}
	return out
}

// cycles names pairs of files that import each other, where the change adds one
// of the two imports.
func cycles(s *subject) []workflow.Issue {
	var out []workflow.Issue
	told := map[string]bool{}
	for _, f := range s.code() {
		imports := f.relativeImports()
		for _, l := range slices.Sorted(maps.Keys(imports)) {
			other := s.imported(f, imports[l])
			if other == nil || other.path == f.path || told[other.path+"\x00"+f.path] || !f.added(l) {
				continue
			}
			for _, back := range other.relativeImports() {
				if b := s.imported(other, back); b != nil && b.path == f.path && !told[f.path+"\x00"+other.path] {
					told[f.path+"\x00"+other.path] = true
					out = append(out, workflow.Issue{File: f.path, Line: l, Title: fmt.Sprintf("%s and %s import each other", path.Base(f.path), path.Base(other.path))})
				}
			}
		}
	}
	return out
}

// imported is the file of the head that a relative import leads to, nil if none
// does that can be read.
func (s *subject) imported(f *source, name string) *source {
	folder := path.Dir(f.path)
	endings := []string{"", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.js"}
	if f.language == syntax.Python {
		rest := strings.TrimLeft(name, ".")
		if rest == "" {
			return nil // a package, not a file
		}
		name = "." + strings.Repeat("/..", len(name)-len(rest)-1) + "/" + strings.ReplaceAll(rest, ".", "/")
		endings = []string{".py"}
	}
	for _, e := range endings {
		if found := s.source(path.Join(folder, name) + e); found != nil {
			return found
		}
	}
	return nil
}

// untyped are places where TypeScript is told to check nothing.
var untyped = patterns{
	{languages: in(syntax.TypeScript, syntax.TSX), re: regexp.MustCompile(`(?:[:<,|]\s*|\bas\s+)(any)\b(?:\[\])*\s*(?:[=;,)>|{]|$)`), title: "A value has the type any"},
}

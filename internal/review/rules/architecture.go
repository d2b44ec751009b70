package rules

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// relativeImport is an import of a file by its place: in its first group what scripts write, in its second what Python
// does. Types alone make no cycle when the program runs.
var relativeImport = lazyregexp.New(`^(?:import\b|export\b|const\b|let\b|var\b|\}).*?(?:from\s*|require\(\s*` +
	`|import\s*)['"](\.[^'"\n]*)['"]|^from\s+(\.+[\w.]*)\s+import\b`)

var typeImport = lazyregexp.New(`^(?:import|export)\s+type\b`)

// relativeImports are what a file imports by its place, by line, from 1.
func (f *source) relativeImports() map[int]string {
	out := map[int]string{}
	script := slices.Contains(scripts(), f.language)
	for i, l := range f.lines {
		if !script && f.language != syntax.Python || strings.TrimSpace(f.code[i]) == "" {
			continue
		}
		m := relativeImport.FindStringSubmatch(l)
		if from := i - 1; m != nil && l[0] == '}' { // of several lines, 100 at the most
			for from > max(0, i-99) && !strings.HasPrefix(f.lines[from], "import") && !strings.HasPrefix(f.lines[from], "export") {
				from--
			}
			l = strings.Join(f.lines[max(0, from):i+1], " ")
		}
		switch {
		case m == nil, typeImport.MatchString(l), f.onlyTypes(l):
		case script:
			out[i+1] = m[1]
		default:
			out[i+1] = m[2]
		}
	}
	return out
}

// inBraces are the names that an import on one line gives: its default, and those in braces.
var inBraces = lazyregexp.New(`^import\b(\s*\w+\b)?\s*,?\s*(?:\{([^{}]*)\})?\s*from\b`)

// onlyTypes reports whether TypeScript drops an import when it compiles: none of its names stands for a value.
func (f *source) onlyTypes(line string) bool {
	m := inBraces.FindStringSubmatch(line)
	if m == nil || f.tree == nil || !f.is(syntax.TypeScript, syntax.TSX) {
		return false
	}
	names := map[string]bool{}
	for _, part := range strings.Split(m[1]+","+m[2], ",") {
		if words := strings.Fields(part); len(words) > 0 && words[0] != "type" {
			names[words[len(words)-1]] = true
		}
	}
	values := false
	f.tree.Root().Walk(func(n syntax.Node) bool {
		values = values || n.Is("identifier", "shorthand_property_identifier") && names[n.Text()]
		return !values && !n.Is("import_statement")
	})
	return !values
}

// entities matches files of classes that a mapper of relations has refer to each other.
var entities = lazyregexp.New(`(?i)entity\.[tj]s$|(?:^|/)(?:entit(?:y|ies)|models?)/`)

// barrel matches files that only gather what others export.
var barrel = lazyregexp.New(`(?:^|/)index\.[tj]sx?$`)

// cycles names pairs of files that import each other, where the change adds one of the two imports.
func cycles(s *subject) []workflow.Issue {
	var out []workflow.Issue
	told := map[string]bool{}
	for _, f := range s.code() {
		imports := f.relativeImports()
		for _, l := range slices.Sorted(maps.Keys(imports)) {
			other := s.imported(f, imports[l])
			if other == nil || other.path == f.path || entities.MatchString(f.path) && entities.MatchString(other.path) ||
				barrel.MatchString(f.path) || barrel.MatchString(other.path) || told[other.path+"\x00"+f.path] || !f.added(l) ||
				lazyregexp.New(`["'\s]`+lazyregexp.Quote(imports[l])+`["'\s]`).MatchString(s.before(f.path)) { // and takes more of it now
				continue
			}
			for _, back := range other.relativeImports() {
				if b := s.imported(other, back); b != nil && b.path == f.path && !told[f.path+"\x00"+other.path] {
					told[f.path+"\x00"+other.path] = true
					out = append(out, workflow.Issue{File: f.path, Line: l, Title: fmt.Sprintf("%s and %s import each other",
						path.Base(f.path), path.Base(other.path))})
				}
			}
		}
	}
	return out
}

// imported is the file of the head that a relative import leads to, nil if none does that can be read.
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

// untypedLines are the lines of the change that declare a value as any: a parameter, a variable, a field or a result.
// What only a cast or a generic type says of it is left out, and so are errors, and parameters that nobody reads.
func (f *source) untypedLines() []int {
	if f.tree == nil || !f.is(syntax.TypeScript, syntax.TSX) {
		return nil
	}
	var lines []int
	for n := range f.tree.Root().All("predefined_type") {
		at := n.Parent()
		for at.Is("array_type") {
			at = at.Parent()
		}
		of := at.Parent()
		if n.Text() != "any" || !at.Is("type_annotation") || of.Is("catch_clause", "index_signature") || unread.MatchString(of.Text()) {
			continue
		}
		if l := n.StartLine(); f.added(l) && !slices.Contains(lines, l) && !slices.ContainsFunc(f.comments, func(c comment) bool {
			return (c.line == l || c.line == l-1) && ofAny.MatchString(c.text) // who says so means it
		}) {
			lines = append(lines, l)
		}
	}
	return lines
}

// unread matches a declaration whose value is an error, the rest of the arguments, or by its name of no use.
var unread = lazyregexp.New(`^(?:\.\.\.|_\w*\??:|(?:e|ex|err|error)\??:)`)

// ofAny matches a comment that speaks of the type.
var ofAny = lazyregexp.New(`(?i)\bany\b|no-?explicit-?any`)

// fewUntyped is how many lines with the type any a change must add to a file to be
// worth a word; where they are a habit, at least a quarter of those that are there.
const fewUntyped = 4

var typedAny = lazyregexp.New(`:\s*any\b`)

// loggerFile matches files that take whatever there is to be logged, supports such that help
// tests or who looks for faults.
var (
	loggerFile = lazyregexp.New(`(?:(?:^|[/._-])log|Log)(?:ger|ging)?(?:[._-]\w+)?\.\w+$`)
	supports   = lazyregexp.New(`(?i)(?:^|/|[a-z_.-])(?:test|mock|debug)(?:ing|[-_.]?utils?|[-_.]?helpers?|[-_.]?ui)?\.\w+$` +
		`|(?:^|/)mocks?[-_.][^/]*$`)
)

// lintsAny reports whether a linter of a file's project is told what to say of the type any.
func (s *subject) lintsAny(file string) bool {
	for dir := range conventions.Above(file) {
		for _, name := range strings.Fields("biome.json biome.jsonc .eslintrc .eslintrc.json .eslintrc.js .eslintrc.cjs .eslintrc.yml " +
			"eslint.config.js eslint.config.mjs eslint.config.ts") {
			if text, err := s.Set.HeadTree.ReadFile(path.Join(dir, name)); err == nil && anyRule.Match(text) {
				return true
			}
		}
	}
	return false
}

var anyRule = lazyregexp.New(`(?i)no-?explicit-?any`)

// untyped names the file to which most lines with the type any are added.
func untyped(s *subject) []workflow.Issue {
	found := map[int][]workflow.Issue{}
	for _, f := range s.code() {
		if f.isTool() || strings.HasSuffix(f.path, ".d.ts") ||
			loggerFile.MatchString(f.path) || supports.MatchString(f.path) || s.lintsAny(f.path) {
			continue
		}
		lines := f.untypedLines()
		was := len(typedAny.FindAllStringIndex(s.before(f.path), -1))
		more := len(typedAny.FindAllStringIndex(strings.Join(f.code, "\n"), -1)) - was
		if n := len(lines); min(more, n) >= max(fewUntyped, was/4) {
			found[n] = append(found[n], workflow.Issue{
				File: f.path, Line: lines[0], Title: "Values have the type any",
				Description: fmt.Sprintf("%s of %s give values the type any.", workflow.Count(n, "added line"), f.path),
			})
		}
	}
	return worstFirst(found)
}

// worstFirst are issues by a figure of theirs, the highest first.
func worstFirst(found map[int][]workflow.Issue) (out []workflow.Issue) {
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(found))) {
		out = append(out, found[n]...)
	}
	return out
}

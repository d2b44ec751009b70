package rules

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// source is one file of code as it stands in the head.
type source struct {
	path     string
	language syntax.Language // "" if there is no grammar for it
	tree     *syntax.Tree    // nil if it was not parsed
	lines    []string        // as written
	code     []string        // the same with comments and the content of strings blanked
	comments []comment       // in the order of the source
	added    func(line int) bool
	comment  map[int]bool // lines with comments, made when first asked for
	terms    *code.File   // the tree in terms of all languages
	flows    map[flowOf]*code.Flow
	calls    map[string][]*code.Node // by the functions of the file
	units    []syntax.Function       // made when first asked for
	adding   map[string]bool         // what addsValue found of names
	command  bool                    // of a package that installs a command
	minified bool                    // a script that a tool has made

	project   *scriptsText // nil if the file is no code
	typeNames []string     // that the file says, likewise
	read      *kernel.Tree // likewise
}

// comment is one comment of a source.
type comment struct {
	line int
	text string
}

// longLine is longer than a person writes a line of code, and bundledLine than anyone reads or would pad one to.
const longLine, bundledLine = 500, 5000

// minified reports whether much of a text stands in such lines, as tools make them; templates keep lines of their own.
func minified(text []byte) bool {
	long := 0
	for l := range bytes.Lines(text) {
		if len(l) > longLine {
			long += len(l)
		}
	}
	return long > 0 && long*10 >= len(text)*3
}

// packed reports whether a tool made a line, which artifact/unreadable tells.
func (f *source) packed(line int) bool { return f.minified && len(f.lines[line-1]) > longLine }

var installsCommand = lazyregexp.New(`"bin"\s*:`)

// installs reports whether the package of a script, by the nearest package.json,
// installs a command: printing is its business.
func (s *subject) installs(file string) bool {
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		if text, err := s.Set.HeadTree.ReadFile(path.Join(folder, "package.json")); err == nil {
			return installsCommand.Match(text)
		}
		if folder == "." || folder == "/" {
			return false
		}
	}
}

// functions are those of a file that was parsed.
func (f *source) functions() []syntax.Function {
	if f.units == nil {
		f.units = append([]syntax.Function{}, syntax.Functions(f.tree)...) // never nil
	}
	return f.units
}

// source returns a file of the head as code, nil if it cannot be read.
func (s *subject) source(file string) *source {
	if f, ok := s.sources[file]; ok {
		return f
	}
	f := s.load(file)
	s.sources[file] = f
	return f
}

func (s *subject) load(file string) *source {
	text, trouble := s.read(file)
	if s.legible(file, trouble) {
		text, trouble = bytes.ReplaceAll(bytes.ToValidUTF8(text, []byte("?")), []byte{0}, []byte("?")), ""
	}
	if trouble != "" {
		return nil
	}
	return s.parse(file, text, s.added(file, text))
}

// parse is a file's source as a text has it; what cannot be parsed is but lines.
func (s *subject) parse(file string, text []byte, added func(int) bool) *source {
	f := &source{path: file, lines: split(string(text)), added: added}
	f.code = f.lines
	language, ok := syntax.LanguageOf(file)
	if ext := path.Ext(file); ext == ".vue" || ext == ".svelte" {
		language, ok, text = syntax.TypeScript, true, scriptsOf(text)
	}
	if !ok {
		return f
	}
	f.language, f.project, f.command = language, &s.scripts, s.installs(file)
	f.minified = f.script() && minified(text)
	tree, err := syntax.Parse(s.ctx, language, text)
	if err != nil {
		return f // reported by artifact/unreadable
	}
	if f.terms, err = code.Read(file, tree); err != nil {
		return f // likewise
	}
	f.tree = tree
	f.mask(text)
	return f
}

var scriptElement = lazyregexp.New(`(?is)<script\b[^>]*>.*?</script\s*>`)

// scriptsOf is a component with all but its scripts blanked.
func scriptsOf(text []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(text))
	for i, b := range text {
		if b == '\n' {
			out[i] = b
		}
	}
	for _, m := range scriptElement.FindAllStringIndex(string(text), -1) {
		from, to := m[0]+bytes.IndexByte(text[m[0]:m[1]], '>')+1, bytes.LastIndexByte(text[:m[1]], '<')
		copy(out[from:to], text[from:to])
	}
	return out
}

func split(text string) []string { return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") }

// mask blanks comments and strings, and collects the comments.
func (f *source) mask(text []byte) {
	masked := append([]byte(nil), text...)
	f.tree.Root().Walk(func(n syntax.Node) bool {
		switch {
		case n.IsComment():
			f.comments = append(f.comments, comment{n.StartLine(), n.Text()})
		case !isStringContent(n):
			return true
		}
		for i := n.StartByte(); i < n.EndByte(); i++ {
			if masked[i] != '\n' {
				masked[i] = ' '
			}
		}
		return false
	})
	f.code = split(string(masked))
}

func isStringContent(n syntax.Node) bool {
	return n.Is("string_content", "string_fragment", "multiline_string_fragment", "escape_sequence", "string_literal_content",
		"interpreted_string_literal_content", "raw_string_literal_content", "raw_string_literal", "verbatim_string_literal",
		"char_literal", "character_literal", "rune_literal", "regex_pattern", "heredoc_content", "jsx_text", "raw_string_content")
}

// is reports whether the file is of one of the languages.
func (f *source) is(languages ...syntax.Language) bool {
	return slices.Contains(languages, f.language)
}

// script reports whether the file is JavaScript or TypeScript.
func (f *source) script() bool {
	return f.is(syntax.JavaScript, syntax.TypeScript, syntax.TSX)
}

// code lists the artifact's source files that are not tests.
func (s *subject) code() []*source { return s.pick(func(file string) bool { return !s.isTest(file) }) }

// tests lists the artifact's files that hold tests.
func (s *subject) tests() []*source { return s.pick(s.isTest) }

func (s *subject) pick(wanted func(string) bool) []*source {
	var out []*source
	for _, file := range s.Artifact.Files {
		if isReport(file.Path) && s.Artifact.Type == workflow.BugFix || !wanted(file.Path) || s.compiled(file.Path) {
			continue
		}
		if f := s.source(file.Path); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// outDir is where a compiler of TypeScript puts its scripts.
var outDir = lazyregexp.New(`"outDir"\s*:\s*"([^"]+)"`)

// compiled reports whether a script lies where the base has one of the change compiled to,
// which is looked at in its place.
func (s *subject) compiled(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), ".js")
	if s.Set.MergeBaseTree == nil || path.Ext(file) != ".js" || !slices.ContainsFunc(s.Set.Files, func(f change.File) bool {
		return f.Status != change.Deleted && slices.Contains([]string{stem + ".ts", stem + ".tsx"}, path.Base(f.Path))
	}) {
		return false
	}
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		text, _ := s.Set.MergeBaseTree.ReadFile(path.Join(folder, "tsconfig.json")) // what cannot be read says nothing
		if m := outDir.FindStringSubmatch(string(text)); m != nil || folder == "." {
			return m != nil && strings.HasPrefix(file, path.Join(folder, m[1])+"/") && path.Clean(m[1]) != "."
		}
	}
}

// toolFolders hold the project's own tools, programFolders all whose business is to print.
const (
	toolFolders = " scripts script tools build ci .ci hack examples example samples sample spike benchmarks legacy prototype prototypes " +
		"cypress e2e playwright testing "
	programFolders = toolFolders + "bin cmd cli command commands demo "
	programNames   = " main __main__ cli program setup manage build console demo playground sandbox scratch "
)

func (f *source) in(folders string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(f.path), "/"), func(dir string) bool {
		return strings.Contains(folders, " "+strings.ToLower(dir)+" ")
	})
}

func (f *source) isTool() bool { return f.in(toolFolders) || hidden.MatchString(f.path) }

// fills matches what fills a store for developers, or sets a computer of theirs up.
var fills = lazyregexp.New(`(?i)(?:^|/)(?:(?:seed|populate|setup|set_up)(?:[_-]\w+)?\.\w+$|(?:sandbox|seeds?|seeders?)/)`)

// libraryLines is how many lines a file has before what only runs if it is started as a program.
func (f *source) libraryLines() int {
	if i := slices.IndexFunc(f.lines, func(l string) bool {
		return f.is(syntax.Python) && strings.HasPrefix(l, "if __name__ ==")
	}); i >= 0 {
		return i
	}
	return len(f.lines)
}

func (f *source) isProgram() bool {
	stem := strings.ToLower(strings.TrimSuffix(path.Base(f.path), path.Ext(f.path)))
	return f.in(programFolders) || fills.MatchString(f.path) || cliFolder.MatchString(f.path) ||
		strings.Contains(programNames, " "+stem+" ") || strings.HasPrefix(f.lines[0], "#!") ||
		f.is(syntax.Go) && slices.Contains(f.lines, "package main") || f.script() && (f.command || f.onlyRuns())
}

// cliFolder matches the folder of a package that is a command by its name: bookmarkcli.
var cliFolder = lazyregexp.New(`\w[Cc][Ll][Ii]/`)

// onlyRuns reports whether a script takes from other files, and gives nothing to any.
func (f *source) onlyRuns() bool {
	code := strings.Join(f.code, "\n")
	return importsOther.MatchString(code) && !exportsAny.MatchString(code)
}

var (
	importsOther = lazyregexp.New(`(?m)^import\b|\brequire\(`)
	exportsAny   = lazyregexp.New(`(?m)^\s*export\b|\bexports\b|^\s*(?:window|globalThis|self)\.\w+\s*=`)
)

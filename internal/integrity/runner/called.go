package runner

import (
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// Tree knows the approved files and which of them run tests. A nil Tree knows none. It is for one goroutine.
type Tree struct {
	read func(path string) []byte
	runs map[string]bool
}

// NewTree is a tree whose files read returns, nil for what is not there or cannot be read.
func NewTree(read func(path string) []byte) *Tree {
	return &Tree{read: read, runs: map[string]bool{}}
}

// at is what the tree has at a path.
func (f *Tree) at(p string) []byte {
	if f == nil {
		return nil
	}
	return f.read(p)
}

// maxScripts bounds how many files are asked whether they run tests. Of those beyond it all do.
const maxScripts = 500

// Calls lists the files of the tree that a configuration, pipeline or script names where it runs tests:
// scripts, actions, templates, what they are given. Of a file that cannot be read it is empty.
func Calls(ctx context.Context, p string, src []byte, read *Tree) []string {
	if read == nil || tooLarge(src) {
		return nil
	}
	var words []string
	dir := path.Dir(p)
	commands := func(s script) {
		for _, c := range s {
			for _, w := range slices.Concat(c.words, c.env) {
				_, val, _ := strings.Cut(w.text, "=")
				words = append(words, w.text, path.Join(c.dir, w.text), val)
				if strings.ContainsAny(w.text, "$` \n") { // what it is made by
					words = append(words, strings.FieldsFunc(w.text, isShellMark)...)
				}
			}
			words = append(words, implied(c)...)
		}
	}
	switch f := formatOf(p); f {
	case "github", "package":
		scripts, others := steeringScripts(ctx, p, src, read)
		for _, s := range scripts {
			commands(s)
		}
		for _, o := range others {
			words = append(words, o.texts()...)
		}
		if f == "github" {
			dir = "."
		}
	case "opaque", "bytes", "ci", "":
		if f != "" || kindOfFile(p).format == "named" {
			words = strings.FieldsFunc(withoutDocuments(string(src)), func(r rune) bool {
				return strings.ContainsRune("\t\n,:[]", r) || isShellMark(r)
			})
			break
		}
		fallthrough
	case "shell":
		s, err := readScript(src, read)
		if err != nil || f == "" && conventions.Language(p) != "" {
			return nil
		}
		commands(s)
	case "lock", "go":
	default:
		o, err := readOptions(ctx, f, p, src)
		if err != nil {
			return nil
		}
		for _, v := range o.all("**") {
			words = append(words, splitWords(strings.ReplaceAll(v, ",", " "))...)
		}
	}
	return read.steering(dir, words)
}

// steeringScripts are the scripts of a pipeline, Makefile or package that steer
// tests, and the settings beside them. Of a file that cannot be read there are none.
func steeringScripts(ctx context.Context, p string, src []byte, read *Tree) (out []script, others options) {
	switch f := formatOf(p); f {
	case "github":
		all, err := parsePipeline(src, f, read)
		if err != nil {
			return nil, nil
		}
		for u, steers := range all.steering() {
			if steers {
				out, others = append(out, u.commands), append(others, u.others.out...)
			}
		}
	case "package":
		o, err := parseJSON(ctx, src)
		if err != nil {
			return nil, nil
		}
		for name := range testScripts(o, read) {
			out = append(out, readAny(o.find("scripts/"+name).last().text, 1, shell{files: read}))
		}
	}
	return out, others
}

func isShellMark(r rune) bool { return strings.ContainsRune(" \t\n\"'`$(){}=;&|<>", r) }

// withoutDocuments leaves out of a container's file the documents that it only
// copies into a folder: what runs or reads one there has to name it.
func withoutDocuments(src string) string {
	return copies.ReplaceAllStringFunc(src, func(line string) string {
		return strings.Join(slices.DeleteFunc(strings.Fields(line), func(w string) bool {
			return kindOfFile(w).format == "none" && strings.Count(src, path.Base(w)) == 1
		}), " ")
	})
}

var copies = lazyregexp.New(`(?mi)^[ \t]*(?:COPY|ADD)[ \t].*/[ \t]*$`)

var impliedFiles = listed("implied")

// implied are the files that a command reads without naming them.
func implied(c command) []string {
	for _, w := range c.words {
		name := programName(w.text)
		for _, line := range impliedFiles {
			program, files, _ := strings.Cut(line, " ")
			if begin, open := strings.CutSuffix(program, "*"); name == program || open && strings.HasPrefix(name, begin) {
				return strings.Fields(files)
			}
		}
	}
	return nil
}

// steering are the files among words, looked for from the root and from a folder.
// Sources of the project are none, unless they run tests.
func (f *Tree) steering(dir string, words []string) []string {
	var out []string
	for _, w := range words {
		w = plainPath(w)
		for _, p := range []string{w, path.Join(dir, w), w + "/action.yml", w + "/action.yaml", w + "/Makefile"} {
			if p = path.Clean(p); len(w) < 3 || slices.Contains(out, p) {
				continue
			}
			src := f.at(p)
			if src == nil || kindOfFile(p).format == "" && isSource(p) && !f.isTool(p, src) || hookFile.MatchString(p) && !f.runsTests(p) {
				continue
			}
			out = append(out, p)
		}
	}
	return out
}

// plainPath is a word as a path below the root: without a variable for that.
func plainPath(w string) string {
	w = strings.ReplaceAll(w, `\`, "/")
	return strings.TrimSuffix(strings.TrimPrefix(rootVariable.ReplaceAllString(strings.Trim(w, `"'@`), ""), "./"), "/")
}

var (
	rootVariable = lazyregexp.New(`^\$(?:\w+|\{\w+\}|\([^()]*\))/`)
	// toolFolder is where the scripts of a project stand, and not its sources.
	toolFolder = expression("toolFolder")
	// hookFile lists hooks of git, and hookTests is one that runs tests.
	hookFile  = lazyregexp.New(`(?:^|/)\.?(?:pre-commit-config|lefthook)\.\w+$`)
	hookTests = expression("hookTests")
	// mentionsTests is a script in a language of its own that may run tests.
	mentionsTests = expression("mentionsTests")
)

// isSource reports whether a file is of a language that projects are written in.
func isSource(p string) bool {
	_, ok := syntax.LanguageOf(p)
	return ok || conventions.IsJVM(p)
}

// isTool reports whether a source is a script of the project, by its folder, or
// by what is in it where all files stand in the root.
func (f *Tree) isTool(p string, src []byte) bool {
	return toolFolder.MatchString(p) && (path.Dir(p) != "." || mentionsTests.Match(src))
}

// runsTests reports whether a file of the tree is a script that runs tests.
func (f *Tree) runsTests(p string) bool {
	src := f.at(p)
	if src == nil {
		return false
	}
	runs, known := f.runs[p]
	if !known && len(f.runs) < maxScripts {
		f.runs[p] = false // while it is asked: one that calls itself
		runs = f.asked(p, src)
		f.runs[p] = runs
	}
	return runs || !known && len(f.runs) >= maxScripts
}

func (f *Tree) asked(p string, src []byte) bool {
	switch lang := conventions.Language(p); {
	case ByBytes(p):
		return speaksOfTests.Match(src)
	case IsWorkflow(p) && path.Ext(p) != "":
		w, err := parsePipeline(src, formatOf(p), f)
		return err != nil || slices.ContainsFunc(w.units, (*unit).tests)
	case hookFile.MatchString(p):
		return hookTests.Match(src)
	case kindOfFile(p).format == "named", kindOfFile(p).format == "opaque":
		return mentionsTests.Match(src)
	case tooLarge(src):
		return true
	case lang != "" || slices.Contains([]string{".ps1", ".bat", ".cmd", ".pl", ".php"}, path.Ext(p)):
		return f.isTool(p, src) && mentionsTests.Match(src)
	case path.Ext(p) != ".sh" && path.Ext(p) != ".bash" && !strings.HasPrefix(string(src), "#!"):
		return false
	}
	s, err := readScript(src, f)
	return err != nil || s.tests()
}

var (
	imageBuilt = lazyregexp.New(`^(?:sudo )?(?:docker|podman|buildah) (?:image |buildx )?(?:build|bud)\b`)
	// testsInImage is a step of an image's file that runs tests.
	testsInImage = lazyregexp.New(`(?m)^\s*RUN\s(?:[^\n]*\\\n)*[^\n]*\b(?:pytest|tox|nox|jest|vitest|mocha|rspec|ctest|gotestsum|` +
		`unittest|(?:npm|yarn|pnpm|go|cargo|dotnet|mvn|gradle|gradlew|make|just)\b[^\n]*\btest)`)
)

// script finds the script of the tree that a command calls and that runs tests:
// the place of its word, -1 if there is none.
func (r *reader) script(words []value) int {
	if r.files == nil || inertCommand(strings.Join(texts(words), " ")) {
		return -1
	}
	if imageBuilt.MatchString(strings.Join(texts(words), " ")) {
		return slices.IndexFunc(append(words[:len(words):len(words)], value{text: "Dockerfile"}), func(w value) bool {
			p := plainPath(strings.TrimPrefix(w.text, "--file="))
			return strings.Contains(strings.ToLower(path.Base(p)), "file") && testsInImage.Match(r.files.at(path.Join(r.dir, p)))
		})
	}
	if neverStarts(words) {
		return -1
	}
	for _, p := range implied(command{words: words}) {
		if r.files.runsTests(p) {
			return 0
		}
	}
	return slices.IndexFunc(words, func(w value) bool {
		p := plainPath(w.text)
		module := strings.ReplaceAll(p, ".", "/") + ".py"
		return slices.ContainsFunc([]string{p, path.Join(r.dir, p), path.Join(r.base, p), module}, func(p string) bool {
			return len(p) > 2 && r.files.runsTests(p)
		})
	})
}

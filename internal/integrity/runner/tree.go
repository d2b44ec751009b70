package runner

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// Tree knows the approved files and which of them run tests. A nil Tree knows none. It is for one
// goroutine.
type Tree struct {
	// Configs lists the approved files that run tests, or say how; nil: none is known.
	Configs func() []string
	read    func(path string) []byte
	known   map[string]bool
	words   map[string]map[string]bool // of a file, by path
}

// NewTree is a tree whose files read returns, nil for what is not there or cannot be read.
func NewTree(read func(path string) []byte) *Tree {
	return &Tree{read: read, known: map[string]bool{}, words: map[string]map[string]bool{}}
}

// hasConfig reports whether one of the approved files that run tests is so. Where none is known,
// one may be.
func (f *Tree) hasConfig(is func(path string) bool) bool {
	return f == nil || f.Configs == nil || slices.ContainsFunc(f.Configs(), is)
}

// says reports whether one of them holds a text.
func (f *Tree) says(text []byte) bool {
	return f.hasConfig(func(p string) bool { return bytes.Contains(f.at(p), text) })
}

// computesGoals reports whether one of them, besides the one at a path, asks make for a goal whose
// name is not written down.
func (f *Tree) computesGoals(but string) bool {
	return f.hasConfig(func(p string) bool {
		return p != but && kindOfFile(p).format != "prose" && computedGoal.Match(f.at(p))
	})
}

// names reports whether one of the approved files that run tests says a word, besides the one at a
// path. Documents are for people.
func (f *Tree) names(word, but string) bool {
	return f != nil && f.Configs != nil && slices.ContainsFunc(f.Configs(), func(p string) bool {
		if f.words[p] == nil {
			f.words[p] = map[string]bool{}
			for _, w := range wordsOf([]string{string(f.at(p))}) {
				f.words[p][w] = true
			}
		}
		return p != but && kindOfFile(p).format != "prose" && f.words[p][word]
	})
}

// isRunWith reports whether tests may be run with a document: an approved file that runs tests
// names it so.
func (f *Tree) isRunWith(document string) bool {
	return f.hasConfig(
		func(p string) bool { return p != document && runsWith(p, f.at(p), document) },
	)
}

// runsWith reports whether a file names a document: a script on a line that runs tests.
func runsWith(p string, src []byte, document string) bool {
	var script bool
	switch formatOf(p) {
	case "", "bytes", "text", "opaque":
		script = true
	}
	return slices.ContainsFunc(textLines(string(src), 1), func(l value) bool {
		return strings.Contains(l.text, path.Base(document)) &&
			(!script || testRun.MatchString(l.text))
	})
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

// Calls lists the files of the tree that a configuration, pipeline or script names where it runs
// tests: scripts, actions, templates, what they are given. Of a file that cannot be read it is
// empty.
func Calls(from string, src []byte, read *Tree) []string {
	if read == nil || tooLarge(src) {
		return nil
	}
	var said []string
	dir := path.Dir(from)
	switch f := formatOf(from); f {
	case "github":
		w, err := parsePipeline(src, read)
		if err != nil {
			return nil
		}
		dir, said = ".", w.said()
	case "package":
		o, err := parseJSON(src)
		if err != nil {
			return nil
		}
		for name := range read.testScripts(dir, o) {
			said = append(said, o.find("scripts/"+name).last().text)
		}
	case "lock", "go":
		return nil
	case "", "bytes", "text", "opaque":
		if f == "" && (conventions.Language(from) != "" || isDocument(from)) {
			return nil // sources, and documents, which run nothing of what they name
		}
		if kindOfFile(from).rules == "ci" {
			dir = "."
		}
		said = []string{string(src)}
		if hasTargets(from) {
			said = texts(read.heldTargets(from, src)[0])
		}
	default:
		o, err := readOptions(f, src)
		if err != nil {
			return nil
		}
		rules := rulesOf(from)
		said = slices.DeleteFunc(o, func(o option) bool {
			r, ok := ruleFor(rules, o.key)
			return ok && r.allowance == "free" // no test runner reads it
		}).all()
	}
	return slices.DeleteFunc(read.steering(dir, wordsOf(said)), func(p string) bool {
		return kindOfFile(p).format == "prose" && !runsWith(from, src, p)
	})
}

// said are the commands and settings of the jobs that steer tests.
func (w pipeline) said() []string {
	var out []string
	steering := w.steering()
	for _, j := range w.jobs {
		if !steering[j] {
			continue
		}
		out = append(out, j.rest.out.all()...)
		for _, s := range j.steps {
			dir := ""
			for _, o := range s.rest.out {
				if out = append(out, o.texts()...); strings.HasSuffix(o.key, "/working-directory") {
					dir = o.last().text
				}
			}
			for _, v := range s.does {
				for _, word := range wordsOf([]string{v.text}) {
					if s.sure || !otherWork.MatchString(v.text) || !isDocument(word) {
						out = append(out, word,
							path.Join(dir, word)) // who makes documents names them
					}
				}
			}
		}
	}
	return out
}

// wordsOf splits what is said into words.
func wordsOf(said []string) []string {
	var out []string
	for _, s := range said {
		out = append(out, strings.FieldsFunc(s, isMark)...)
	}
	return out
}

// isMark reports whether a character parts words in commands and settings.
func isMark(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`(){}[]=:,;&|<>", r) }

var impliedFiles = listed("implied")

// implied are the files that a program reads without being given their names.
func implied(word string) []string {
	for _, line := range impliedFiles {
		program, files, _ := strings.Cut(line, " ")
		if begin, open := strings.CutSuffix(program, "*"); word == program ||
			open && strings.HasPrefix(word, begin) {
			return strings.Fields(files)
		}
	}
	return nil
}

// steering are the files among words, looked for from the root and from a folder.
// Sources of the project are none, unless they run tests.
func (f *Tree) steering(dir string, words []string) []string {
	var out []string
	for _, w := range words {
		words = append(words, implied(w)...)
	}
	for _, w := range words {
		w = plainPath(w)
		for _, p := range []string{
			w, path.Join(dir, w), w + "/action.yml", w + "/action.yaml", w + "/Makefile",
		} {
			if p = path.Clean(p); len(w) >= 3 && !slices.Contains(out, p) && f.steers(p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// steers reports whether a file can steer tests where something that runs them names it.
func (f *Tree) steers(p string) bool {
	src := f.at(p)
	switch {
	case src == nil, hookFile.MatchString(p) && !f.runsTests(p):
		return false
	default:
		return kindOfFile(p).format != "" || !isSource(p) || isTool(p, src)
	}
}

// plainPath is a word as a path below the root: without a variable for that.
func plainPath(w string) string {
	w = strings.ReplaceAll(w, `\`, "/")
	return strings.TrimSuffix(
		strings.TrimPrefix(rootVariable.ReplaceAllString(strings.Trim(w, `@`), ""), "./"),
		"/",
	)
}

var (
	rootVariable = lazyregexp.New(`^(?:\$\w*)?/`)
	// toolFolder is where the scripts of a project stand, and not its sources.
	toolFolder = expression("toolFolder")
	// hookFile lists hooks of git.
	hookFile = lazyregexp.New(`(?:^|/)\.?(?:pre-commit-config|lefthook)\.\w+$`)
)

// isSource reports whether a file is of a language that projects are written in.
func isSource(p string) bool {
	_, ok := syntax.LanguageOf(p)
	return ok || conventions.IsJVM(p)
}

// isTool reports whether a source is a script of the project, by its folder, or
// by what is in it where all files stand in the root.
func isTool(p string, src []byte) bool {
	return toolFolder.MatchString(p) && (path.Dir(p) != "." || testRun.Match(src))
}

// runsTests reports whether a file of the tree is a script that runs tests.
func (f *Tree) runsTests(p string) bool {
	src := f.at(p)
	if src == nil {
		return false
	}
	runs, known := f.known[p]
	if !known && len(f.known) < maxScripts {
		f.known[p] = false // while it is asked: one that calls itself
		runs = f.asked(p, src)
		f.known[p] = runs
	}
	return runs || !known && len(f.known) >= maxScripts
}

// asked reports whether a file runs tests by itself, or asks for files that may.
func (f *Tree) asked(p string, src []byte) bool {
	switch kind := kindOfFile(p); {
	case kind.format == "github" && path.Ext(p) != "":
		w, err := parsePipeline(src, f)
		return err != nil || slices.ContainsFunc(w.jobs, func(j *job) bool { return j.tests })
	case isDocument(p), kind.format == "lock":
		return false
	case tooLarge(src):
		return true
	case isSource(p) && kind.format == "":
		return isTool(p, src) && testRun.Match(src)
	case kind.format == "bytes":
		return speaksOfTests.Match(src)
	case kind.format == "", kind.format == "named", kind.format == "opaque":
		script := kind.format != "" || strings.HasPrefix(string(src), "#!") ||
			slices.Contains([]string{".ps1", ".bat", ".cmd", ".pl", ".php"}, path.Ext(p))
		return script && f.textRuns(path.Dir(p), string(src))
	default:
		return false
	}
}

// textRuns reports whether a text runs tests, or a script of the tree that does.
func (f *Tree) textRuns(dir, text string) bool {
	var code []string
	for _, l := range textLines(text, 1) {
		code = append(code, l.text)
	}
	text = strings.Join(code, "\n")
	if testRun.MatchString(text) {
		return true
	}
	if f == nil {
		return false
	}
	return slices.ContainsFunc(wordsOf([]string{text}), func(w string) bool {
		p := plainPath(w)
		for _, name := range append([]string{
			p, path.Join(dir, p),
			strings.ReplaceAll(p, ".", "/") + ".py",
		}, implied(w)...) {
			if len(name) > 2 && f.runsTests(name) {
				return true
			}
		}
		return false
	})
}

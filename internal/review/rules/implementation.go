package rules

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// noFeatureTests is silent for what has no spec: then the feature is named after
// a branch, and no test could be. It is silent too where the project has no tests
// of what is written in this language: who has none is not told at each feature.
func noFeatureTests(s *subject) []workflow.Issue {
	grown := s.substantial()
	if s.Artifact.SpecPath == "" || grown == nil {
		return nil
	}
	for _, f := range s.Artifact.Tests {
		if _, err := s.Set.HeadTree.Stat(f); err == nil {
			return nil
		}
	}
	if s.testedElsewhere(grown) || s.testedByHand() {
		return nil
	}
	return []workflow.Issue{{File: grown.path, Title: "No test was found that reaches " + grown.path}}
}

// byHand matches a decision against tests; «tests are optional» is the template's.
var byHand = lazyregexp.New(`(?i)\bno (?:unit |automated )?test coverage|\bno automated tests?\b|\bno tests? ?[-–—:(]+ ?manual|` +
	`\bmanual testing (?:only|for (?:the )?mvp)`)

// testedByHand reports whether a document of the change decides against tests.
func (s *subject) testedByHand() bool {
	for file := range s.changed {
		if path.Ext(file) != ".md" {
			continue
		}
		if text, trouble := s.read(file); trouble == "" && byHand.Match(text) {
			return true
		}
	}
	return false
}

// codeBehind is the code of a view, which tests of units do not reach.
var codeBehind = lazyregexp.New(`(?i)\.(?:a?xaml|cshtml|razor|designer)\.cs$|\.(?:razor|cshtml)$`)

// branches matches the words of code that has something to decide.
var branches = lazyregexp.New(`\b(?:if|elif|unless|switch|case|match|while|catch|except|rescue|guard)\b|&&|\|\||\?\?|\? .* : |\bfilter\b`)

// minLogic is how many lines of such functions need tests.
const minLogic = 40

// substantial is the file to which the change adds most lines of whole functions that
// decide something, nil if there is none. What draws a page does not count: it is looked at.
func (s *subject) substantial() *source {
	var most *source
	best := minLogic - 1
	for _, f := range s.code() {
		if f.tree == nil || f.isTool() || codeBehind.MatchString(f.path) ||
			migrations.MatchString(f.path) || supports.MatchString(f.path) || f.draws() {
			continue
		}
		n := 0
		for _, fn := range f.functions() {
			if fn.Kind == syntax.Defined && fn.EndLine > fn.StartLine && f.added(fn.StartLine) && f.added(fn.EndLine-1) &&
				branches.MatchString(strings.Join(f.code[fn.StartLine-1:fn.EndLine], "\n")) {
				n += fn.EndLine - fn.StartLine + 1
			}
		}
		if n > best {
			best, most = n, f
		}
	}
	return most
}

// migrations matches the steps of a database, which tools write.
var migrations = lazyregexp.New(`(?i)(?:^|/)(?:migrations?|alembic|flyway)/`)

// drawn matches what windows, their parts and their models are called, and where they lie.
var drawn = lazyregexp.New(`(?:View|ViewModel|Panel|Menu|Screen|Window|Dialog|Activity|Fragment|Widget|Page)\.\w+$` +
	`|(?i)(?:^|/)(?:ui|gui|views?|screens?|widgets?)/`)

// draws reports whether a file has elements of a page in it, or is called like one.
func (f *source) draws() bool {
	found := drawn.MatchString(f.path)
	f.tree.Root().Walk(func(n syntax.Node) bool {
		found = found || n.Is("jsx_element", "jsx_self_closing_element")
		return !found
	})
	return found
}

// ofRoute matches files that SvelteKit and Next.js serve by their folder, which tests open by its address.
var ofRoute = lazyregexp.New(`(?:^|/)(?:routes|app|pages)/((?:[\w-]+/)*[\w-]+)/(?:\+[\w.]+|page|route|layout)\.\w+$`)

var (
	// declaresTest matches what begins a test, demands what makes one fail by more than a crash.
	declaresTest = lazyregexp.New("(?m)(?:^|[\\s;{(])(?:[xf]?it|test|describe|specify|scenario|feature|Describe|It)(?:\\.\\w+)*" +
		"\\s*[('\"`<]|" +
		`\b(?:def|func|fn|function|fun|void|Task) \w*[tT]est|@\w*Test|\[(?:Fact|Theory|Test)|#\[(?:\w+::)*test|\bclass \w*Tests?\b`)
	demands = lazyregexp.New(`(?i)assert|expect|should|verif|must|raise|throw|panic|fail|fatal|\bt\.error`)
)

// maxTestsRead is how many test files are searched for imports.
const maxTestsRead = 500

// testedElsewhere reports whether the code has tests in its own files, as Rust has them, or a test of the head
// names one of its modules in an import; or whether no test of the head is in the language of the given file.
func (s *subject) testedElsewhere(like *source) bool {
	var stems, routes []string
	for _, f := range s.code() {
		if f.is(syntax.Rust) && slices.ContainsFunc(f.code, func(l string) bool { return strings.Contains(l, "#[cfg(test)]") }) {
			return true
		}
		stem := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
		if stem == "index" || stem == "__init__" || stem == "mod" || stem == "main" {
			stem = path.Base(path.Dir(f.path))
		}
		stems = append(stems, lazyregexp.Quote(stem))
		if m := ofRoute.FindStringSubmatch(f.path); m != nil {
			routes = append(routes, "/"+m[1])
		}
	}
	imports := lazyregexp.New(`(?m)^\s*(?:import|from|use|using|require|require_relative|const|let|var|mod|package|@testable` +
		`|\} from).*\b(?:` + strings.Join(stems, "|") + `)\b`)
	tests, err := s.headTests()
	if err != nil {
		return false
	}
	alike := false
	for _, file := range tests {
		text, trouble := s.read(file)
		if trouble == "" && (imports.Match(text) || s.callsPackage(file, text) ||
			slices.ContainsFunc(routes, func(r string) bool { return bytes.Contains(text, []byte(r)) })) {
			return true
		}
		alike = alike || family(file) == family(like.path) && !helper.MatchString(path.Base(file)) && demands.Match(text) &&
			declaresTest.Match(text)
	}
	return !alike
}

// callsPackage reports whether a test calls the code of its own Go package, for which it needs no import.
func (s *subject) callsPackage(file string, text []byte) bool {
	return slices.ContainsFunc(s.code(), func(f *source) bool {
		return f.is(syntax.Go) && path.Dir(f.path) == path.Dir(file) && slices.ContainsFunc(f.functions(), func(fn syntax.Function) bool {
			return fn.Name != "" && bytes.Contains(text, []byte(fn.Name+"("))
		})
	})
}

// family is the language of a file by its name; the kinds of script are one.
func family(file string) syntax.Language {
	language, _ := syntax.LanguageOf(file)
	if slices.Contains(scripts(), language) {
		return syntax.JavaScript
	}
	return language
}

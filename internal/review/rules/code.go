package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// everySource lists every source file of the artifact, tests included.
func (s *subject) everySource() []*source { return s.pick(func(string) bool { return true }) }

var marker = lazyregexp.New(`^(?:<{7} |>{7} |\|{7} )`)

func conflictMarkers(s *subject) []workflow.Issue {
	var found []workflow.Issue
	for _, f := range s.everySource() {
		for i, line := range f.lines {
			if marker.MatchString(line) && f.added(i+1) {
				found = append(found, workflow.Issue{File: f.path, Line: i + 1})
			}
		}
	}
	return together(found)
}

// Limits of oversized: a file is very long from maxLines of code on, and told by the change that adds minGrowth lines
// or more to it; one that was there before and grows by manyLines also from longLines on. Of one of hugeLines nobody
// asks for another structure in passing.
const (
	longLines = 700
	maxLines  = 1000
	minGrowth = 150
	manyLines = 200
	hugeLines = 2000

	fewCharacters = 3 // a line that is added: what is only laid out anew has fewer more
)

// squeezed is a text without its spaces, and dense how long that is.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

func dense(text string) int { return len(squeezed(text)) }

// hidden matches what is kept for the tools of those who work on the project.
var hidden = lazyregexp.New(`(?:^|/)\.[^/]+/`)

// typesOnly matches files that declare the types of a subject, or fill a database.
var typesOnly = lazyregexp.New(`(?:^|[./_-])(?:types?|seeds?)\.ts$|\.d\.ts$`)

// oversized names the longest file first.
func oversized(s *subject) []workflow.Issue {
	found := map[int][]workflow.Issue{}
	for _, f := range s.code() {
		before, _ := s.parse(f.path, []byte(s.before(f.path)), func(int) bool { return false }).length()
		length, added := f.length()
		added = min(length-before, added)
		if f.tree == nil || s.copied(s.changed[f.path]) || f.isData() || f.isTool() || typesOnly.MatchString(f.path) ||
			added < minGrowth || before > hugeLines || length < longLines || length < maxLines && (before == 0 || added < manyLines) ||
			dense(strings.Join(f.lines, "\n"))-dense(s.before(f.path)) < fewCharacters*added {
			continue
		}
		title := fmt.Sprintf("%s has %d lines of code, and grows by %d", f.path, length, added)
		found[length] = append(found[length], workflow.Issue{File: f.path, Title: title})
	}
	return worstFirst(found)
}

// length is how many lines of code a file has, and how many the change adds, but for
// comments, inline tests, and what the change has taken from elsewhere.
func (f *source) length() (all, added int) {
	for l, text := range f.code[:f.inlineTests()] {
		if strings.TrimSpace(text) == "" {
			continue
		}
		all++
		if f.added(l + 1) {
			added++
		}
	}
	return all, added
}

// inlineTests is the index of the line from which Rust's tests stand below the code.
func (f *source) inlineTests() int {
	if f.terms == nil {
		return len(f.code)
	}
	if i := slices.IndexFunc(f.terms.Classes, (*code.Node).TestOfRust); i >= 0 {
		return f.terms.Classes[i].Line - 1
	}
	return len(f.code)
}

// before is what a file was before the change, "" if it is new or cannot be read.
func (s *subject) before(file string) string {
	f, ok := s.changed[file]
	if s.Set.MergeBaseTree == nil || !ok || f.Status == change.Added {
		return ""
	}
	old, err := s.Set.MergeBaseTree.ReadFile(cmp.Or(f.OldPath, file))
	if err != nil {
		return ""
	}
	return string(old)
}

// linesOfFunction is how many lines of a file of code have a function among them.
const linesOfFunction = 100

// isData reports whether a file is a table, or was made by a program.
func (f *source) isData() bool {
	return len(f.functions())*linesOfFunction < len(f.lines) ||
		strings.Contains(strings.ToUpper(strings.Join(f.lines[:min(len(f.lines), 10)], "\n")), "GENERATED")
}

var notImplemented = patterns{
	{languages: in(syntax.Python), re: lazyregexp.New(`\braise\s+NotImplementedError\b`), title: "raise NotImplementedError is left"},
	{
		languages: in(syntax.Ruby), re: lazyregexp.New(`\braise\s*\(?\s*NotImplementedError\b`),
		title: "raise NotImplementedError is left",
	},
	{languages: in(syntax.Rust), re: lazyregexp.New(`\btodo!`)},
	{languages: in(syntax.Rust), re: lazyregexp.New(`\bunimplemented!`), severity: milder}, // may be meant to stay
	{
		languages: in(syntax.CSharp), re: lazyregexp.New(`\bthrow\s+new\s+(?:System\.)?NotImplementedException\b`),
		title: "throw new NotImplementedException is left",
	},
	{languages: append(scripts(), syntax.Java), re: lazyregexp.New(`\bthrow\s+new\s+(?:\w+\.)*NotImplemented\w*`)},
	{where: inText, re: lazyregexp.New(`(?i)\b(?:panic|throw\s+new\s+\w+|raise\s+\w*)\s*\(?\s*["'` + "`" +
		`](?:not (?:yet )?implemented|(?-i:TODO)\b|unimplemented)`), title: "an exception \"not implemented\" is left"},
}

func stubsLeft(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.code() {
		if migrations.MatchString(f.path) { // which may not be taken back
			continue
		}
		lines := notImplemented.find(f, "")
		stubs, inClass := f.stubLines(), f.methods()
		for _, l := range sortedKeys(lines) {
			i := lines[l]
			around := strings.Join(f.lines[max(0, l-4):l], "\n")
			if inClass(l) || strings.Contains(around, "ConvertBack(") { // of a converter that goes one way
				continue
			}
			why := saysWhyNot.FindString(f.lines[l-1])
			if !stubs[l] || why != "" && (!unwrittenYet.MatchString(why) || unsupported.MatchString(why)) {
				i.Severity = milder
			}
			out = append(out, i)
		}
	}
	return out
}

// saysWhyNot matches an error whose text is more than a name, unwrittenYet one that speaks
// of work to come, unsupported of what never will.
var (
	saysWhyNot   = lazyregexp.New("\\([$@f]*[\"'`][^\"'`]*(?:\\S\\s+\\S+\\s+\\S|[^\\x00-\\x7f]{4})[^\"'`]*")
	unwrittenYet = lazyregexp.New(`(?i)impl[eé]ment|to-?do|\byet\b|later|stub|coming|\bwip\b|未|待|尚`)
	unsupported  = lazyregexp.New(`(?i)sup?port`)
)

// emptied are the functions of a skeleton that had code before the change.
func emptied(s *subject) (out []workflow.Issue) {
	for _, f := range s.code() {
		was := s.before(f.path)
		if was == "" || f.tree == nil {
			continue
		}
		old, err := syntax.Parse(s.ctx, f.language, []byte(was))
		if err != nil {
			continue
		}
		for _, fn := range syntax.Emptied(syntax.Functions(old), f.functions()) {
			out = append(out, workflow.Issue{
				File: f.path, Line: fn.StartLine, EndLine: fn.EndLine, Title: fn.Name + " is a stub now, and had code before",
			})
		}
	}
	return out
}

// stubLines are the lines of functions that are stubs.
func (f *source) stubLines() map[int]bool {
	out := map[int]bool{}
	if f.tree == nil {
		return out
	}
	for _, fn := range f.functions() {
		for l := fn.StartLine; fn.Stub && l <= fn.EndLine; l++ {
			out[l] = true
		}
	}
	return out
}

// methods tells the lines that lie in a class of a language without abstract methods.
func (f *source) methods() func(line int) bool {
	inside := map[int]bool{}
	if f.tree != nil && f.is(syntax.Python, syntax.Ruby, syntax.JavaScript) {
		f.tree.Root().Walk(func(n syntax.Node) bool {
			if !n.Is("class_definition", "class_declaration", "class") || !n.IsNamed() {
				return true
			}
			for l := n.StartLine() + 1; l <= n.EndLine(); l++ {
				inside[l] = true
			}
			return false
		})
	}
	return func(line int) bool { return inside[line] }
}

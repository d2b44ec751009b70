package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// pattern is something to find in a line of code.
type pattern struct {
	languages []syntax.Language  // nil = all
	re        *lazyregexp.Regexp // its group, if it has one, is what is shown
	where     where
	severity  workflow.Severity // "" = the rule's
	title     string
	only      *lazyregexp.Regexp // what must follow, nil = anything; words are left alone then
	library   bool               // not in commands and scripts
}

// where says what of a line a pattern looks at.
type where int

const (
	inCode    where = iota // without comments and the content of strings
	inText                 // as written, where the code has anything at all
	inComment              // comments alone
	inSource               // as written, comments too
)

type patterns []pattern

// Languages that patterns share.
func scripts() []syntax.Language {
	return []syntax.Language{syntax.JavaScript, syntax.TypeScript, syntax.TSX}
}

func in(l ...syntax.Language) []syntax.Language { return l }

func (p pattern) fits(f *source) bool {
	return (p.languages == nil || slices.Contains(p.languages, f.language)) &&
		!(p.library && (f.isProgram() || loggerFile.MatchString(f.path)))
}

// linesOf makes a rule of patterns: an issue for each line that the change adds and that matches, the first pattern
// first. The issue's title is what is wrong with what was matched, or the pattern's own.
func linesOf(files func(*subject) []*source, wrong string, ps patterns) func(*subject) []workflow.Issue {
	return func(s *subject) []workflow.Issue {
		var out []workflow.Issue
		for _, f := range files(s) {
			lines := ps.find(f, wrong)
			for _, l := range sortedKeys(lines) {
				out = append(out, lines[l])
			}
		}
		return out
	}
}

// together makes one issue of those with the same title.
func together(found []workflow.Issue) []workflow.Issue {
	var out []workflow.Issue
	more := map[string][]string{}
	for _, i := range found {
		if slices.ContainsFunc(out, func(o workflow.Issue) bool { return o.Title == i.Title }) {
			more[i.Title] = append(more[i.Title], place(i))
		} else {
			out = append(out, i)
		}
	}
	for i := range out {
		if places := more[out[i].Title]; len(places) > 0 {
			out[i].Description = "Also in " + some(places) + "."
		}
	}
	return out
}

func (ps patterns) find(f *source, wrong string) map[int]workflow.Issue {
	out := map[int]workflow.Issue{}
	for _, p := range ps {
		if !p.fits(f) {
			continue
		}
		if p.library && p.count(f) > maxPrints {
			continue
		}
		end := len(f.lines)
		if p.library {
			end = f.libraryLines()
		}
		for l, text := range p.lines(f) {
			if _, taken := out[l]; taken || l > end || !f.added(l) || len(text) > maxLine || p.library && (f.prints(l) || f.asked(l)) {
				continue
			}
			if m := p.re.FindStringSubmatch(text); m != nil && p.prints(text, f.lines[l-1]) {
				out[l] = workflow.Issue{File: f.path, Line: l, Severity: p.severity, Title: p.name(wrong, cmp.Or(strings.Join(m[1:], ""),
					m[0]))}
			}
		}
	}
	return out
}

// prints reports whether what follows the pattern in a line of code is what it looks for, and no words for a reader.
func (p pattern) prints(code, line string) bool {
	if p.only == nil {
		return true
	}
	at := p.re.FindStringIndex(code)
	rest := p.only.FindStringIndex(code[at[1]:])
	return rest != nil && !words.MatchString(line[at[0]:at[1]+rest[1]])
}

// printing matches the names of functions whose business is to print.
var printing = lazyregexp.New(`(?i)print|log|show|display|report|output|usage|banner|prompt|^_?main$|^(?:cmd|cli|command|run)_`)

// prints reports whether a line lies in such a function.
func (f *source) prints(line int) bool {
	return f.tree != nil && slices.ContainsFunc(f.functions(), func(fn syntax.Function) bool {
		return fn.StartLine <= line && line <= fn.EndLine && printing.MatchString(fn.Name)
	})
}

// asksFor matches a condition under which a user wants to be told more.
var asksFor = lazyregexp.New(`(?i)\bif\b.*(?:verbose|debug|trace|quiet|silent)`)

// asked reports whether a line or one of the few above it is under such a condition.
func (f *source) asked(line int) bool {
	return slices.ContainsFunc(f.code[max(0, line-6):line], asksFor.MatchString)
}

// maxPrints is how often a file may print before printing is its business.
const maxPrints = 5

// count is how many lines of a file the pattern matches, changed or not.
func (p pattern) count(f *source) int {
	n := 0
	for _, text := range p.lines(f) {
		if len(text) <= maxLine && p.re.MatchString(text) {
			n++
		}
	}
	return n
}

// maxLine is the longest line that patterns look at: longer ones are data.
const maxLine = 2000

func (p pattern) name(wrong, match string) string {
	switch {
	case p.title != "":
		return p.title
	case wrong == "":
		return fmt.Sprintf("%s is left", cutLine(match, 50))
	default:
		return fmt.Sprintf("%s: %s", wrong, cutLine(match, 50))
	}
}

// lines yields what the pattern looks at, by line number.
func (p pattern) lines(f *source) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		switch p.where {
		case inComment:
			for _, c := range f.comments {
				for i, text := range split(c.text) {
					if !yield(min(c.line+i, len(f.lines)), text) {
						return
					}
				}
			}
		case inText, inSource:
			for i, text := range f.lines {
				if (p.where == inSource || strings.TrimSpace(f.code[i]) != "") && !yield(i+1, text) {
					return
				}
			}
		default:
			for i, text := range f.code {
				if !yield(i+1, text) {
					return
				}
			}
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// value matches the arguments of a call that prints a bare value, with or without a
// label: whoever reads the output is told nothing else.
var value = lazyregexp.New("^\\s*(?:(?:[\"'`][^\"'`]*[\"'`]\\s*[,+]\\s*)?(?:&?[\\w$][\\w$.?!\\[\\]]*|\\{[\\w$\\s,:.]*\\}?)" +
	"(?:\\s*,\\s*[\\w$][\\w$.?!\\[\\]]*)*|[fF]?[\"'`]\\s*\\$?\\{[\\w$.]+\\}\\s*[\"'`])\\s*(?:\\)|$)")

// words matches what is printed for a reader: a sentence, a text of another script,
// a constant, what went wrong, or a text by its name.
var words = lazyregexp.New("[\"'`](?:[^\"'`]*[^\\x00-\\x7f]|[^\"'`]*\\w[^\\w\"'`]* [^\\w\"'`]*\\w)|[(,]\\s*[A-Z][A-Z0-9_]+\\s*\\)" +
	"|[(,+]\\s*(?:e|ex|exc|errs?|errors?|exception)(?:\\.\\w+)*\\s*\\)" +
	"|\\(\\s*(?:\\w+\\.)*(?i:msg|message|help\\w*|usage|banner|output|prompt|summary|report|version|line)\\s*\\)")

var debugging = patterns{
	{languages: scripts(), re: lazyregexp.New(`^\s*debugger\s*(?:;|$)`)},
	{languages: in(syntax.Python), re: lazyregexp.New(`\b(?:i?pdb|pudb)\.set_trace\(|(?:^|[^.\w])breakpoint\(\)|^\s*import\s+(?:i?pdb` +
		`|pudb)\b`)},
	{languages: in(syntax.Ruby), re: lazyregexp.New(`\bbinding\.(?:pry|irb|break)\b|^\s*(?:byebug|debugger)\b`)},
	{languages: in(syntax.Rust), re: lazyregexp.New(`\bdbg!`)},
	{languages: in(syntax.CSharp), re: lazyregexp.New(`\bDebugger\.(?:Break|Launch)\(`)},
	{languages: scripts(), library: true, only: value, re: lazyregexp.New(`\b(console\.(?:log|debug|dir|table|trace))\(`)},
	{languages: in(syntax.Java), severity: milder, library: true, only: value, re: lazyregexp.New(`\b(System\.(?:out|err)\.print\w*)\(`)},
	{
		languages: in(syntax.Go), severity: milder, library: true, only: value,
		re: lazyregexp.New(`^\s*(fmt\.Println|println|spew\.Dump)\(`),
	},
	{languages: in(syntax.Python), severity: milder, library: true, only: value, re: lazyregexp.New(`(?:^\s+|[:;]\s*)(p?print)\(`)},
	{languages: in(syntax.Ruby), severity: milder, library: true, re: lazyregexp.New(`^\s*(pp?)\s+\w`)},
}

var todoComments = patterns{{where: inComment, re: lazyregexp.New(`^\W*(TODO|FIXME|HACK|XXX)\b`)}}

// workflowPaths are documents that move from folder to folder as work goes on. The
// folder is not shown: what is said of a review must outlive the move.
var workflowPaths = patterns{
	{where: inSource, re: lazyregexp.New(`\b(?:specs/(?:proposed|todo|doing)|bugs/fixing)/([\w.-]+\.md)\b`)},
}

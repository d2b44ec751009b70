package rules

import (
	"fmt"
	"regexp"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// codeRules look at the lines that the change adds to source files.
func codeRules() []rule {
	types := only(workflow.Implementation, workflow.BugFix)
	code := (*subject).code
	return []rule{
		{
			Rule: Rule{
				ID: "code/conflict-marker", Types: only(workflow.Skeleton, workflow.Tests, workflow.Implementation, workflow.BugFix), Severity: workflow.High, Criterion: "Completeness",
				Title:       "A conflict marker is left",
				Explanation: "A merge was committed before it was finished.",
			},
			pass: "no conflict marker is left",
			fix:  "Finish the merge.",
			run:  issues(conflictMarkers),
		},
		{
			Rule: Rule{
				ID: "code/stub-left", Types: types, Severity: workflow.High, Criterion: "Completeness",
				Title:       "A stub is left",
				Explanation: "An added line still says that the code is not written: NotImplementedError, todo!(), throw new Error(\"not implemented\"). High where it is all that a function does; Medium elsewhere, in a method of a Python, Ruby or JavaScript class, which may be meant to be overridden, and for unimplemented!(), which promises nothing.",
			},
			pass: "no stub is left",
			fix:  "Write the code, or take the function out of this change.",
			run:  issues(stubsLeft),
		},
		{
			Rule: Rule{
				ID: "code/secret", Types: only(workflow.Skeleton, workflow.Tests, workflow.Implementation, workflow.BugFix), Severity: workflow.High, Criterion: "Security",
				Title:       "A secret is written into the code",
				Explanation: "A private key, or a token of a known provider, is High; a literal that is assigned to a name such as password or api_key and looks random is Medium. The value is never repeated in the review.",
			},
			pass: "no secret was recognised",
			fix:  "Revoke it, read it from the environment or a secret store, and take it out of the history.",
			run:  issues(secrets),
		},
		{
			Rule: Rule{
				ID: "code/dynamic-code", Types: types, Severity: workflow.Medium, Criterion: "Security",
				Title:       "Data is run as code",
				Explanation: "eval, exec, new Function and loaders that build any object run what they are given.",
			},
			pass: "no data is run as code",
			fix:  "Parse the data with a parser made for it.",
			run:  issues(linesOf(code, "Data is run as code", dynamicCode)),
		},
		{
			Rule: Rule{
				ID: "code/shell-injection", Types: types, Severity: workflow.Medium, Criterion: "Security",
				Title:       "A command line is built for a shell",
				Explanation: "A shell interprets what is in its command line. Arguments that come from outside become commands.",
			},
			pass: "no command line is built for a shell",
			fix:  "Pass the arguments as a list, without a shell.",
			run:  issues(linesOf(code, "A command line is built for a shell", shell)),
		},
		{
			Rule: Rule{
				ID: "code/sql-concatenation", Types: types, Severity: workflow.Medium, Criterion: "Security",
				Title:       "An SQL statement is put together from strings",
				Explanation: "A value that is pasted into a statement can change it.",
			},
			pass: "no SQL is put together from strings",
			fix:  "Use placeholders and pass the values apart.",
			run:  issues(linesOf(code, "", sqlText)),
		},
		{
			Rule: Rule{
				ID: "code/unsafe-html", Types: types, Severity: workflow.Medium, Criterion: "Security",
				Title:       "Text is put into a page as HTML",
				Explanation: "innerHTML, document.write, dangerouslySetInnerHTML and html_safe run the scripts that are in their text.",
			},
			pass: "no text is put into a page as HTML",
			fix:  "Set the text content, or sanitise the HTML with a library.",
			run:  issues(linesOf(code, "Text is put into a page as HTML", unsafeHTML)),
		},
		{
			Rule: Rule{
				ID: "code/swallowed-error", Types: types, Severity: workflow.Medium, Criterion: "Error handling",
				Title:       "An error is swallowed",
				Explanation: "An empty handler of all errors, or an error assigned to nothing: what goes wrong there is never seen. A comment in the handler that says why is enough; so is naming the one error that is expected.",
			},
			pass: "no error is swallowed",
			fix:  "Handle it, return it, or say in a comment why it does not matter.",
			run:  issues(swallowed),
		},
		{
			Rule: Rule{
				ID: "code/suppressed-check", Types: types, Severity: workflow.Low, Criterion: "Hygiene",
				Title:       "A check of the compiler or linter is switched off",
				Explanation: "Suppressions without a reason or without the name of what they suppress: @ts-ignore, a bare type: ignore or noqa, nolint without a reason, eslint-disable without one.",
			},
			pass: "no check is switched off",
			fix:  "Satisfy the check, or name it and say why it is wrong here.",
			run:  issues(linesOf(code, "A check is switched off", suppressions)),
		},
		{
			Rule: Rule{
				ID: "code/debug-leftover", Types: types, Severity: workflow.Medium, Criterion: "Hygiene",
				Title:       "Debugging code is left",
				Explanation: "Breakpoints are Medium; printing from code that is no command or script is Low, unless a file does it more than five times.",
			},
			pass: "no debugging code is left",
			fix:  "Take it away, or use the project's logger.",
			run:  issues(linesOf(code, "Debugging code is left", debugging)),
		},
		{
			Rule: Rule{
				ID: "code/todo-added", Types: types, Severity: workflow.Low, Criterion: "Hygiene",
				Title:       "A note of unfinished work is added",
				Explanation: "TODO, FIXME, XXX or HACK in a comment that this change adds.",
			},
			pass: "no note of unfinished work is added",
			fix:  "Finish it, or move the note to the issue tracker.",
			run:  issues(linesOf(code, "A note of unfinished work is added", todoComments)),
		},
		{
			Rule: Rule{
				ID: "code/oversized-file", Types: types, Severity: workflow.Low, Criterion: "Hygiene",
				Title:       "A file is very long",
				Explanation: "A source file of more than 1,000 lines, to which this change adds.",
			},
			pass: "no file is very long",
			fix:  "Split it by subject.",
			run:  issues(oversized),
		},
	}
}

// everySource lists every source file of the artifact, tests included.
func (s *subject) everySource() []*source { return s.pick(func(string) bool { return true }) }

var marker = regexp.MustCompile(`^(?:<{7} |>{7} |\|{7} )`)

func conflictMarkers(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.everySource() {
		for i, line := range f.lines {
			if marker.MatchString(line) && f.added(i+1) {
				out = append(out, workflow.Issue{File: f.path, Line: i + 1})
			}
		}
	}
	return out
}

// maxLines is the length from which a source file is called very long.
const maxLines = 1000

func oversized(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.code() {
		if len(f.lines) <= maxLines {
			continue
		}
		for l := range len(f.lines) {
			if f.added(l + 1) {
				out = append(out, workflow.Issue{File: f.path, Title: fmt.Sprintf("%s has %d lines", f.path, len(f.lines))})
				break
			}
		}
	}
	return out
}

var notImplemented = patterns{
	{languages: in(syntax.Python), re: regexp.MustCompile(`\braise\s+NotImplementedError\b`), title: "raise NotImplementedError is left"},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`\braise\s*\(?\s*NotImplementedError\b`), title: "raise NotImplementedError is left"},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`\btodo!`)},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`\bunimplemented!`), severity: workflow.Medium}, // may be meant to stay
	{languages: in(syntax.CSharp), re: regexp.MustCompile(`\bthrow\s+new\s+(?:System\.)?NotImplementedException\b`), title: "throw new NotImplementedException is left"},
	{languages: append(scripts(), syntax.Java), re: regexp.MustCompile(`\bthrow\s+new\s+(?:\w+\.)*NotImplemented\w*`)},
	{where: inText, re: regexp.MustCompile(`(?i)\b(?:panic|throw\s+new\s+\w+|raise\s+\w*)\s*\(?\s*["'` + "`" + `](?:not (?:yet )?implemented|todo\b|unimplemented)`), title: "an exception \"not implemented\" is left"},
}

func stubsLeft(s *subject) []workflow.Issue {
	found := linesOf((*subject).code, "", notImplemented)(s)
	stubs := map[string]map[int]bool{}
	for i := range found {
		file := found[i].File
		if stubs[file] == nil {
			stubs[file] = s.source(file).stubLines()
		}
		if !stubs[file][found[i].Line] {
			found[i].Severity = workflow.Medium
		}
	}
	return found
}

// stubLines are the lines of functions that are stubs and not methods.
func (f *source) stubLines() map[int]bool {
	out := map[int]bool{}
	if f.tree == nil {
		return out
	}
	inClass := f.methods()
	for _, fn := range syntax.Functions(f.tree) {
		for l := fn.StartLine; fn.Stub && l <= fn.EndLine; l++ {
			out[l] = !inClass(l)
		}
	}
	return out
}

// methods tells the lines that lie in a class of a language without abstract
// methods.
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

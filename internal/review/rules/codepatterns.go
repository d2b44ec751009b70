package rules

import (
	"regexp"

	"workflow-reviewer/internal/syntax"
)

// suppressions are those that neither name what they suppress nor say why.
var suppressions = patterns{
	{languages: scripts(), where: inComment, re: regexp.MustCompile(`@ts-(?:ignore|nocheck)\b[^\n]*`), unless: regexp.MustCompile(`@ts-(?:ignore|nocheck)\W+\w+`)},
	{languages: scripts(), where: inComment, re: regexp.MustCompile(`\beslint-disable(?:-next-line|-line)?\s*(?:\*/|$)`)},
	{languages: in(syntax.Python), where: inComment, re: regexp.MustCompile(`#\s*type:\s*ignore\s*$|#\s*(?:flake8:\s*noqa|pylint:\s*skip-file|pylint:\s*disable=all)`)},
	{languages: in(syntax.Java), re: regexp.MustCompile(`@SuppressWarnings\("all"\)`), unless: regexp.MustCompile(`//`)},
	{languages: in(syntax.Java, syntax.CSharp, syntax.Python), where: inComment, re: regexp.MustCompile(`\bNOSONAR\s*$`)},
	{languages: in(syntax.CSharp), where: inText, re: regexp.MustCompile(`^\s*#pragma\s+warning\s+disable\s*$`)},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`#!?\[allow\((?:warnings|clippy::all|unused)\)`), unless: regexp.MustCompile(`//|reason\s*=`)},
	{languages: in(syntax.Ruby), where: inComment, re: regexp.MustCompile(`\brubocop:(?:disable|todo)(?:\s+all)?\s*$`)},
}

var debugging = patterns{
	{languages: scripts(), re: regexp.MustCompile(`^\s*debugger\b`)},
	{languages: in(syntax.Python), re: regexp.MustCompile(`\b(?:i?pdb|pudb)\.set_trace\(|(?:^|[^.\w])breakpoint\(\)|^\s*import\s+(?:i?pdb|pudb)\b`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`\bbinding\.(?:pry|irb|break)\b|^\s*(?:byebug|debugger)\b`)},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`\bdbg!`)},
	{languages: in(syntax.CSharp), re: regexp.MustCompile(`\bDebugger\.(?:Break|Launch)\(`)},
	{languages: scripts(), library: true, re: regexp.MustCompile(`\bconsole\.(?:log|debug|dir|table|trace)\(`)},
	{languages: in(syntax.Java), severity: milder, library: true, re: regexp.MustCompile(`\bSystem\.(?:out|err)\.print|\.printStackTrace\(\)`)},
	{languages: in(syntax.Go), severity: milder, library: true, re: regexp.MustCompile(`^\s*(?:fmt\.Print(?:ln|f)?\(|println\(|spew\.Dump\()`), unless: regexp.MustCompile(`\berr\b`)},
	{languages: in(syntax.Rust), severity: milder, library: true, re: regexp.MustCompile(`\bprintln!`)},
	{languages: in(syntax.Python), severity: milder, library: true, re: regexp.MustCompile(`(?:^\s*|[:;]\s*)(?:print|pprint)\(`), unless: regexp.MustCompile(`file\s*=`)},
	{languages: in(syntax.Ruby), severity: milder, library: true, re: regexp.MustCompile(`^\s*(?:pp|p)\s+\w`)},
}

var todoComments = patterns{
	// what is tracked elsewhere, or waits for a version, is no unfinished work
	{where: inComment, re: regexp.MustCompile(`\b(TODO|FIXME|HACK)\b|^\W*(XXX)\b`), unless: regexp.MustCompile(`https?://|#\d+|(?i:\bnext (?:major|version|release)|\b(?:when|once|after|until)\b|\bv?\d+\.\d|node ?\.?(?:js)? ?\d+)`)},
}

// workflowPaths are documents that move from folder to folder as work goes on. The
// folder is not shown: what is said of a review must outlive the move.
var workflowPaths = patterns{
	{where: inSource, re: regexp.MustCompile(`\b(?:specs/(?:proposed|todo|doing)|bugs/fixing)/([\w.-]+\.md)\b`)},
}

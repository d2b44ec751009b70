package rules

import (
	"regexp"

	"workflow-reviewer/internal/syntax"
)

// message matches what is printed for a reader: a sentence, a text of another
// script, a constant, an empty line.
const message = "[\"'`](?:[^\"'`]*[^\\x00-\\x7f]|[^\"'`]*\\w[^\\w\"'`]* [^\\w\"'`]*\\w)|\\(\\s*(?:[A-Z][A-Z0-9_]+\\s*)?\\)"

// loggers matches what hands arguments on, or says what went wrong.
const loggers = `|\(\s*(?:[\w$]+\s*,\s*)*\.\.\.|\(\s*(?:e|ex|err|error)\s*\)`

var debugging = patterns{
	{languages: scripts(), re: regexp.MustCompile(`^\s*debugger\b`)},
	{languages: in(syntax.Python), re: regexp.MustCompile(`\b(?:i?pdb|pudb)\.set_trace\(|(?:^|[^.\w])breakpoint\(\)|^\s*import\s+(?:i?pdb|pudb)\b`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`\bbinding\.(?:pry|irb|break)\b|^\s*(?:byebug|debugger)\b`)},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`\bdbg!`)},
	{languages: in(syntax.CSharp), re: regexp.MustCompile(`\bDebugger\.(?:Break|Launch)\(`)},
	{languages: scripts(), library: true, unless: regexp.MustCompile(message + loggers), re: regexp.MustCompile(`\bconsole\.(?:log|debug|dir|table|trace)\(\s*\S`)},
	{languages: in(syntax.Java), severity: milder, library: true, re: regexp.MustCompile(`\bSystem\.(?:out|err)\.print`), unless: regexp.MustCompile(message)},
	{languages: in(syntax.Java), severity: milder, library: true, re: regexp.MustCompile(`\.printStackTrace\(\)`)},
	{languages: in(syntax.Go), severity: milder, library: true, re: regexp.MustCompile(`^\s*(?:fmt\.Print(?:ln|f)?\(|println\(|spew\.Dump\()`), unless: regexp.MustCompile(message + `|\berr\b`)},
	{languages: in(syntax.Rust), severity: milder, library: true, re: regexp.MustCompile(`\bprintln!`), unless: regexp.MustCompile(message)},
	{languages: in(syntax.Python), severity: milder, library: true, re: regexp.MustCompile(`(?:^\s*|[:;]\s*)(?:print|pprint)\(`), unless: regexp.MustCompile(message + `|file\s*=`)},
	{languages: in(syntax.Ruby), severity: milder, library: true, re: regexp.MustCompile(`^\s*(?:pp|p)\s+\w`)},
}

var todoComments = patterns{
	// what is tracked elsewhere, or waits for a version, is no unfinished work
	{where: inComment, re: regexp.MustCompile(`\b(TODO|FIXME|HACK)\b|^\W*(XXX)\b`), unless: regexp.MustCompile(`https?://|Auto-generated method stub|\b(?:TODO|FIXME|HACK)\s*\([^)]*\b[A-Z]+\d*-\d+[^)]*\)|(?i:\bsee\b.*\bTODO)|#\d+|(?i:\bnext (?:major|version|release)|\b(?:when|once|after|until)\b|\bv?\d+\.\d|\bgo ?\d+\.\d|node ?\.?(?:js)? ?\d+)`)},
}

// workflowPaths are documents that move from folder to folder as work goes on. The
// folder is not shown: what is said of a review must outlive the move.
var workflowPaths = patterns{
	{where: inSource, re: regexp.MustCompile(`\b(?:specs/(?:proposed|todo|doing)|bugs/fixing)/([\w.-]+\.md)\b`)},
}

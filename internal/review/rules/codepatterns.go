package rules

import (
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// message matches what is printed for a reader: a sentence, a text of another
// script, a constant, an empty line.
const message = "[\"'`](?:[^\"'`]*[^\\x00-\\x7f]|[^\"'`]*\\w[^\\w\"'`]* [^\\w\"'`]*\\w)|\\(\\s*(?:[A-Z][A-Z0-9_]+\\s*)?\\)"

// loggers matches what hands arguments on, or says what went wrong.
const loggers = `|\(\s*(?:(?:[\w$]+|["'][^"']*["'])\s*,\s*)*\.\.\.|\(\s*(?:e|ex|err|error)\s*\)`

var debugging = patterns{
	{languages: scripts(), re: lazyregexp.New(`^\s*debugger\b`)},
	{languages: in(syntax.Python), re: lazyregexp.New(`\b(?:i?pdb|pudb)\.set_trace\(|(?:^|[^.\w])breakpoint\(\)|^\s*import\s+(?:i?pdb` +
		`|pudb)\b`)},
	{languages: in(syntax.Ruby), re: lazyregexp.New(`\bbinding\.(?:pry|irb|break)\b|^\s*(?:byebug|debugger)\b`)},
	{languages: in(syntax.Rust), re: lazyregexp.New(`\bdbg!`)},
	{languages: in(syntax.CSharp), re: lazyregexp.New(`\bDebugger\.(?:Break|Launch)\(`)},
	{
		languages: scripts(), library: true, unless: lazyregexp.New(message + loggers),
		re: lazyregexp.New(`\bconsole\.(?:log|debug|dir|table|trace)\(\s*\S`),
	},
	{
		languages: in(syntax.Java), severity: milder, library: true, re: lazyregexp.New(`\bSystem\.(?:out|err)\.print`),
		unless: lazyregexp.New(message),
	},
	{languages: in(syntax.Java), severity: milder, library: true, re: lazyregexp.New(`\.printStackTrace\(\)`)},
	{
		languages: in(syntax.Go), severity: milder, library: true,
		re: lazyregexp.New(`^\s*(?:fmt\.Print(?:ln|f)?\(|println\(|spew\.Dump\()`), unless: lazyregexp.New(message + `|\berr\b`),
	},
	{
		languages: in(syntax.Rust), severity: milder, library: true, re: lazyregexp.New(`\bprintln!`),
		unless: lazyregexp.New(message),
	},
	{
		languages: in(syntax.Python), severity: milder, library: true, re: lazyregexp.New(`(?:^\s*|[:;]\s*)(?:print|pprint)\(`),
		unless: lazyregexp.New(message + `|file\s*=|\b(?:colored|style|Fore)\b`),
	},
	{languages: in(syntax.Ruby), severity: milder, library: true, re: lazyregexp.New(`^\s*(?:pp|p)\s+\w`)},
}

var todoComments = patterns{
	// what is tracked elsewhere, or waits for a version, is no unfinished work
	{
		where: inComment, re: lazyregexp.New(`^\W*(TODO|FIXME|HACK|XXX)\b|\b(TODO|FIXME|HACK)\s*[:(]`),
		unless: lazyregexp.New(`https?://|Auto-generated method stub|(?i:\b(?:TODO|FIXME|HACK|XXX)\b.*\b(?:why|might|optionally|more` +
			`|consider|maybe|perhaps|possibly|could|can we|should we|should (?:have|be|support)|would be (?:nice|better)|nice to have` +
			`|if (?:needed|necessary)|refactor|rename|clean ?up|optimi[sz]e|investigate|explore)\b|\b(?:TODO|FIXME)\b.*\?)|\b(?:TODO` +
			`|FIXME|HACK)\s*\([^)]*\b[A-Z]+\d*-\d+[^)]*\)|(?i:\bsee\b.*\bTODO)|#\d+|(?i:\bnext (?:major|version|release)` +
			`|\b(?:when|once|after|until)\b|\bv\d+|\b\d+\.\d|\bgo ?\d+\.\d|node ?\.?(?:js)? ?\d+)`),
	},
}

// workflowPaths are documents that move from folder to folder as work goes on. The
// folder is not shown: what is said of a review must outlive the move.
var workflowPaths = patterns{
	{where: inSource, re: lazyregexp.New(`\b(?:specs/(?:proposed|todo|doing)|bugs/fixing)/([\w.-]+\.md)\b`)},
}

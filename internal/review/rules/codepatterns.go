package rules

import (
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// value matches the arguments of a call that prints a bare value, with or without a
// label: whoever reads the output is told nothing else.
var value = lazyregexp.New("^\\s*(?:(?:[\"'`][^\"'`]*[\"'`]\\s*[,+]\\s*)?(?:&?[\\w$][\\w$.?!\\[\\]]*|\\{[\\w$\\s,:.]*\\}?)" +
	"(?:\\s*,\\s*[\\w$][\\w$.?!\\[\\]]*)*|[fF]?[\"'`]\\s*\\$?\\{[\\w$.]+\\}\\s*[\"'`])\\s*(?:\\)|$)")

// words matches what is printed for a reader: a sentence, a text of another script,
// a constant, what went wrong, or a text by its name.
var words = lazyregexp.New("[\"'`](?:[^\"'`]*[^\\x00-\\x7f]|[^\"'`]*\\w[^\\w\"'`]* [^\\w\"'`]*\\w)|[(,]\\s*[A-Z][A-Z0-9_]+\\s*\\)" +
	"|[(,+]\\s*(?:e|ex|exc|err|error|exception)(?:\\.\\w+)*\\s*\\)" +
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

package rules

import (
	"regexp"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

var dynamicCode = patterns{
	{languages: in(syntax.Python), re: regexp.MustCompile(`(?:^|[^.\w])(?:eval|exec)\(|\bpickle\.loads?\(|\bmarshal\.loads\(`), unless: regexp.MustCompile(`literal_eval|\bdef\s`)},
	{languages: in(syntax.Python), re: regexp.MustCompile(`\byaml\.load\(`), unless: regexp.MustCompile(`Safe|Loader=`)},
	{languages: scripts(), re: regexp.MustCompile(`(?:^|[^.\w])eval\(|\bnew\s+Function\(|\bvm\.runIn\w+\(`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`(?:^|[^.\w])eval[ (]|\b(?:instance|class)_eval\(?\s*["']|\bMarshal\.load\b`)},
	{languages: in(syntax.Java), re: regexp.MustCompile(`\bnew\s+ObjectInputStream\(|\.getEngineByName\(`)},
	{languages: in(syntax.CSharp), re: regexp.MustCompile(`\bnew\s+BinaryFormatter\(|\bCSharpScript\.`)},
}

var shell = patterns{
	{languages: in(syntax.Python), re: regexp.MustCompile(`\bshell\s*=\s*True\b|\bos\.(?:system|popen)\(`)},
	{languages: scripts(), where: inText, re: regexp.MustCompile("\\b(?:exec|execSync)\\(\\s*(?:`[^`]*\\$\\{|[\"'][^\"']*[\"']\\s*\\+)|\\bshell:\\s*true\\b")},
	{languages: in(syntax.Go), where: inText, re: regexp.MustCompile(`\bexec\.Command(?:Context)?\([^)]*"(?:/bin/)?(?:ba|z|da)?sh",\s*"-l?c",\s*[^"\s]`)},
	{languages: in(syntax.Ruby), where: inText, re: regexp.MustCompile("(?:^|[^\\w.])(?:system|exec|spawn)[ (]\\s*\"[^\"]*#\\{|`[^`]*#\\{|%x[({\\[][^)}\\]]*#\\{")},
	{languages: in(syntax.Java), where: inText, re: regexp.MustCompile(`\.exec\(\s*"[^"]*"\s*\+`)},
}

var sqlText = patterns{
	{where: inText, re: regexp.MustCompile(`(?i)["'` + "`" + `]\s*(?:select\s[^"'` + "`" + `]*\sfrom|insert\s+into|update\s+[\w.]+\s+set|delete\s+from)\b[^"` + "`" + `]*(?:"\s*\+\s*\w|"\s*%\s*[\w(]|"\s*\.format\(|'\s*\+\s*\w|\$\{|#\{)`), title: "an SQL statement is put together from strings"},
	{languages: in(syntax.Python), where: inText, re: regexp.MustCompile(`(?i)\bf["']{1,3}\s*(?:select\s.*\sfrom|insert\s+into|update\s+[\w.]+\s+set|delete\s+from)\b.*\{`), title: "an SQL statement is put together from strings"},
	{languages: in(syntax.CSharp), where: inText, re: regexp.MustCompile(`(?i)\$@?"\s*(?:select\s.*\sfrom|insert\s+into|update\s+[\w.]+\s+set|delete\s+from)\b.*\{`), title: "an SQL statement is put together from strings"},
	{languages: in(syntax.Go), where: inText, re: regexp.MustCompile(`(?i)\bSprintf\(\s*["` + "`" + `]\s*(?:select\s.*\sfrom|insert\s+into|update\s+\S+\s+set|delete\s+from)\b.*%[sv]`), title: "an SQL statement is put together from strings"},
	{languages: in(syntax.Rust), where: inText, re: regexp.MustCompile(`(?i)\bformat!\(\s*r?#?"\s*(?:select\s.*\sfrom|insert\s+into|update\s+\S+\s+set|delete\s+from)\b.*\{`), title: "an SQL statement is put together from strings"},
}

var unsafeHTML = patterns{
	{languages: scripts(), re: regexp.MustCompile(`\.(?:inner|outer)HTML\s*\+?=[^=]|\bdocument\.write(?:ln)?\(|\binsertAdjacentHTML\(|\bdangerouslySetInnerHTML\b`), unless: regexp.MustCompile(`(?i)sanitiz|purify|(?:inner|outer)HTML\s*=\s*(?:""|''|` + "``" + `)`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`\.html_safe\b|(?:^|[^\w.])raw[ (]`)},
	{languages: in(syntax.Python), re: regexp.MustCompile(`\bmark_safe\(|\bMarkup\(`)},
	{languages: in(syntax.Go), re: regexp.MustCompile(`\btemplate\.(?:HTML|JS)\(`)},
}

var suppressions = patterns{
	{languages: scripts(), where: inComment, re: regexp.MustCompile(`@ts-(?:ignore|nocheck)\b[^\n]*`), unless: regexp.MustCompile(`@ts-(?:ignore|nocheck)\W+\w+ \w+`)},
	{languages: scripts(), where: inComment, re: regexp.MustCompile(`\beslint-disable(?:-next-line|-line)?\b`), unless: regexp.MustCompile(`\s--\s+\S`)},
	{languages: in(syntax.Python), where: inComment, re: regexp.MustCompile(`#\s*type:\s*ignore\s*(?:#|$)|#\s*noqa\s*(?:#|$)|#\s*(?:flake8:\s*noqa|pylint:\s*skip-file)|#\s*nosec\s*$`)},
	{languages: in(syntax.Go), where: inComment, re: regexp.MustCompile(`//\s*nolint\b`), unless: regexp.MustCompile(`nolint:\S+\s*//\s*\S`)},
	{languages: in(syntax.Go), where: inComment, re: regexp.MustCompile(`#nosec\b`), unless: regexp.MustCompile(`--\s*\S`)},
	{languages: in(syntax.Java), re: regexp.MustCompile(`@SuppressWarnings\(`), unless: regexp.MustCompile(`//`)},
	{languages: in(syntax.Java, syntax.CSharp, syntax.Python), where: inComment, re: regexp.MustCompile(`\bNOSONAR\b`)},
	{languages: in(syntax.CSharp), where: inText, re: regexp.MustCompile(`^\s*#pragma\s+warning\s+disable\b`), unless: regexp.MustCompile(`//`)},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`#!?\[allow\(`), unless: regexp.MustCompile(`//|reason\s*=`)},
	{languages: in(syntax.Ruby), where: inComment, re: regexp.MustCompile(`\brubocop:disable\b`), unless: regexp.MustCompile(`\s--\s+\S`)},
}

var debugging = patterns{
	{languages: scripts(), re: regexp.MustCompile(`^\s*debugger\b`)},
	{languages: in(syntax.Python), re: regexp.MustCompile(`\b(?:i?pdb|pudb)\.set_trace\(|(?:^|[^.\w])breakpoint\(\)|^\s*import\s+(?:i?pdb|pudb)\b`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`\bbinding\.(?:pry|irb|break)\b|^\s*(?:byebug|debugger)\b`)},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`\bdbg!`)},
	{languages: in(syntax.CSharp), re: regexp.MustCompile(`\bDebugger\.(?:Break|Launch)\(`)},
	{languages: scripts(), severity: workflow.Low, library: true, re: regexp.MustCompile(`\bconsole\.(?:log|debug|dir|table|trace)\(`)},
	{languages: in(syntax.Rust), severity: workflow.Low, library: true, re: regexp.MustCompile(`\be?println!`)},
	{languages: in(syntax.Java), severity: workflow.Low, library: true, re: regexp.MustCompile(`\bSystem\.(?:out|err)\.print|\.printStackTrace\(\)`)},
	{languages: in(syntax.Go), severity: workflow.Low, library: true, re: regexp.MustCompile(`\bfmt\.Print(?:ln|f)?\(|(?:^|[^.\w])println\(|\bspew\.Dump\(`)},
	{languages: in(syntax.Python), severity: workflow.Low, library: true, re: regexp.MustCompile(`(?:^\s*|[:;]\s*)(?:print|pprint)\(`), unless: regexp.MustCompile(`file\s*=`)},
	{languages: in(syntax.Ruby), severity: workflow.Low, library: true, re: regexp.MustCompile(`^\s*(?:pp|p)\s+\w`)},
}

var todoComments = patterns{
	{where: inComment, re: regexp.MustCompile(`\b(?:TODO|FIXME|XXX|HACK)\b`)},
}

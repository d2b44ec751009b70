package rules

import (
	"regexp"

	"workflow-reviewer/internal/syntax"
)

var focused = patterns{
	{languages: scripts(), re: regexp.MustCompile(`\b(?:it|test|describe|context|suite|specify)\.only\b|\b(?:fit|fdescribe|fcontext)\s*\(`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`^\s*(?:fit|fdescribe|fcontext)\s|,\s*(?::focus\b|focus:\s*true)`)},
	{languages: in(syntax.Go), re: regexp.MustCompile(`\b(?:FIt|FDescribe|FContext|FEntry)\(`)},
}

var skipped = patterns{
	{languages: in(syntax.Python), re: regexp.MustCompile(`@(?:pytest\.mark\.|unittest\.)?skip\b(?:\(|\s*$)|^\s{0,8}(?:pytest\.skip|self\.skipTest)\(|@pytest\.mark\.xfail\b|@unittest\.expectedFailure\b`)},
	{languages: in(syntax.Go), re: regexp.MustCompile(`^\t\w+\.(?:Skip|Skipf|SkipNow)\(`)},
	{languages: scripts(), re: regexp.MustCompile(`\b(?:it|test|describe|context|suite|specify)\.(?:skip|todo|fixme|failing|fails)\b|\b(?:xit|xtest|xdescribe|xcontext)\s*\(`)},
	{languages: in(syntax.Java), re: regexp.MustCompile(`^\s*@(?:Disabled|Ignore)\b(?:\(|\s*$)`)},
	{languages: in(syntax.CSharp), re: regexp.MustCompile(`\[(?:Fact|Theory)\(\s*Skip\s*=|^\s*\[Ignore\b|\bAssert\.(?:Ignore|Skip|Inconclusive)\(`)},
	{languages: in(syntax.Rust), re: regexp.MustCompile(`#\[ignore\b`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`^\s*(?:xit|xdescribe|xcontext|xspecify)\s|^\s*(?:skip|pending)(?:\s|\(|$)|\bskip:\s*true\b`)},
}

var sleeping = patterns{
	{languages: in(syntax.Python, syntax.Go, syntax.Rust, syntax.CSharp, syntax.Java), re: regexp.MustCompile(`\b(?:time\.[sS]leep|asyncio\.sleep|Thread\.[sS]leep|thread::sleep|TimeUnit\.\w+\.sleep)\(|\bawait\s+Task\.Delay\(`), unless: regexp.MustCompile(`\b[sS]leep\(0(?:\.0+)?\)|patch|monkeypatch`)},
	{languages: in(syntax.Ruby), re: regexp.MustCompile(`^\s*sleep(?:\s|\()\s*\d`)},
	{languages: scripts(), re: regexp.MustCompile(`\bsetTimeout\(\s*(?:resolve|res|r|done)\b|\bcy\.wait\(\s*\d|\bwaitForTimeout\(`)},
}

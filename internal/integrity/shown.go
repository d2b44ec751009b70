package integrity

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// What nobody approved changes for many reasons: most changes that the check cannot prove harmless are no loss
// there. What the change itself shows to be one is told by a closed list, which 126 judged findings led to
// (docs/decisions/unapproved-losses.md); the rest is asked of a model, and keeps a new baseline from being recorded.

// shown reports whether a change shows by itself that tests of the merge base demand
// less or do not run, and that the code they are about is still there.
func (c *checker) shown(v workflow.Violation) bool {
	first, _, _ := strings.Cut(v.Evidence, "\n")
	line := strings.TrimSpace(strings.TrimLeft(first, "-+"))
	switch violation.Kind(v.Kind) {
	case violation.TestDeleted:
		test, all := c.blockOf(v), c.blockOf(v)
		if now, err := stat(c.Set.HeadTree, v.File); err == nil && now.Path == "" {
			all = c.blockOf(workflow.Violation{File: v.File, Line: 1})
		}
		return line != "" && mayAssert.Match(test) && !c.speaksOfGone(test) && !c.replacedTests(v.File) &&
			!c.demandedStill(all, line)
	case violation.AssertionRemoved:
		return !asserting.MatchString(v.Evidence) && c.onlyLost(v) && !c.speaksOfGone([]byte(first)) &&
			(strings.Contains(v.Evidence, "\n+") || !c.demandedStill([]byte(first), ""))
	case violation.AssertionWeakened:
		if strings.HasPrefix(v.Description, "A mark of ") {
			return expects.MatchString(first)
		}
		return sameSubject(v.Evidence) && weakForm.MatchString(v.Evidence) && !asWeak(v.Evidence) && !wasTrue.MatchString(first) &&
			!c.speaksOfGone([]byte(first))
	case violation.Tautology:
		return !sameButNames(v.Evidence)
	case violation.TestSkipped:
		return c.skipsOther(v)
	case violation.RetriesAdded:
		return retries.MatchString(v.Evidence)
	case violation.TestUncollected:
		return strings.HasPrefix(v.Description, "Test no longer runs: ")
	case violation.HelperWeakened:
		return strings.HasPrefix(v.Description, "Test assertion removed from ") && c.onlyLost(v) ||
			strings.HasPrefix(v.Description, "Fails in fewer cases")
	case violation.ParamsDropped:
		return strings.Contains(v.Description, " from test ") && !statement.MatchString(line) && !c.demandedStill([]byte(first), "")
	case violation.EarlyReturn:
		return bareReturn.MatchString(line)
	case violation.ThresholdLowered, violation.ToleranceWidened:
		_, now, _ := strings.Cut(v.Evidence, "\n+")
		return digits.MatchString(first) && digits.MatchString(now)
	case violation.ConfigNarrowed, violation.TestScriptNeutered, violation.CINeutered:
		if strings.HasSuffix(v.Description, "the file was deleted") || scriptGone.MatchString(v.Description) && c.otherScript(v.File) {
			return ignores.MatchString(v.Evidence)
		}
		return notRun.MatchString(v.Description) && c.ignoresTest(v) || ignores.MatchString(v.Evidence)
	case violation.ConftestHook:
		return strings.HasPrefix(v.Description, "A hook of the runner was added: ")
	case violation.MockOfSUT:
		return false
	default:
		return true
	}
}

// sameSubject reports whether the two lines of a weakened assertion are about the same:
// they share a name besides those of assertions, and the new one does not deny.
func sameSubject(evidence string) bool {
	old, now, changed := strings.Cut(evidence, "\n+")
	if !changed {
		return true
	}
	if denies.MatchString(now) && !exists.MatchString(now) && !denies.MatchString(old) {
		return false
	}
	words := map[string]bool{}
	for _, w := range word.FindAllString(old, -1) {
		words[w] = !asserts.MatchString(w)
	}
	return slices.ContainsFunc(word.FindAllString(now, -1), func(w string) bool { return words[w] })
}

// asWeak reports whether the old line of a weakened assertion asked for a part as the new
// one does, which names all that it named.
func asWeak(evidence string) bool {
	old, now, _ := strings.Cut(strings.TrimLeft(evidence, "- "), "\n+")
	names := token.FindAllString(now, -1)
	return aPart.MatchString(old) && aPart.MatchString(now) && !slices.Contains(names, "or") && !slices.ContainsFunc(
		token.FindAllString(old, -1), func(w string) bool { return !asserts.MatchString(w) && !slices.Contains(names, w) })
}

// sameButNames reports whether two lines are one with other names.
func sameButNames(evidence string) bool {
	old, now, _ := strings.Cut(strings.TrimLeft(evidence, "- "), "\n+ ")
	if token.ReplaceAllString(old, "x") != token.ReplaceAllString(now, "x") {
		return false
	}
	names, is := map[string]string{}, token.FindAllString(now, -1)
	for i, w := range token.FindAllString(old, -1) {
		if other, known := names[is[i]]; known && other != w {
			return false // one name for two
		}
		names[is[i]] = w
	}
	return true
}

var (
	token   = lazyregexp.New(`[\p{L}\p{N}_$]+`)
	asserts = lazyregexp.New(`^(?:(?i:assert|expect|should|must)\w*|to|to[A-Z_]\w*|be|i[ns]|not|eq\w*|self|this|let|const|var|await|that)$`)
	denies  = lazyregexp.New(`(?i)\.not\b|\bnot\b|not_|notEqual|assertNot|\brefute|assertFalse|DoesNot`)
	// aPart asks for a part of a whole, and not for one of several.
	aPart = lazyregexp.New(`[cC]ontain|\bin\s+[^([{\s]|In\(|[iI]nclud|[mM]atch|(?i:starts|ends)_?[wW]ith`)
	// exists denies as well, and demands next to nothing.
	exists = lazyregexp.New(`(?i)not?[^\n]{0,8}(?:none|null|nil|undefined|nan)|refute_nil`)
	// asserting is a new line that may assert as well.
	asserting = lazyregexp.New(`(?im)^\+.*(?:assert|expect|should|verify|check|require|must)`)
	// expects is a mark that says which failure is expected.
	expects = lazyregexp.New(`should_panic|\bexpected\b|raises|ExpectedException`)
	// weakForm is a new line that asks for little: truth, existence, a type, a bound, a part, any error.
	weakForm = lazyregexp.New(`(?m)^\+.*(?:[tT]ruthy|Defined\(|\b(?:[nN]ot|be)\W?[tT]?o?_?[bB]?e?_?(?:[nN]one|[nN]ull|[nN]il)\b|` +
		`NotNull|NotNil|not_nil|[iI]ns?stance|IsType|typeof|hasattr|callable|\s[<>]=?\s|` +
		`Greater|Less|[cC]ontain|In\(|\s(?:not )?in\s|[iI]nclud|[mM]atch|Length\(|Any\b|any\(|raise_error\s*\}?$|toThrow\(\)|[lL]og|` +
		`Called\(\)|anything\(\)|[rR]aises\((?:Base)?Exception\b|[aA]lmostEqual|CloseTo|approx|InDelta|be_within)|` +
		`^\+ (?:(?:self\.)?assert(?:True|_true|!)?|(?:Assert\.)?(?:IsTrue|True)|\w*\.?assert(?:\.ok)?)[ (!][^=<>]*$`)
	wasTrue = lazyregexp.New(`assert_eq!\(.*,\s*true\)|(?:==|is)\s*True\b|Equal\(.*\b[tT]rue\)`) // so that truth is as much
	// retries is what runners and their extensions call it.
	retries = lazyregexp.New(`(?i)\bflaky\b|retryTimes\(|\.retries\(|(?:^|[\n+{(,.@[])\s*["']?retr(?:y|ies)["']?\s*[:=(]\s*["']?[1-9]|` +
		`--reruns|rerunFailing|@(?:Retry|Repeat)`)
	// statement is no row of a table: a field, a variable or a loop.
	statement = lazyregexp.New(`^(?:["']?\w+["']?\s*(?:[:=]|:=)|(?:for|if|return|let|const|var|val)\b)`)
	// bareReturn leaves a test; one with a value leaves a function in it.
	bareReturn = lazyregexp.New(`^return;?$`)
	digits     = lazyregexp.New(`\b\d`)
	// notRun begins what is said of tests that a command, job or script left out.
	notRun = lazyregexp.New(`^(?:Tests no longer run|Tests left out: [^(;]*$|Test target removed|Test script removed|` +
		`Test failures are ignored: .*(?:its failure is ignored|was set to "true")|` +
		`Tests run in a changed environment: excludes\.exclude was set|` +
		`Test collection changed: (?:\S+ is now given (?:-k|-skip|--?(?:ignore|deselect|skip|exclude|grep-?[iI]nvert)\b)|` +
		`\S*(?:[iI]gnorePatterns|testIgnore|\btest\.exclude|norecursedirs|excludedGroups|exclude_pattern|collect_ignore\w*)\b))`)
	// scriptGone is what notRun says of a script that may have another name now.
	scriptGone = lazyregexp.New(`^(?:Tests left out: .* no longer runs |Test script removed: )`)
	// ignores is a new line that lets failures pass, or runs nothing.
	ignores = lazyregexp.New(`(?m)^\+.*(?:\|\|\s*(?:true\b|:|exit 0)|continue-on-error:\s*["']?true|allow_failure:\s*true|` +
		`continueOnError:\s*true|passWithNoTests|\bset \+e\b|if:\s*["']?(?:\$\{\{\s*)?false|--exit-zero|[sS]kip-?[tT]ests|` +
		`maven\.test\.(?:skip|failure)|ignoreFailures|--collect-only|--no-run\b|--list-?[tT]ests)`)
)

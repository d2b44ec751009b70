package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// statements compares two versions of a build script.
func (c *comparison) statements(before, after []byte) {
	was, is := statementsOf(before), statementsOf(after)
	lost, gained := difference(was, is), difference(is, was)
	n := len(c.result.Violations)
	for _, s := range gained {
		c.gainedStatement(s, lost, before != nil)
	}
	for _, s := range lost {
		c.lostStatement(s, gained)
	}
	c.quotedScripts(was, is)
	if len(c.result.Violations) == n {
		c.harmless("no statement about tests differs in what it runs")
	}
}

// difference is what of a is not in b, counting repetitions.
func difference(a, b []statement) []statement {
	have := map[string]int{}
	for _, s := range b {
		have[s.context+"\x00"+s.text]++
	}
	var out []statement
	for _, s := range a {
		if k := s.context + "\x00" + s.text; have[k] > 0 {
			have[k]--
		} else {
			out = append(out, s)
		}
	}
	return out
}

func (c *comparison) gainedStatement(s statement, lost []statement, existed bool) {
	if m := pathPattern.FindStringSubmatch(s.text); m != nil {
		c.statementPattern(m, s, lost)
		return
	}
	for _, p := range buildPatterns() {
		if !p.match.MatchString(s.text) {
			continue
		}
		switch p.effect {
		case threshold:
			c.statementThreshold(p, s, lost)
			return
		case strict:
			continue
		}
		if testContext.MatchString(s.context+" "+s.text) || p.effect == filter {
			c.report(finding{p.kind, 0, s.line, "Test run weakened by the build: " + cut(s.text)})
			return
		}
	}
	if !existed || harmlessInTest.MatchString(s.text) || shownOnly(s.text) || !testContext.MatchString(s.context) {
		return
	}
	kind := violation.ConfigChanged
	if disables.MatchString(s.text) {
		kind = violation.ConfigNarrowed
	} else if slices.ContainsFunc(c.result.Violations, func(v workflow.Violation) bool { return v.Kind == string(violation.ConfigChanged) }) {
		return // one is enough to say that the block differs
	}
	c.report(finding{kind, 0, s.line, "Test configuration changed in the build: " + cut(s.text)})
}

// runnerOptions are what a rake task gives its runner.
var runnerOptions = regexp.MustCompile(`\b(?:rspec_opts|ruby_opts|options)\s*=\s*[\[(%w]*\s*'([^']*)'\s*[\])]?$`)

// shownOnly reports whether a rake task gives its runner only options that
// change how the results are shown, or their order.
func shownOnly(text string) bool {
	m := runnerOptions.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	words := strings.Fields(m[1])
	for i := 0; i < len(words); i++ {
		switch name, _, given := strings.Cut(words[i], "="); name {
		case "--color", "--colour", "--backtrace", "-b", "--profile", "-w", "--warnings", "-v", "--verbose", "-c":
		case "--format", "-f", "--order", "--seed", "--out", "-o":
			if !given {
				i++
			}
		default:
			return false
		}
	}
	return true
}

// pathPattern says which files are tests: t.pattern = 'test/**/*_test.rb'.
var pathPattern = regexp.MustCompile(`\b(pattern|test_files|test_globs)\s*=\s*(?:Dir|FileList)?[\[(]?\s*'([^']*)'`)

func (c *comparison) statementPattern(m []string, s statement, lost []statement) {
	was := 0
	for _, l := range lost {
		if old := pathPattern.FindStringSubmatch(l.text); old != nil && old[1] == m[1] {
			if covers(m[2], old[2]) {
				return
			}
			was = l.line
		}
	}
	c.report(finding{violation.ConfigNarrowed, was, s.line, "Test collection narrowed: " + cut(s.text)})
}

var disables = regexp.MustCompile(`(?i)\benabled\s*=?\s*\(?false|\bexclude\b|\binclude\b|\bskip\b|setExcludes|setIncludes|isEnabled\s*=\s*false`)

func (c *comparison) statementThreshold(p buildPattern, s statement, lost []statement) {
	after, ok := lastNumber(s.text)
	for _, l := range lost {
		if !p.match.MatchString(l.text) {
			continue
		}
		if before, had := lastNumber(l.text); !ok || !had || after < before {
			c.report(finding{violation.ThresholdLowered, l.line, s.line, fmt.Sprintf("Threshold lowered: %s became %s", cut(l.text), cut(s.text))})
		}
		return
	}
}

var number = regexp.MustCompile(`\d+(?:\.\d+)?`)

func lastNumber(s string) (float64, bool) {
	all := number.FindAllString(s, -1)
	if len(all) == 0 {
		return 0, false
	}
	return numberOf(all[len(all)-1])
}

func (c *comparison) lostStatement(s statement, gained []statement) {
	for _, p := range buildPatterns() {
		again := slices.ContainsFunc(gained, func(g statement) bool { return p.match.MatchString(g.text) })
		if !again && (p.effect == strict || p.effect == threshold) && p.match.MatchString(s.text) {
			c.report(finding{p.kind, s.line, 0, "Test run weakened by the build: it no longer says " + cut(s.text)})
			return
		}
	}
}

// quotedScripts compares the commands in string literals: sh 'npm test'.
func (c *comparison) quotedScripts(was, is []statement) {
	c.scripts(violation.TestScriptNeutered, scriptIn(was), scriptIn(is))
}

func scriptIn(list []statement) (out script) {
	for _, s := range list {
		for _, text := range commandsIn(s.text) {
			if sc, err := (shell{errexit: true}).read(text, s.line); err == nil {
				out.runs = append(out.runs, sc.runs...)
				out.tampers = append(out.tampers, sc.tampers...)
			}
		}
	}
	return out
}

// commandsIn are the string literals of a statement that may be commands, and
// all of them together: session.run('pytest', '-q').
func commandsIn(text string) []string {
	var all []string
	for _, m := range quotedText.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	if len(all) > 1 && !strings.Contains(all[0], " ") {
		return []string{strings.Join(all, " ")}
	}
	return all
}

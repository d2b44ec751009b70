package runner

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// statement is one line of a build script with the lines around it that are
// less indented.
type statement struct {
	text    string
	context string
	line    int
}

// statementsOf reads a build script whose language is not parsed: its lines
// without comments, layout and kind of quotes.
func statementsOf(src []byte) []statement {
	var out []statement
	type open struct {
		indent int
		text   string
	}
	var stack []open
	for i, raw := range lines(src) {
		text := strings.TrimSpace(raw)
		if text == "" || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "*") || strings.HasPrefix(text, "/*") {
			continue
		}
		indent := indentOf(raw)
		for len(stack) > 0 && stack[len(stack)-1].indent >= indent {
			stack = stack[:len(stack)-1]
		}
		var around []string
		for _, o := range stack {
			around = append(around, o.text)
		}
		norm := strings.ReplaceAll(strings.Join(strings.Fields(text), " "), `"`, `'`)
		if strings.Trim(norm, "}])end; ") != "" {
			out = append(out, statement{norm, strings.Join(around, " > "), i + 1})
		}
		stack = append(stack, open{indent, norm})
		if len(stack) > maxDepth {
			stack = stack[1:]
		}
	}
	return out
}

// indentOf is how far a line is indented; a tab counts as four spaces.
func indentOf(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case '\t':
			n += 4
		case ' ':
			n++
		default:
			return n
		}
	}
	return n
}

// buildPattern is a statement of a build script that matters to tests.
type buildPattern struct {
	match  *regexp.Regexp
	effect effect
	kind   violation.Kind
}

// buildPatterns are for Gradle, Rake, nox, Jenkins, sbt and SimpleCov.
func buildPatterns() []buildPattern {
	p := func(e effect, k violation.Kind, expr string) buildPattern {
		return buildPattern{regexp.MustCompile(expr), e, k}
	}
	return []buildPattern{
		p(loose, violation.ConfigNarrowed, `(?i)ignoreFailures\b.*\btrue|setIgnoreFailures\(true|catchError|returnStatus:\s*true|ignore_exit_value|continue_on_failure`),
		p(loose, violation.TestScriptNeutered, `\|\|\s*(?:true|echo|:|exit 0)|fail_on_error\s*=\s*false|success_codes|\bexit\(?\s*0|rescue\b|;\s*true\b`),
		p(filter, violation.ConfigNarrowed, `(?i)excludeTestsMatching|includeTestsMatching|exclude(?:Tags|Engines|Categories|Groups)|include(?:Tags|Engines|Categories|Groups)|excludedTask|onlyIf\b|exclude_pattern|Tests\.(?:Filter|Exclude)|filter_run|failOnNoMatchingTests\s*=\s*false|test\.enabled|isFailOnNoMatchingTests`),
		p(retries, violation.RetriesAdded, `(?i)\bretry\b|maxRetries|rerun`),
		p(threshold, violation.ThresholdLowered, `(?i)\bminimum(?:_coverage\w*)?\b|minBound|fail_under|maximum_coverage_drop|refuse_coverage_drop`),
		p(strict, violation.ConfigNarrowed, `useJUnitPlatform|useTestNG|finalizedBy.*[cC]overage|dependsOn.*(?:[tT]est|[cC]overage)|failOnPassedAfterRetry`),
	}
}

var (
	testContext    = regexp.MustCompile(`(?i)\btest\b|<Test>|Test\)|jacoco|kover|RSpec|TestTask|\bspec\b|tests?\s*[({]`)
	harmlessInTest = regexp.MustCompile(`(?i)testLogging|events?\b|exceptionFormat|showStandard|maxParallelForks|forkEvery|maxHeapSize|minHeapSize|reports?\b|html\b|xml\b|description|group\b|verbose|warning|implementation|compile|runtimeOnly|logger|println|failFast|libs\b|^\}|^\)|outputs?\.|finalizedBy.*[rR]eport|desc\b|archiveArtifacts|junit\b`)
	quotedText     = regexp.MustCompile(`'([^']{2,1000})'`)
)

package rules

import (
	"slices"

	"workflow-reviewer/internal/workflow"
)

// finders are the checks of the rules by their ids, but for those that only look for a pattern.
func finders() map[string]func(*subject) workflow.Check {
	code := (*subject).code
	// who runs the project's own tools has a shell
	tools := func(s *subject) []*source { return slices.DeleteFunc(s.code(), (*source).isTool) }
	return map[string]func(*subject) workflow.Check{
		"implementation/test-results": testResults, "bug-fix/test-results": testResults, "bug-fix/no-report": issues(noReport),
		"bug-fix/no-fix": issues(noFix), "bug-fix/no-sentinel-test": noSentinel, "bug-fix/sentinel-asserts": sentinelAssertions,
		"code/conflict-marker": issues(conflictMarkers), "code/stub-left": issues(news(stubsLeft)), "code/secret": issues(secrets),
		"skeleton/emptied":  issues(emptied),
		"code/dynamic-code": issues(news(inDanger(code, ofCode))), "code/shell-injection": issues(news(inDanger(tools, ofShell))),
		"code/sql-concatenation": issues(news(inDanger(code, ofStatement))), "code/unsafe-html": issues(news(inDanger(code, ofPage))),
		"code/swallowed-error": issues(news(swallowed)),
		"code/debug-leftover":  issues(news(linesOf(code, "Debugging code is left", debugging))),
		"code/workflow-path":   issues(linesOf((*subject).everySource, "The code names a document that moves", workflowPaths)),
		"code/todo-added":      issues(linesOf(code, "A note of unfinished work is added", todoComments)),
		"code/oversized-file":  issues(oversized), "code/import-cycle": issues(cycles), "code/untyped": issues(untyped),
		"code/dimensions": inDimensions, "artifact/unreadable": unreadable, "document/too-short": issues(tooShort),
		"document/placeholder":       ofDocument(placeholders),
		"document/duplicate-heading": ofDocument(duplicateHeadings), "document/broken-link": ofDocument(brokenLinks),
		"document/contradiction": ofDocument(contradictions), "tests/coverage": coverageGate,
		"implementation/no-tests": issues(noFeatureTests), "spec/requirement-without-scenario": ofDocument(withoutScenario),
		"scope/no-in-scope":     without(func(d *document) bool { in, _ := d.scopeLists(); return len(in) > 0 }),
		"scope/no-out-of-scope": lacks(excludes),
		"scope/no-vision":       issues(noVision), "roadmap/no-features": without(func(d *document) bool { return len(d.features()) > 0 }),
		"roadmap/no-order": without((*document).ordered), "roadmap/out-of-scope": plannedOutOfScope,
		"skeleton/missing-name": againstSpec(missingNames), "spec/no-acceptance-criteria": noCriteria,
		"spec/criterion-not-testable": ofDocument(untestable), "spec/no-interface": without((*document).hasInterface),
		"spec/value-without-criterion": againstSpec(valuesWithoutCriterion), "document/stated-count": againstSpec(miscounted),
		"document/schema": againstSchema, "skeleton/parameters": againstSpec(otherParameters),
		"tests/spec-criteria-uncovered": againstSpec(uncitedCriteria), "tests/value-uncovered": againstSpec(valuesWithoutTest),
		"tests/only-imports": issues(onlyImports), "spec/open-question": ofDocument(openQuestions), "spec/not-in-roadmap": notInRoadmap,
		"spec/bundle-incomplete": issues(bundleIncomplete), "spec/broken-chain": brokenChain, "spec/quality-score": qualityScore,
		"tests/none": issues(noTests), "tests/empty": issues(emptyTests), "tests/no-assertion": issues(assertionless),
		"tests/tautology": issues(tautologies), "tests/shadowed": issues(shadowed),
		"tests/focused": issues(inTests("A focused test switches the others off", focusOf)), "tests/skipped": issues(skippedTests),
	}
}

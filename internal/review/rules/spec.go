package rules

import (
	"regexp"

	"workflow-reviewer/internal/workflow"
)

func specRules() []rule {
	types := only(workflow.Spec)
	return []rule{
		{
			Rule: Rule{
				ID: "spec/no-acceptance-criteria", Types: types, Severity: workflow.High, Criterion: "Testability",
				Title:       "The spec has no acceptance criteria",
				Explanation: "Tests are derived from acceptance criteria: a section of that name or one like it (success criteria, definition of done, scenarios, expected behaviour), or Given/When/Then. A spec that states at least three requirements with MUST or SHALL but no criteria gets a Medium.",
			},
			pass: "it has acceptance criteria",
			fix:  "Add a section \"Acceptance criteria\" that lists, for each promised behaviour, what can be observed when it works.",
			run:  issues(noCriteria),
		},
		{
			Rule: Rule{
				ID: "spec/criterion-not-testable", Types: types, Severity: workflow.Medium, Criterion: "Testability",
				Title:       "A criterion cannot be tested",
				Explanation: "A criterion that rests on a word such as \"fast\", \"properly\" or \"user-friendly\", without a number, name or quoted value beside it, has no outcome that a test could assert.",
			},
			pass: "every criterion can be tested",
			fix:  "Replace the word by what can be observed: a value, a status, a message, a limit in numbers.",
			run:  issues(untestable),
		},
		{
			Rule: Rule{
				ID: "spec/vague-term", Types: types, Severity: workflow.Low, Criterion: "Clarity",
				Title:       "A requirement is vague",
				Explanation: "A sentence that demands something (must, shall, should, will, needs to) rests on a word such as \"fast\" or \"user-friendly\". Sentences that give a number, a name or a value are left alone.",
			},
			pass: "requirements are definite",
			fix:  "Say how much, how long, or under which conditions.",
			run:  issues(vagueTerms),
		},
		{
			Rule: Rule{
				ID: "spec/no-purpose", Types: types, Severity: workflow.Medium, Criterion: "Completeness",
				Title:       "The spec does not say what it is for",
				Explanation: "A purpose, overview, summary or user story, or an opening paragraph of ten words or more, tells a reader what the feature does.",
			},
			pass: "it says what it is for",
			fix:  "Open with a paragraph that says what the feature does, and for whom.",
			run:  issues(noPurpose),
		},
		{
			Rule: Rule{
				ID: "spec/no-interface", Types: types, Severity: workflow.Medium, Criterion: "Interfaces",
				Title:       "The spec describes no interface",
				Explanation: "Tests call something: a function, an endpoint, a command, a page. A section on it, a code block, or names in code style are enough.",
			},
			pass: "it describes an interface",
			fix:  "Name what is called, with its inputs, outputs and their types.",
			run:  issues(noInterface),
		},
		{
			Rule: Rule{
				ID: "spec/no-edge-cases", Types: types, Severity: workflow.Medium, Criterion: "Completeness",
				Title:       "The spec speaks of no edge case",
				Explanation: "Empty, missing, duplicate, too large, concurrent: what happens at the limits is what implementations differ in.",
			},
			pass: "edge cases are mentioned",
			fix:  "Add a section \"Edge cases\" and say what happens in each.",
			run:  lacks(regexp.MustCompile(`(?i)\b(?:edge|corner|special|boundary) (?:cases?|conditions?|values?)\b|\bboundar(?:y|ies)\b|\blimits?\b|\bempty\b|\bmissing\b|\bduplicates?\b|\bmaximum\b|\bminimum\b|\bat most\b|\bat least\b|\bconcurren\w+|\binvalid\b|\balready\b|\bnone\b|\bnull\b|\bzero\b|\bunknown\b|\bexpired?\b|\btime-?outs?\b|\btoo (?:long|large|many|short|few)\b|\botherwise\b|\bdo(?:es)? not exist|\bno \w+ (?:is|are|exists?)\b|\bwhen no\b|\babsent\b|\bunset\b|\bfalls? back\b|\bif (?:no|not|the .{1,40} (?:is not|does not|fails))\b`)),
		},
		{
			Rule: Rule{
				ID: "spec/no-error-handling", Types: types, Severity: workflow.Medium, Criterion: "Completeness",
				Title:       "The spec does not say what happens on errors",
				Explanation: "Somewhere a spec must say what a caller or user sees when the feature cannot do what was asked.",
			},
			pass: "errors are mentioned",
			fix:  "Add a section \"Error handling\": for each way to fail, what is returned, shown or logged, and what is left unchanged.",
			run:  lacks(regexp.MustCompile(`(?i)\berrors?\b|\bfail(?:s|ed|ure|ures|ing)?\b|\breject(?:s|ed|ion)?\b|\bexceptions?\b|\b\w+(?:Error|Exception)\b|\braises?\b|\bthrows?\b|\bden(?:y|ied|ies)\b|\brefuse[sd]?\b|\binvalid\b|\bnot found\b|\bunavailable\b|\b[45]\d\d\b|\bwarn(?:s|ing|ings)?\b|\bpanics?\b|\bretr(?:y|ies)\b|\bcannot\b|\bunable\b|\babort\w*|\bexit (?:code|status)|\bnon-?zero\b|\bunsupported\b|\bconflicts?\b`)),
		},
		{
			Rule: Rule{
				ID: "spec/out-of-scope-missing", Types: types, Severity: workflow.Low, Criterion: "Completeness",
				Title:       "The spec does not say what is out of scope",
				Explanation: "Naming what the feature will not do keeps tests and code from growing beyond it.",
			},
			pass: "it says what is out of scope",
			fix:  "Add a section \"Out of scope\", or a sentence that nothing is excluded.",
			run:  lacks(regexp.MustCompile(excludes.String() + `|(?i)\bfuture (?:work|enhancements?|versions?|considerations?)\b|\blimitations?\b|\bdo(?:es)? not (?:cover|support|change)\b`)),
		},
		{
			Rule: Rule{
				ID: "spec/open-question", Types: types, Severity: workflow.Medium, Criterion: "Clarity",
				Title:       "A question is still open",
				Explanation: "What stands under \"Open questions\" is not decided; whoever writes the tests will have to decide it. Points marked as resolved, decided or answered are left alone.",
			},
			pass: "no question is left open",
			fix:  "Decide it and move the answer to where it belongs, or say that it does not matter for this version.",
			run:  issues(openQuestions),
		},
		{
			Rule: Rule{
				ID: "spec/not-in-roadmap", Types: types, Severity: workflow.Medium, Criterion: "Alignment",
				Title:       "The roadmap does not name this feature",
				Explanation: "The words of the spec's file name or title must occur together in one heading, list item, row or paragraph of ROADMAP.md. Without ROADMAP.md there is nothing to compare with.",
			},
			pass: "the roadmap names the feature",
			fix:  "Add the feature to ROADMAP.md, or name the spec as the roadmap does.",
			run:  notInRoadmap,
		},
		{
			Rule: Rule{
				ID: "spec/quality-score", Types: types, Severity: workflow.Low, Criterion: "Quality score",
				Title:       "The spec's quality score is low",
				Explanation: "A score from 0 to 100 of completeness (40 %), testability (30 %), clarity (20 %) and consistency (10 %), taken from the other rules: PASS from 80, REVIEW from 50, else FAIL. It informs; it decides nothing.",
			},
			pass: "the quality score is high",
			fix:  "Work on the findings above.",
			run:  qualityScore,
		},
	}
}

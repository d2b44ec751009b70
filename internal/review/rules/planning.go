package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// lacks makes a rule of a document that must speak of something, in a heading
// or in its text.
func lacks(re *regexp.Regexp) func(*subject) workflow.Check {
	return issues(func(s *subject) []workflow.Issue {
		d := s.main()
		if d == nil || d.has(re) {
			return nil
		}
		return []workflow.Issue{{File: d.path, Line: 1}}
	})
}

func visionRules() []rule {
	types := only(workflow.Vision)
	return []rule{
		{
			Rule: Rule{
				ID: "vision/no-problem", Types: types, Severity: workflow.High, Criterion: "Problem",
				Title:       "The vision names no problem",
				Explanation: "A vision must say what is wrong or missing today, for somebody. Without it nothing later can be judged to be needed.",
			},
			pass: "it speaks of the problem",
			fix:  "Add a section that says what is hard, slow, missing or wrong today, and why it matters.",
			run:  lacks(regexp.MustCompile(`(?i)\bproblems?\b|\bpains?\b|\bwhy\b|\bmotivation\b|\bchallenges?\b|\bneeds?\b|\bbecause\b|\btoday\b|\bcurrently\b|\bstruggl|\bdifficult|\bhard\b|\black(?:s|ing)?\b|\bfrustrat|\bopportunit|\brationale\b|\bbackground\b|\bmissing\b|\bwithout\b|\btedious|\berror-prone`)),
		},
		{
			Rule: Rule{
				ID: "vision/no-audience", Types: types, Severity: workflow.Medium, Criterion: "Audience",
				Title:       "The vision does not say for whom",
				Explanation: "Somebody must be named who has the problem: users, developers, teams, customers.",
			},
			pass: "it says for whom",
			fix:  "Name who is to gain from it, as narrowly as you can.",
			run:  lacks(regexp.MustCompile(`(?i)\busers?\b|\baudience\b|\bcustomers?\b|\bdevelopers?\b|\bteams?\b|\bpeople\b|\bwho\b|\bpersonas?\b|\bstakeholders?\b|\bengineers?\b|\bcommunit(?:y|ies)\b|\boperators?\b|\bcompan(?:y|ies)\b|\bstudents?\b|\bresearchers?\b|\bmaintainers?\b|\bcontributors?\b|\bbusinesses\b|\borgani[sz]ations?\b|\bprogrammers?\b|\bauthors?\b|\bwriters?\b|\banalysts?\b|\bfamil(?:y|ies)\b|\bpatients?\b|\bplayers?\b|\bshops?\b`)),
		},
		{
			Rule: Rule{
				ID: "vision/no-success-measure", Types: types, Severity: workflow.Medium, Criterion: "Success",
				Title:       "The vision does not say what success looks like",
				Explanation: "A reader must be able to tell, later, whether the vision came true: a measure, a number, a state of the world.",
			},
			pass: "it says what success is",
			fix:  "Add two or three measures of success: a number, a date, something that can be observed.",
			run:  lacks(regexp.MustCompile(`(?i)\bsuccess\w*\b|\bmetrics?\b|\bmeasur\w+|\bkpis?\b|\boutcomes?\b|\bobjectives?\b|\bgoals?\b|\bokrs?\b|\btargets?\b|\d+\s?%|\bwe(?:'ll| will) know\b|\b(?:under|within|less than|at least|more than|fewer than) \d+`)),
		},
	}
}

func scopeRules() []rule {
	types := only(workflow.Scope)
	return []rule{
		{
			Rule: Rule{
				ID: "scope/no-in-scope", Types: types, Severity: workflow.High, Criterion: "Boundaries",
				Title:       "Nothing is listed as in scope",
				Explanation: "A scope must list what is going to be built: a section such as \"In scope\", \"Goals\" or \"Features\" with at least one point.",
			},
			pass: "it lists what is in scope",
			fix:  "Add a section \"In scope\" and list what will be built, one point a line.",
			run:  issues(noInScope),
		},
		{
			Rule: Rule{
				ID: "scope/no-out-of-scope", Types: types, Severity: workflow.Medium, Criterion: "Boundaries",
				Title:       "Nothing is listed as out of scope",
				Explanation: "What is left out is half of a scope: without it every later wish can be argued to be included.",
			},
			pass: "it says what is out of scope",
			fix:  "Add a section \"Out of scope\" and list what a reader might expect but will not get.",
			run:  lacks(excludes),
		},
		{
			Rule: Rule{
				ID: "scope/no-constraints", Types: types, Severity: workflow.Low, Criterion: "Boundaries",
				Title:       "No constraint is named",
				Explanation: "Platforms, compatibility, budget, time, rules and dependencies limit every project. A scope that names none was not asked.",
			},
			pass: "it names constraints",
			fix:  "Name what cannot be chosen freely: platform, versions, budget, dates, regulations; or say that there is nothing.",
			run:  lacks(regexp.MustCompile(`(?i)\bconstrain\w*|\bassumptions?\b|\bdependenc(?:y|ies)\b|\blimit\w*|\brequire[sd]?\b|\brequirements?\b|\bmust\b|\bbudget\b|\bdeadline\b|\bcompatib\w+|\bplatforms?\b|\bonly\b|\brisks?\b`)),
		},
		{
			Rule: Rule{
				ID: "scope/no-vision", Types: types, Severity: workflow.Low, Criterion: "Alignment",
				Title:       "There is no VISION.md to hold the scope against",
				Explanation: "A scope narrows a vision. It is looked for in the root, docs/ and planning/.",
			},
			pass: "VISION.md is there",
			fix:  "Commit VISION.md, or say in the scope what the project is for.",
			run:  issues(noVision),
		},
	}
}

func noInScope(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	if in, _ := d.scopeLists(); len(in) > 0 {
		return nil
	}
	return []workflow.Issue{{File: d.path, Line: 1}}
}

func noVision(s *subject) []workflow.Issue {
	if d := s.main(); d == nil || s.related("VISION.md") != nil {
		return nil
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}

func roadmapRules() []rule {
	types := only(workflow.Roadmap)
	return []rule{
		{
			Rule: Rule{
				ID: "roadmap/no-features", Types: types, Severity: workflow.High, Criterion: "Features",
				Title:       "The roadmap lists no features",
				Explanation: "A roadmap must enumerate features or milestones, as headings, list items or table rows: specs refer to them by name.",
			},
			pass: "features are listed",
			fix:  "List the features, each under a heading or as a list item of its own.",
			run:  issues(noFeatures),
		},
		{
			Rule: Rule{
				ID: "roadmap/no-outcome", Types: types, Severity: workflow.Medium, Criterion: "Features",
				Title:       "No feature says what it achieves",
				Explanation: "Somewhere a roadmap must say what is gained or when a feature is done: an outcome, a goal, a criterion, a benefit.",
			},
			pass: "outcomes are named",
			fix:  "Say for each feature what a user can do afterwards, or when it counts as done.",
			run:  lacks(regexp.MustCompile(`(?i)\boutcomes?\b|\bacceptance\b|\bcriteri(?:a|on)\b|\bgoals?\b|\bdeliver\w*|\bdone when\b|\bso that\b|\bbenefits?\b|\bvalue\b|\bobjectives?\b|\bresults?\b|\bsuccess\b|\bto (?:allow|enable|let|help|make|support|improve|reduce)\b|\b(?:allows?|enables?|lets?|helps?|improves?|reduces?)\b|\bcan\b|\bpurpose\b|\bwhy\b|\bdefinition of done\b`)),
		},
		{
			Rule: Rule{
				ID: "roadmap/no-order", Types: types, Severity: workflow.Low, Criterion: "Order",
				Title:       "The features have no order",
				Explanation: "A roadmap says what comes first: phases, milestones, versions, dates, priorities, numbers or dependencies.",
			},
			pass: "the features are ordered",
			fix:  "Group the features by phase, version or date, or number them by priority.",
			run:  issues(noOrder),
		},
		{
			Rule: Rule{
				ID: "roadmap/out-of-scope", Types: types, Severity: workflow.Medium, Criterion: "Alignment",
				Title:       "A feature is out of scope",
				Explanation: "A point of the roadmap stands, in the same words, in SCOPE.md's list of what is out of scope. Without SCOPE.md there is nothing to compare with.",
			},
			pass: "nothing that SCOPE.md excludes is planned",
			fix:  "Take the feature out of the roadmap, or change SCOPE.md first.",
			run:  plannedOutOfScope,
		},
	}
}

// frame matches headings that a roadmap has besides its features.
var frame = regexp.MustCompile(`(?i)^(?:overview|introduction|about|legend|status|summary|contents|table of contents|notes?|changelog|references|contributing|links|feedback|goals?|principles|vision|risks?|out of scope|non-goals)$`)

// features lists what a roadmap enumerates: headings below its title, list
// items and table rows.
func (d *document) features() []block {
	var out []block
	titles := 0
	for _, sec := range d.sections {
		if sec.level == 1 {
			titles++
		}
		if sec.level > 1 && sec.level < labelLevel || sec.level == 1 && titles > 1 {
			if !frame.MatchString(sec.title) {
				out = append(out, block{kind: paragraph, text: sec.title, plain: sec.title, line: sec.line})
			}
		}
		for _, b := range sec.blocks {
			if b.kind == item || b.kind == row && !ruler.MatchString(b.text) {
				out = append(out, b)
			}
		}
	}
	return out
}

func noFeatures(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil || len(d.features()) > 0 {
		return nil
	}
	return []workflow.Issue{{File: d.path, Line: 1}}
}

var (
	ordering = regexp.MustCompile(`(?i)\bphases?\b|\bmilestones?\b|\bq[1-4]\b|\bh[12]\b|\bv?\d+\.\d+|\b20\d\d\b|\bsprints?\b|\bpriorit\w+|\bp[0-3]\b|\bnow\b|\bnext\b|\blater\b|\b(?:short|mid|medium|long)[ -]term\b|\bdepend\w*|\bfirst\b|\bthen\b|\bafter\b|\bbefore\b|\bweeks?\b|\bmonths?\b|\bstages?\b|\bsteps?\b|\brelease\b|\bmvp\b|\bnear\b|\bfuture\b|\bbacklog\b|\bcurrent\b|\bin progress\b|\bdone\b|\bcompleted\b`)
	numbered = regexp.MustCompile(`^(?:\d{1,2}[.):]|(?:feature|item|epic|f|r)[ -]?#?\d)`)
)

func noOrder(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil || d.has(ordering) {
		return nil
	}
	for _, sec := range d.sections {
		if numbered.MatchString(strings.ToLower(sec.raw)) {
			return nil
		}
	}
	return []workflow.Issue{{File: d.path, Line: 1}}
}

func plannedOutOfScope(s *subject) workflow.Check {
	d, scope := s.main(), s.related("SCOPE.md")
	if d == nil || scope == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "SCOPE.md: not found"}
	}
	_, excluded := scope.scopeLists()
	var out []workflow.Issue
	for _, f := range d.features() {
		for _, b := range excluded {
			if p := phrase(b.text); len(p) > 3 && p == phrase(f.text) {
				out = append(out, workflow.Issue{File: d.path, Line: f.line, Title: fmt.Sprintf("%q is out of scope (%s:%d)", cutLine(p, 60), scope.path, b.line)})
			}
		}
	}
	return workflow.Check{Issues: out}
}

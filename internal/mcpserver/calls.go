package mcpserver

import "workflow-reviewer/internal/workflow"

// ReviewCall holds the arguments of the review tools; each takes the common parameters and
// some of the others. Paths are slash-separated, from the repository's root.
type ReviewCall struct {
	Type workflow.Type `json:"-"`

	VisionPath          string   `json:"vision_path,omitempty"          jsonschema:"path of the vision document"`
	ScopePath           string   `json:"scope_path,omitempty"           jsonschema:"path of the scope document"`
	RoadmapPath         string   `json:"roadmap_path,omitempty"         jsonschema:"path of the roadmap"`
	SpecPath            string   `json:"spec_path,omitempty"            jsonschema:"path of the spec, such as specs/doing/login.md"`
	SkeletonFiles       []string `json:"skeleton_files,omitempty"       jsonschema:"paths of the skeleton's files"`
	TestFiles           []string `json:"test_files,omitempty"           jsonschema:"paths of the test files"`
	ImplementationFiles []string `json:"implementation_files,omitempty" jsonschema:"paths of the implementation's files"`
	BugReportPath       string   `json:"bug_report_path,omitempty"      jsonschema:"path of the bug report, such as bugs/fixing/crash.md"`
	FixFiles            []string `json:"fix_files,omitempty"            jsonschema:"paths of the files that fix the bug"`
	SentinelTest        string   `json:"sentinel_test,omitempty"        jsonschema:"path of the regression test"`
	TestResults         string   `json:"test_results,omitempty"         jsonschema:"glob of JUnit XML or 'go test -json', 'all passing', or what the runner printed"`
	CoverageReport      string   `json:"coverage_report,omitempty"      jsonschema:"glob of Cobertura, lcov, Go cover or JaCoCo files"`

	AutoMoveOnApproval bool `json:"auto_move_on_approval,omitempty" jsonschema:"move the document on in the work tree if it is approved"`
	AutoMoveToDone     bool `json:"auto_move_to_done,omitempty"     jsonschema:"move the spec to specs/done in the work tree if approved"`
	AutoMoveToFixed    bool `json:"auto_move_to_fixed,omitempty"    jsonschema:"move the report to bugs/fixed in the work tree if approved"`

	Path            string `json:"path,omitempty"             jsonschema:"a file of it, instead"`
	Feature         string `json:"feature,omitempty"          jsonschema:"instead of a path"`
	Revision        string `json:"revision,omitempty"         jsonschema:"default: the work tree"`
	Base            string `json:"base,omitempty"             jsonschema:"default: the default branch"`
	ReasoningEffort string `json:"reasoning_effort,omitempty" jsonschema:"default: high"`
}

// ReviewAnswer is one finished review.
type ReviewAnswer struct {
	Decision        string `json:"decision"`
	ReviewPath      string `json:"review_path"`
	ArtifactMovedTo string `json:"artifact_moved_to,omitempty"`
	Summary         string `json:"summary"`
	Type            string `json:"type"`
	Feature         string `json:"feature"`

	Requirements []workflow.Requirement `json:"requirements"`
	Issues       []workflow.Finding     `json:"issues"`
	Violations   workflow.Violations    `json:"violations"`
	Weakened     workflow.Violations    `json:"weakened"`
	Coverage     *Coverage              `json:"coverage,omitempty"`
	Verdict      workflow.Verdict       `json:"verdict"`

	Warnings []string `json:"warnings,omitempty"`
	Notices  []string `json:"notices,omitempty"`

	Engine    string          `json:"engine"`
	Iteration int             `json:"iteration"`
	Cached    bool            `json:"cached"`
	Tokens    workflow.Tokens `json:"tokens"`
}

// Coverage holds the figures of a coverage report, in percent.
type Coverage struct {
	Line           float64 `json:"line_coverage"`
	Branch         float64 `json:"branch_coverage"`
	MeetsThreshold bool    `json:"meets_threshold"`
}

// TestCall asks about a test that blocks an implementer.
type TestCall struct {
	TestFile string `json:"test_file,omitempty"            jsonschema:"path of the test file, from the repository's root"`
	Path     string `json:"path,omitempty"                 jsonschema:"synonym"`
	TestName string `json:"test_name,omitempty"            jsonschema:"the test's name, such as test_login_invalid_email"`
	Line     int    `json:"line,omitempty"                 jsonschema:"a line of the test, instead of its name"`
	Conflict string `json:"conflict,omitempty"             jsonschema:"what seems wrong: what the test demands and what the spec says"`
	Reason   string `json:"reason,omitempty"               jsonschema:"synonym"`
	// ConflictDescription is another name that callers know it by.
	ConflictDescription string        `json:"conflict_description,omitempty" jsonschema:"synonym"`
	SpecPath            string        `json:"spec_path,omitempty"            jsonschema:"path of the spec; without it that of the test's feature"`
	Evidence            *TestEvidence `json:"evidence,omitempty"`
}

// TestEvidence holds the quotations of an implementer.
type TestEvidence struct {
	SpecQuote string `json:"spec_quote,omitempty" jsonschema:"what the spec says"`
	TestCode  string `json:"test_code,omitempty"  jsonschema:"what the test says"`
}

// TestAnswer is the answer to a TestCall.
type TestAnswer struct {
	Answer        string          `json:"answer"`
	Decision      string          `json:"decision"`
	Explanation   string          `json:"explanation"`
	SpecReference string          `json:"spec_reference"`
	SpecQuote     string          `json:"spec_quote,omitempty"`
	Fix           string          `json:"fix,omitempty"`
	Next          string          `json:"next"`
	Tokens        workflow.Tokens `json:"tokens"`
}

// CreateCall is a review of the caller's own.
type CreateCall struct {
	ChangeID    string        `json:"change_id"              jsonschema:"the change that was reviewed"`
	Verdict     string        `json:"verdict"`
	Summary     string        `json:"summary"                jsonschema:"what was changed and what the review found"`
	TestResults *TestCounts   `json:"test_results,omitempty"`
	Issues      []CreateIssue `json:"issues,omitempty"`
}

// TestCounts counts tests.
type TestCounts struct {
	Passed *int `json:"passed,omitempty"`
	Failed *int `json:"failed,omitempty"`
	Total  *int `json:"total,omitempty"  jsonschema:"at least the sum of the others"`
}

// CreateIssue is a finding of a CreateCall.
type CreateIssue struct {
	Title          string `json:"title"`
	Severity       string `json:"severity"`
	Category       string `json:"category"                 jsonschema:"such as correctness, security, testing, or Bug, Style"`
	File           string `json:"file,omitempty"           jsonschema:"path from the repository's root"`
	Line           int    `json:"line,omitempty"           jsonschema:"from 1; needs file"`
	Description    string `json:"description"`
	Recommendation string `json:"recommendation,omitempty"`
}

// CreateAnswer says where a review was written.
type CreateAnswer struct {
	Path     string `json:"path"`
	Verdict  string `json:"verdict"`
	Issues   int    `json:"issues"`
	Replaced bool   `json:"replaced"`
	Message  string `json:"message"`
}

// IntegrityCall asks whether approved tests are intact.
type IntegrityCall struct {
	Feature  string   `json:"feature,omitempty"  jsonschema:"only the tests of this feature"`
	Revision string   `json:"revision,omitempty" jsonschema:"default: the work tree"`
	Base     string   `json:"base,omitempty"     jsonschema:"whose approval records count; default: the default branch"`
	Approved string   `json:"approved,omitempty" jsonschema:"a revision whose tests are taken as approved, instead of base"`
	Evidence []string `json:"evidence,omitempty" jsonschema:"files that prove wrote, by their paths in the repository; evidence is of a commit, so name it in revision"`
}

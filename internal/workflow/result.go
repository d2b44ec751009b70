package workflow

import (
	"fmt"
	"slices"
	"time"
)

// Grade is the outcome of one criterion.
type Grade string

// The grades; a Fail forbids approval.
const (
	Pass    Grade = "PASS"
	Concern Grade = "CONCERN"
	Fail    Grade = "FAIL"
)

// Criterion is one row of the evaluation.
type Criterion struct {
	Name     string `json:"name"`
	Grade    Grade  `json:"result"`
	Finding  string `json:"finding"`
	Evidence string `json:"evidence"`
	Impact   string `json:"impact"`
}

// Previous is what became of an earlier review's issue.
type Previous struct {
	Title    string `json:"title"`
	Resolved bool   `json:"resolved"`
	Note     string `json:"note"`
	// ID is that of the issue, "" where it is not known; Dismissed says that a person set it aside.
	ID        string `json:"id,omitempty"`
	Dismissed bool   `json:"dismissed,omitempty"`
}

// IsOpen reports whether nobody says that it is settled.
func (p Previous) IsOpen() bool { return !p.Resolved && !p.Dismissed }

// IsAbout reports whether it tells of a finding: by its id, or by its title where earlier versions
// knew no ids.
func (p Previous) IsAbout(f Finding) bool {
	return f.Key != "" && f.Key == p.ID || PlainWords(f.Title) == PlainWords(p.Title)
}

// Check is one automated check: what ran and what it found.
type Check struct {
	ID      string    `json:"id"`      // stable, "spec/no-acceptance-criteria", "tests/coverage"
	Outcome Outcome   `json:"outcome"` // of this check alone
	Summary string    `json:"summary"` // one line
	Issues  []Finding `json:"issues,omitempty"`
	// Figures are what it measured, by name: counts, and percentages from 0 to 100.
	Figures map[string]float64 `json:"figures,omitempty"`
	// Inapplicable marks a check that did not look because there is nothing of the kind that it is
	// about.
	Inapplicable bool `json:"-"`
	// Gate marks a check whose failure decides the review whatever the model
	// says: failing tests, coverage below its threshold.
	Gate bool `json:"gate,omitempty"`
}

// Outcome is what a check came to.
type Outcome string

// The outcomes of a check.
const (
	Passed    Outcome = "passed"
	Failed    Outcome = "failed"
	NotLooked Outcome = "not looked at" // why stands in the summary
	Noted     Outcome = "noted"         // worth a look, not a failure
)

// Integrity is what the check of approved tests came to for one review.
type Integrity struct {
	Verdict string `json:"verdict"` // clean, breach, failing, workaround, unverifiable, no-baseline
	// Unapproved is set where tests that the change has to do with, or all, lack an approval. It is
	// not written down.
	Unapproved bool `json:"-"`
	// Compared says in sentences what was compared with what, and how far the baseline is trusted.
	Compared []string `json:"compared"`
	Harmless []string `json:"harmless,omitempty"` // what differs, and why that is harmless
	// "path: why", any difference counts there
	NotAnalysed []string   `json:"not_analysed,omitempty"`
	Excused     Violations `json:"excused,omitempty"` // that the base allows
	// Proof is what running the approved tests came to, nil without evidence.
	Proof *Proof `json:"proof,omitempty"`
	// Findings do not decide: the reviewer is to examine them.
	Findings Violations `json:"findings,omitempty"`
	// Questions are what the reviewer must answer, each.
	Questions Questions `json:"questions,omitempty"`
	// Approval is the git blob id of the approval record that was written with this review, "" for
	// none.
	Approval string `json:"approval,omitempty"`
	// Approves are the files of that record, "path (role)"; TakenOver are those of
	// them that were on the base before and that this review was not about.
	Approves  []string `json:"approves,omitempty"`
	TakenOver []string `json:"taken_over,omitempty"`
	// NotRecorded says why approved tests did not become the baseline of their
	// feature, "" if they did or nothing was approved.
	NotRecorded string `json:"not_recorded,omitempty"`
}

// Proof is what running the approved tests on the head came to, by the evidence that was given.
type Proof struct {
	Outcome string `json:"outcome"` // passed, failed, not run
	// results tell the tests apart; else the exit status alone is known
	Counted bool `json:"counted"`
	Run     int  `json:"run"`
	Passed  int  `json:"passed"`
	Failed  int  `json:"failed"`
	Skipped int  `json:"skipped"`
	// Failures are the first of the tests that failed.
	Failures []FailedTest `json:"failures,omitempty"`
	// Why says in sentences what is wrong with a run that failed, and why evidence does not count.
	Why []string `json:"why,omitempty"`
}

// FailedTest is an approved test that the head does not pass.
type FailedTest struct {
	Name    string `json:"name"`
	File    string `json:"file"` // "" where it is not known
	Message string `json:"message"`
	Before  bool   `json:"before"` // it fails without the change as well
}

// String is the proof in a sentence.
func (p Proof) String() string {
	switch {
	case p.Outcome == "not run":
		return "No evidence counts that the approved tests were run on this head."
	case p.Outcome == "failed":
		return "The approved tests ran on this head, and do not pass."
	case !p.Counted:
		return "The approved tests ran on this head and pass, " +
			"by the exit status of the command alone."
	}
	text := "The approved tests ran on this head and pass: " + Count(p.Run, "test")
	if p.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", p.Skipped)
	}
	if n := len(p.Failures); n > 0 {
		text += fmt.Sprintf(", but for %d that fail without the change as well", n)
	}
	return text + "."
}

// QuestionAnswer is what a reviewer can say of a question.
type QuestionAnswer string

// The answers to a question of test integrity, and to one of a built-in check
// (kind "check"): whether its finding is a problem of the change.
const (
	Honest    QuestionAnswer = "honest"
	Cheat     QuestionAnswer = "cheat"
	Refuted   QuestionAnswer = "refuted"
	Confirmed QuestionAnswer = "confirmed"
)

// Settles reports whether an answer leaves nothing open.
func (a QuestionAnswer) Settles() bool { return a == Honest || a == Refuted }

// Against reports whether an answer forbids an approval.
func (a QuestionAnswer) Against() bool { return a == Cheat || a == Confirmed }

// Tokens counts what a review used; Cached is part of Input and Reasoning is
// part of Output, as the Responses API counts them.
type Tokens struct {
	Input     int64 `json:"input" yaml:"input"`
	Cached    int64 `json:"cached" yaml:"cached"`
	Output    int64 `json:"output" yaml:"output"`
	Reasoning int64 `json:"reasoning" yaml:"reasoning"`
}

// Add returns the sum.
func (t Tokens) Add(u Tokens) Tokens {
	return Tokens{
		t.Input + u.Input, t.Cached + u.Cached, t.Output + u.Output,
		t.Reasoning + u.Reasoning,
	}
}

// Total is what a budget counts: input and output.
func (t Tokens) Total() int64 { return t.Input + t.Output }

// Failure says why a review did not run to its end.
type Failure struct {
	// authentication, quota, rate-limit, timeout, transport, answer, budget, cancelled,
	// configuration, integrity, internal, commit
	Class   string `json:"class"`
	Message string `json:"message"` // what happened, without secrets
	Action  string `json:"action"`  // what to do about it
}

// FailedCommit is the class of a failure to save reviews that are done.
const FailedCommit = "commit"

// Unasked is why a review ended without a reviewer.
type Unasked string

// The reasons.
const (
	// failing tests, required results missing, nothing that can be read
	ByChecks    Unasked = "checks"
	ByIntegrity Unasked = "integrity" // of the approved tests
	ByLimit     Unasked = "limit"     // of iterations: a person must decide
)

// Result is one finished review, whatever its end.
type Result struct {
	Artifact Artifact `json:"artifact"`
	Decision Decision `json:"decision"`
	Warnings []string `json:"warnings,omitempty"` // the first goes into the front matter
	Summary  string   `json:"summary"`
	// Requirements are the spec's acceptance criteria, each; nil where a review is not held against
	// them.
	Requirements []Requirement `json:"requirements,omitempty"`
	Criteria     []Criterion   `json:"criteria,omitempty"`
	Issues       []Finding     `json:"issues,omitempty"`
	Previous     []Previous    `json:"previous,omitempty"`
	Checks       []Check       `json:"checks,omitempty"`
	Violations   Violations    `json:"violations,omitempty"`
	// nil where approved tests do not matter
	Integrity *Integrity `json:"integrity,omitempty"`
	// Questions are High findings of the built-in checks, which a model must
	// confirm or refute; nil where none was asked.
	Questions Questions `json:"questions,omitempty"`
	// Bundle is what was found of a spec in several documents; nil for any other
	// artifact. It is read afresh in each run.
	Bundle *Bundle `json:"bundle,omitempty"`
	// what the reviewer was not shown whole, a line each
	Omitted []string `json:"omitted,omitempty"`
	// Unasked says why no reviewer looked at the artifact, "" if one did.
	Unasked Unasked `json:"unasked,omitempty"`
	// MustBeReadBy is who must read the artifact before its approval counts, "" unless that is all
	// that is missing.
	MustBeReadBy Reader `json:"must_be_read_by,omitempty"`
	// Override and Dismissed are what people decided; the decision counts them in. Amends is the
	// path of the review that they spoke of, "" for a review of its own.
	Override  *Override   `json:"override,omitempty"`
	Dismissed []Dismissal `json:"dismissed,omitempty"`
	Amends    string      `json:"amends,omitempty"`
	Failure   *Failure    `json:"failure,omitempty"` // set exactly when Decision is Error

	Head          string `json:"head"`
	Base          string `json:"base"`   // merge base
	Engine        string `json:"engine"` // "codex 0.169.0" or "rules"
	Model         string `json:"model,omitempty"`
	Effort        string `json:"effort,omitempty"`
	ContextDigest string `json:"context_digest"`
	// reviews by a reviewer since the last approval, this one included
	Iteration     int           `json:"iteration"`
	MaxIterations int           `json:"max_iterations"`
	Tokens        Tokens        `json:"tokens"`
	Duration      time.Duration `json:"duration_ns"`
	Date          time.Time     `json:"date"` // UTC, to the second
	Cached        bool          `json:"cached"`

	ReviewPath string `json:"path"`               // of the review file, relative to the root
	MovedTo    string `json:"moved_to,omitempty"` // set when the move is to be, or was, committed
}

// AllQuestions are what the review must answer: about test integrity, and about findings of checks.
func (r Result) AllQuestions() []Finding {
	if r.Integrity == nil {
		return r.Questions
	}
	return slices.Concat(r.Integrity.Questions, r.Questions)
}

// Prices are what a million tokens cost, in US dollars. The zero value means that they are not
// known.
type Prices struct {
	Input  float64 // that are not cached
	Cached float64
	Output float64
}

// Of is what the tokens cost; known is false without prices or tokens.
func (p Prices) Of(t Tokens) (usd float64, known bool) {
	usd = (float64(t.Input-t.Cached)*p.Input + float64(t.Cached)*p.Cached +
		float64(t.Output)*p.Output) / 1e6
	return usd, p != Prices{} && t != Tokens{}
}

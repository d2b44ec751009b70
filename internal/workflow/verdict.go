package workflow

// The limits of a spec's quality score, from 0 to 100: at least ScorePass is
// PASS, at least ScoreReview is REVIEW, less is FAIL.
const (
	ScorePass   = 80
	ScoreReview = 60
)

// The ids of the checks whose figures reports show, behind the artifact's type.
const (
	ScoreCheck    = "spec/quality-score"
	CoverageCheck = "tests/coverage"
	ResultsCheck  = "/test-results" // the end of it
)

// Verdict is a decision in the words of other workflows; all are "" for a review
// that did not run to its end, which has no verdict.
type Verdict struct {
	Code string `json:"code"` // APPROVED, NEEDS_FIX, MAJOR_ISSUES
	Gate string `json:"gate"` // APPROVE, CONDITIONAL, BLOCK
	Spec string `json:"spec"` // PASS, REVIEW, FAIL
}

// Verdict is the decision in other words: MAJOR_ISSUES for a High issue of compliance, correctness
// or security, CONDITIONAL for an approval beside Medium issues, REVIEW for the approval of a spec
// whose score is below ScorePass.
func (r Result) Verdict() Verdict {
	switch r.Decision {
	case Approved:
		v := Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "PASS"}
		for _, i := range r.Issues {
			if i.Level == Warn {
				v.Gate = "CONDITIONAL"
			}
		}
		if score, ok := r.Figure(ScoreCheck, "score"); ok && score < ScorePass {
			v.Spec = "REVIEW"
		}
		return v
	case NeedsChanges:
		v := Verdict{Code: "NEEDS_FIX", Gate: "BLOCK", Spec: "FAIL"}
		for _, i := range r.Issues {
			if i.Level == Block && (i.Category == Compliance || i.Category == Correctness ||
				i.Category == Security) {
				v.Code = "MAJOR_ISSUES"
			}
		}
		if len(r.Violations) > 0 {
			v.Code = "MAJOR_ISSUES"
		}
		return v
	default:
		return Verdict{}
	}
}

// Figure is a number that a check of the review measured.
func (r Result) Figure(check, name string) (float64, bool) {
	for _, c := range r.Checks {
		if c.ID == check {
			n, ok := c.Figures[name]
			return n, ok
		}
	}
	return 0, false
}

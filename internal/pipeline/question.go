package pipeline

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/review"
)

// DefaultTestsLabel asks for a new approval of tests, whatever the other label is called.
const DefaultTestsLabel = "re-review:tests"

// NextStep is what follows from the answer to a question about a test.
func NextStep(answer review.TestFinding) string {
	switch answer {
	case review.TestHasBug:
		return "Leave the test as it is: changed without an approval it is a breach. File an " +
			"RFC that names the test file and quotes " +
			"this answer (it counts once it is in rfcs/approved/ on the base), or have somebody " +
			"with write permission set the label " +
			DefaultTestsLabel +
			" on the pull request with the corrected test; it is reviewed then and becomes what " +
			"counts."
	case review.TestIsCorrect:
		return "Change the implementation, not the test."
	default:
		return "Have the spec say it first, by a change of the spec in a pull request of its " +
			"own or by an RFC; the test follows the spec."
	}
}

// AskAboutTest has a question about a test of the change answered. It decides
// nothing: no verdict, record or check depends on the answer.
func AskAboutTest(
	ctx context.Context, req Request, reviewer review.Reviewer, secrets *redact.Redactor,
	set change.Set, q review.TestQuestion,
) (review.TestAnswer, error) {
	q.Tree, q.Model = set.HeadTree, req.Config.Model
	if q.SpecPath == "" {
		opt := req.DetectOptions()
		opt.Types, opt.Paths = nil, []string{q.Path}
		found, err := detect.Artifacts(ctx, set, opt)
		if err != nil {
			return review.TestAnswer{}, fmt.Errorf("find the spec of %s: %w", q.Path, err)
		}
		for _, a := range found.Artifacts {
			q.SpecPath = a.SpecPath
		}
	}
	answer, err := review.AskAboutTest(ctx, reviewer, q)
	for _, text := range []*string{&answer.Explanation, &answer.SpecQuote, &answer.ShouldDemand} {
		*text = secrets.Text(*text)
	}
	return answer, err
}

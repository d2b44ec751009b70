package review

import (
	"fmt"
	"time"

	"workflow-reviewer/internal/workflow"
)

// Exchange is what came back when a model was asked for one review: all that the verdict follows
// from besides the plan. A review can be made of it again, in another process, by the same rules.
type Exchange struct {
	Replies []Reply      // in their order, without secrets, at most two
	Failure *EngineError // what ended it after them, nil if nothing did

	// What whoever asked made of it. The decision is only compared: a review
	// that is made of the exchange again and comes to another one is an ERROR.
	Decision workflow.Decision
	Engine   string // with version
	Tokens   workflow.Tokens
	Date     time.Time // UTC, to the second
	Duration time.Duration
}

// Results is the class of a result of another process that is missing or does not fit.
const Results Class = "results"

// replay has the review made that an exchange comes to. All of the exchange must be needed for it.
func (r *runner) replay(j Job) workflow.Result {
	x := r.Given[j.Artifact.Name()]
	result := j.result
	if x.Engine != "" {
		result.Engine = x.Engine
	}
	c := &conversation{runner: r, job: j, result: result, tokens: x.Tokens}
	c.turn = func(Request) (Reply, *EngineError) { return x.next() }
	result = c.review()
	result.Tokens = c.tokens
	if result.Failure == nil && (len(x.Replies) > 0 || x.Failure != nil) {
		return failWith(result,
			failure(Results, "The result of the shard holds more than the review needs", ""))
	}
	return result
}

// next takes the next reply out of a given exchange.
func (x *Exchange) next() (Reply, *EngineError) {
	switch {
	case len(x.Replies) > 0:
		reply := x.Replies[0]
		x.Replies = x.Replies[1:]
		return reply, nil
	case x.Failure != nil:
		return Reply{}, x.Failure
	}
	return Reply{}, failure(Results, "The result of the shard breaks off", "")
}

// requireSameDecision makes an ERROR of a review whose maker claimed another decision than
// it comes to. For other reviews it changes nothing.
func (r *runner) requireSameDecision(j Job, result workflow.Result) workflow.Result {
	x, given := r.Given[j.Artifact.Name()]
	if !given || j.Kind != Asks || x.Decision == result.Decision {
		return result
	}
	return failWith(j.result, &EngineError{
		Class: Results, Tokens: x.Tokens,
		Message: fmt.Sprintf(
			"The result of the shard says %s and comes to %s: it was changed, or planned otherwise",
			x.Decision,
			result.Decision,
		),
		Action: "Run all jobs again.",
	})
}

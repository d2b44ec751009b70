package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Run carries out the jobs of one Plan and returns a result for each, in their order. At most
// MaxParallel run at a time; a job that fails or panics loses nothing but itself. reviewer may be
// nil if no job asks a model. Run returns after every job has ended, soon after the context does.
func Run(ctx context.Context, jobs []Job, reviewer Reviewer, o RunOptions) []workflow.Result {
	if len(jobs) == 0 {
		return nil
	}
	r := &runner{
		RunOptions: o.withDefaults(), reviewer: reviewer, jobs: jobs,
		results: make([]workflow.Result, len(jobs)),
		tests:   map[string]int{}, asks: map[string]int{},
		refuse: map[int]context.CancelCauseFunc{},
	}
	for i, j := range jobs {
		r.ended = append(r.ended, make(chan struct{}))
		r.index(i, j)
	}
	ctx, release := context.WithCancel(ctx)
	defer release()
	for _, j := range jobs {
		r.contexts = append(r.contexts, r.untilRefused(ctx, r.testsOf(j)))
	}
	var all sync.WaitGroup
	free := make(chan struct{}, max(jobs[0].opts.MaxParallel, 1))
	for i := range jobs { // tests stand before the code that they measure, and so begin first
		free <- struct{}{}
		all.Go(func() {
			start := r.Now()
			result := r.begin(i)
			waits := r.testsOf(jobs[i]) >= 0
			if waits {
				<-free
			}
			r.end(i, start, result)
			if !waits { // what begins in its place knows its verdict
				<-free
			}
		})
	}
	all.Wait()
	return r.results
}

// runner is one call of Run. Jobs are meant by their places in the list.
type runner struct {
	RunOptions
	reviewer Reviewer
	jobs     []Job
	results  []workflow.Result
	ended    []chan struct{} // closed when the result is there
	contexts []context.Context
	refuse   map[int]context.CancelCauseFunc // ends what waits for a job's tests to be approved
	tests    map[string]int                  // the job that reviews a feature's tests
	asks     map[string]int                  // the first job that tells a question, by its id

	mu      sync.Mutex
	stop    *EngineError // the failure that every further review would meet too
	telling sync.Mutex   // progress, one call at a time
}

// index notes of a job what others look for.
func (r *runner) index(i int, j Job) {
	if j.Artifact.Type == workflow.Tests {
		r.tests[j.Artifact.Feature] = i
	}
	if j.Kind == Computes || j.Kind == Recorded || j.Kind == Carried {
		for _, q := range j.result.AllQuestions() {
			if _, known := r.asks[q.Key]; !known {
				r.asks[q.Key] = i
			}
		}
	}
}

// testsOf is the job that reviews the tests of an implementation in the same run, -1 if there is
// none.
func (r *runner) testsOf(j Job) int {
	if i, ok := r.tests[j.Artifact.Feature]; ok && j.Artifact.Type == workflow.Implementation {
		return i
	}
	return -1
}

// begin has a job done but for what its tests have to say: an implementation is asked beside them.
func (r *runner) begin(i int) workflow.Result {
	j := r.jobs[i]
	return r.safely(j, func() workflow.Result {
		if j.Settled() {
			return restrict(j, j.result)
		}
		return restrict(j, r.work(r.contexts[i], i))
	})
}

// errTestsRefused ends the review of an implementation whose tests this run refused: its answer
// could not approve it any more.
var errTestsRefused = errors.New("its tests were refused")

// untilRefused is the context of a job: it ends when the job's tests are refused by a review of
// this run. Tests that were refused before leave the implementation its review.
func (r *runner) untilRefused(ctx context.Context, tests int) context.Context {
	if tests < 0 || r.jobs[tests].Kind != Asks || r.Given != nil {
		return ctx
	}
	while, cancel := context.WithCancelCause(ctx)
	r.refuse[tests] = cancel
	return while
}

// waitFor waits until a job has ended on which another one depends.
func (r *runner) waitFor(i int, waiting Job) {
	select {
	case <-r.ended[i]:
	default:
		r.step(waiting, Waiting, "waits for the review of "+r.jobs[i].Artifact.Name())
		<-r.ended[i]
	}
}

// end finishes the result of a job: it applies the verdict on the tests, which it waits for, dates
// it and takes secrets out.
func (r *runner) end(i int, start time.Time, result workflow.Result) {
	j := r.jobs[i]
	result = r.safely(j, func() workflow.Result {
		if tests := r.testsOf(j); tests >= 0 {
			r.waitFor(tests, j)
			result = requireApprovedTests(j, result, r.results[tests])
			r.logWaste(j, result, r.results[tests])
		}
		return r.requireSameDecision(j, result)
	})
	x, isGiven := r.Given[j.Artifact.Name()]
	isTaken := (j.Kind == Recorded || j.Kind == Carried) && !result.Date.IsZero()
	switch {
	case isGiven && j.Kind == Asks && !x.Date.IsZero():
		result.Date, result.Duration = x.Date, x.Duration
	case !isTaken:
		now := r.Now()
		result.Date, result.Duration = now.UTC().Truncate(time.Second), now.Sub(start)
		if lag := j.history.Last.Sub(result.Date); lag >= 0 && lag < time.Minute {
			result.Date = j.history.Last.Add(time.Second) // reviews are told apart by their second
		}
	}
	result = r.redacted(j, result)
	result.Identify()
	r.results[i] = result
	if refuse := r.refuse[i]; refuse != nil && result.Decision == workflow.NeedsChanges {
		refuse(errTestsRefused)
	}
	phase := Done
	if result.Cached {
		phase = Cached
	}
	r.progress(ProgressEvent{
		Job: j.Artifact.Name(), Phase: phase, Decision: result.Decision, Tokens: result.Tokens,
		Duration: result.Duration, Message: markdown.Line(result.Summary, 500),
	})
	close(r.ended[i])
}

// safely turns a panic into an ERROR result.
func (r *runner) safely(j Job, f func() workflow.Result) (result workflow.Result) {
	defer func() {
		if v := recover(); v != nil {
			message := fmt.Sprintf("the review panicked: %v", v)
			result = failWith(j.result, failure(Internal, message, ""))
		}
	}()
	return f()
}

// redacted takes secrets out of a result; if that is impossible, nothing of the text is kept.
func (r *runner) redacted(j Job, result workflow.Result) (out workflow.Result) {
	defer func() {
		if recover() != nil {
			out = failWith(workflow.Result{
				Artifact: j.Artifact, Head: result.Head, Base: result.Base, Engine: result.Engine,
				Iteration: result.Iteration, Tokens: result.Tokens,
				Date: result.Date, Duration: result.Duration,
			}, failure(Internal,
				"the review could not be searched for secrets and was discarded", ""))
		}
	}()
	return r.Redact(result)
}

// step tells that a job has come to a phase, and why.
func (r *runner) step(j Job, p Phase, message string) {
	r.progress(ProgressEvent{Job: j.Artifact.Name(), Phase: p, Message: message})
}

// progress tells of one step. Calls do not overlap.
func (r *runner) progress(e ProgressEvent) {
	r.telling.Lock()
	defer r.telling.Unlock()
	r.Progress(e)
}

// logWaste says in the log what the review of an implementation cost whose tests were refused.
func (r *runner) logWaste(j Job, result, tests workflow.Result) {
	isWaste := tests.Decision == workflow.NeedsChanges && result.Tokens != (workflow.Tokens{})
	if isWaste && j.Kind == Asks && r.Given == nil {
		r.step(j, Waiting, fmt.Sprintf("%s was refused meanwhile: %d tokens of this review cannot "+
			"lead to an approval", tests.Artifact.Name(), result.Tokens.Total()))
	}
}

// work has a job done that is not settled.
func (r *runner) work(ctx context.Context, i int) workflow.Result {
	j := r.jobs[i]
	r.mu.Lock()
	stop := r.stop
	r.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return r.unasked(
			j,
			endedBy(context.Cause(ctx), "The run was cancelled before this review began"),
		)
	case j.Kind == Computes:
		r.step(j, Started, "")
		return warnOfScore(compute(j, r.newQuestions(i)))
	case r.Given != nil:
		return warnOfScore(r.replay(j))
	case stop != nil:
		return r.unasked(j, failure(stop.Class, "Not started: "+stop.Message, stop.Action))
	case r.reviewer == nil:
		return r.unasked(j, failure(Internal, "no engine was given to ask", ""))
	}
	r.step(j, Started, "")
	return warnOfScore(r.ask(ctx, j))
}

// unasked is the result of a job that did not come to ask.
func (r *runner) unasked(j Job, why *EngineError) workflow.Result {
	r.handOver(j, Exchange{Failure: why})
	return failWith(j.result, why)
}

// handOver hands on what a model answered, where somebody keeps it. Calls do not overlap.
func (r *runner) handOver(j Job, x Exchange) {
	if r.Told != nil {
		r.telling.Lock()
		defer r.telling.Unlock()
		r.Told(j.Artifact.Name(), x)
	}
}

// warnOfScore adds a warning to an approval of a spec whose quality score is low.
func warnOfScore(r workflow.Result) workflow.Result {
	score, ok := r.Figure(workflow.ScoreCheck, "score")
	if ok && r.Decision == workflow.Approved && score < workflow.ScorePass {
		r.Warnings = append(
			r.Warnings,
			fmt.Sprintf("The spec's quality score is %g of 100, below %d: "+
				"approved, but worth another look", score, workflow.ScorePass),
		)
	}
	return r
}

// newQuestions are the questions of a job that no earlier one tells: reviews of one change share
// them.
func (r *runner) newQuestions(i int) (out []workflow.Finding) {
	for _, q := range r.jobs[i].result.AllQuestions() {
		if r.asks[q.Key] == i {
			out = append(out, q)
		}
	}
	return out
}

// compute is the verdict of the deterministic checks alone, with the questions that it has to tell.
func compute(j Job, questions []workflow.Finding) workflow.Result {
	v := checks.Decide(j.Artifact, j.history.Undismissed(j.result.Checks))
	result := j.result
	result.Requirements = slices.Clone(result.Requirements)
	for i := range result.Requirements {
		result.Requirements[i].Status, result.Requirements[i].Reason = "", "" // a reader's words
	}
	result.Decision, result.Summary, result.Criteria = v.Decision, v.Summary, v.Criteria
	issues := openQuestions
	if i := j.result.Integrity; i != nil && i.Unapproved {
		issues = losses
	}
	result.Issues = slices.Concat(v.Issues, issues(questions))
	return j.history.Recount(result)
}

// stopAll ends the reviews that have not begun. The first failure counts.
func (r *runner) stopAll(e *EngineError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop == nil {
		r.stop = e
	}
}

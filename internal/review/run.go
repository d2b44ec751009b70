package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
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
		slots:   semaphore.NewWeighted(int64(max(jobs[0].opts.MaxParallel, 1))),
		results: make([]workflow.Result, len(jobs)),
		begun:   make([]chan struct{}, len(jobs)), done: make([]chan struct{}, len(jobs)),
		tests: map[string]int{}, asks: map[string]int{},
	}
	for i, j := range jobs {
		r.begun[i], r.done[i] = make(chan struct{}), make(chan struct{})
		r.index(i, j)
	}
	var g errgroup.Group
	for i := range jobs {
		g.Go(func() error {
			s := &slot{of: r.slots}
			defer s.free() // after the result is there, for whoever waits for both
			defer close(r.done[i])
			r.results[i] = r.one(ctx, i, s)
			return nil
		})
	}
	_ = g.Wait() // no job returns an error
	return r.results
}

// runner is one call of Run.
type runner struct {
	RunOptions
	reviewer Reviewer
	jobs     []Job
	slots    *semaphore.Weighted
	results  []workflow.Result
	begun    []chan struct{} // closed when the job of the same index has a slot, or needs none any more
	done     []chan struct{} // closed when the result of the same index is there
	tests    map[string]int  // the job that reviews a feature's tests
	asks     map[string]int  // the first job that tells a question, by its id

	mu   sync.Mutex
	stop *EngineError // the failure that every further review would meet too
	tell sync.Mutex   // progress, one call at a time
}

// slot is one of the reviews that may be under way at a time, once it was taken.
type slot struct {
	of    *semaphore.Weighted
	taken bool
}

func (s *slot) take(ctx context.Context) {
	s.taken = s.of.Acquire(ctx, 1) == nil
}

func (s *slot) free() {
	if s.taken {
		s.of.Release(1)
	}
	s.taken = false
}

// one runs a job to its result, whatever happens.
func (r *runner) one(ctx context.Context, i int, s *slot) workflow.Result {
	j := r.jobs[i]
	start := r.Now()
	result := r.safely(j, func() workflow.Result { return r.attend(ctx, i, s) })
	if x, given := r.Given[j.Artifact.Name()]; given && j.Kind == Asks && !x.Date.IsZero() {
		result.Date, result.Duration = x.Date, x.Duration
	} else if j.Kind != Recorded && j.Kind != Carried || result.Date.IsZero() {
		now := r.Now()
		result.Date = now.UTC().Truncate(time.Second)
		if lag := j.past.last.Sub(result.Date); lag >= 0 && lag < time.Minute {
			result.Date = j.past.last.Add(time.Second) // reviews are told apart by their second
		}
		result.Duration = now.Sub(start)
	}
	result = r.redacted(j, result)
	result.Identify()
	phase := Done
	if result.Cached {
		phase = Cached
	}
	r.progress(ProgressEvent{
		Job: j.Artifact.Name(), Phase: phase, Decision: result.Decision,
		Tokens: result.Tokens, Duration: result.Duration, Message: markdown.Line(result.Summary, 500),
	})
	return result
}

// safely turns a panic into an ERROR result.
func (r *runner) safely(j Job, f func() workflow.Result) (result workflow.Result) {
	defer func() {
		if v := recover(); v != nil {
			message := fmt.Sprintf("the review panicked: %v", v)
			result = failWith(j.result, &EngineError{Class: Internal, Message: message})
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
			}, &EngineError{
				Class:   Internal,
				Message: "the review could not be searched for secrets and was discarded",
			})
		}
	}()
	return r.Redact(result)
}

// progress tells of one step. Calls do not overlap.
func (r *runner) progress(e ProgressEvent) {
	r.tell.Lock()
	defer r.tell.Unlock()
	r.Progress(e)
}

// attend has a job done, and holds the verdict to what forbids approval. An implementation is asked
// beside its tests; their verdict is applied to its own.
func (r *runner) attend(ctx context.Context, i int, s *slot) workflow.Result {
	j := r.jobs[i]
	begun := sync.OnceFunc(func() { close(r.begun[i]) })
	defer begun()
	tests := r.testsOf(j)
	result := j.result
	if !j.Settled() {
		while, stop := r.untilRefused(ctx, tests)
		defer stop()
		if tests >= 0 {
			<-r.begun[tests] // they take their slot first
		}
		s.take(while)
		begun()
		result = r.work(while, i, tests)
	}
	result = restrict(j, result)
	if tests >= 0 {
		s.free()
		r.wait(j, tests)
		result = requireApprovedTests(j, result, r.results[tests])
		r.logWaste(j, result, r.results[tests])
	}
	return r.requireSameDecision(j, result)
}

// errTestsRefused ends the review of an implementation whose tests this run refused: its answer
// could not approve it any more.
var errTestsRefused = errors.New("its tests were refused")

// untilRefused is a context that ends when a job's tests are refused by a review of this run. Tests
// that were refused before leave the implementation its review.
func (r *runner) untilRefused(ctx context.Context, tests int) (context.Context, context.CancelFunc) {
	while, cancel := context.WithCancelCause(ctx)
	if tests >= 0 && r.jobs[tests].Kind == Asks && r.Given == nil {
		go func() {
			select {
			case <-r.done[tests]:
				if r.refused(tests) {
					cancel(errTestsRefused)
				}
			case <-while.Done():
			}
		}()
	}
	return while, func() { cancel(nil) }
}

// refused reports whether a review of this run has refused a job's tests.
func (r *runner) refused(tests int) bool {
	if tests < 0 || r.jobs[tests].Kind != Asks || r.Given != nil {
		return false
	}
	select {
	case <-r.done[tests]:
		return r.results[tests].Decision == workflow.NeedsChanges
	default:
		return false
	}
}

// logWaste says in the log what the review of an implementation cost whose tests were refused.
func (r *runner) logWaste(j Job, result, tests workflow.Result) {
	isWaste := tests.Decision == workflow.NeedsChanges && result.Tokens != (workflow.Tokens{})
	if isWaste && j.Kind == Asks && r.Given == nil {
		r.progress(ProgressEvent{
			Job: j.Artifact.Name(), Phase: Waiting,
			Message: fmt.Sprintf("%s was refused meanwhile: %d tokens of this review cannot lead to "+
				"an approval", tests.Artifact.Name(), result.Tokens.Total()),
		})
	}
}

// wait returns when the review of a job's tests has ended.
func (r *runner) wait(j Job, tests int) {
	select {
	case <-r.done[tests]:
	default:
		r.progress(ProgressEvent{
			Job: j.Artifact.Name(), Phase: Waiting,
			Message: "waits for the review of " + r.jobs[tests].Artifact.Name(),
		})
		<-r.done[tests]
	}
}

// index notes of a job what others look for.
func (r *runner) index(i int, j Job) {
	if j.Artifact.Type == workflow.Tests {
		r.tests[j.Artifact.Feature] = i
	}
	if j.Kind == Computes || j.Kind == Recorded || j.Kind == Carried {
		for _, q := range answers.QuestionsOf(j.result) {
			if _, known := r.asks[q.Key]; !known {
				r.asks[q.Key] = i
			}
		}
	}
}

// newQuestions are the questions of a job that no earlier one tells: reviews of one change share
// them.
func (r *runner) newQuestions(i int) (out []workflow.Finding) {
	for _, q := range answers.QuestionsOf(r.jobs[i].result) {
		if r.asks[q.Key] == i {
			out = append(out, q)
		}
	}
	return out
}

// testsOf is the job that reviews the tests of an implementation in the same run, -1 if there is
// none.
func (r *runner) testsOf(j Job) int {
	if i, ok := r.tests[j.Artifact.Feature]; ok && j.Artifact.Type == workflow.Implementation {
		return i
	}
	return -1
}

// work has a job done in its slot.
func (r *runner) work(ctx context.Context, i, tests int) workflow.Result {
	j := r.jobs[i]
	stop := r.stopped()
	switch {
	case r.refused(tests):
		return r.unasked(j, ended(errTestsRefused, ""))
	case ctx.Err() != nil:
		cause := context.Cause(ctx)
		return r.unasked(j, ended(cause, "The run was cancelled before this review began"))
	case j.Kind == Computes:
		r.progress(ProgressEvent{Job: j.Artifact.Name(), Phase: Started})
		return scoreNoted(compute(j, r.newQuestions(i)))
	case r.Given != nil:
		return scoreNoted(r.replay(j))
	case stop != nil:
		return r.unasked(j, &EngineError{
			Class: stop.Class, Message: "Not started: " + stop.Message, Action: stop.Action,
		})
	case r.reviewer == nil:
		return r.unasked(j, &EngineError{Class: Internal, Message: "no engine was given to ask"})
	}
	r.progress(ProgressEvent{Job: j.Artifact.Name(), Phase: Started})
	return scoreNoted(r.ask(ctx, j))
}

// unasked is the result of a job that did not come to ask.
func (r *runner) unasked(j Job, why *EngineError) workflow.Result {
	r.told(j, Exchange{Failure: why})
	return failWith(j.result, why)
}

// told hands on what a model answered, where somebody keeps it. Calls do not overlap.
func (r *runner) told(j Job, x Exchange) {
	if r.Told == nil {
		return
	}
	r.tell.Lock()
	defer r.tell.Unlock()
	r.Told(j.Artifact.Name(), x)
}

// scoreNoted adds a warning to an approval of a spec whose quality score is low.
func scoreNoted(r workflow.Result) workflow.Result {
	score, ok := r.Figure(workflow.ScoreCheck, "score")
	if ok && r.Decision == workflow.Approved && score < workflow.ScorePass {
		r.Warnings = append(r.Warnings, fmt.Sprintf("The spec's quality score is %g of 100, below %d: "+
			"approved, but worth another look", score, workflow.ScorePass))
	}
	return r
}

// compute is the verdict of the deterministic checks alone, with the questions that it has to tell.
func compute(j Job, questions []workflow.Finding) workflow.Result {
	v := checks.Decide(j.Artifact, j.past.undismissed(j.result.Checks))
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
	return j.past.recount(result)
}

// stopped is the failure that ends all reviews, nil while there is none.
func (r *runner) stopped() *EngineError {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop
}

// stopAll ends the reviews that have not begun. The first failure counts.
func (r *runner) stopAll(e *EngineError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop == nil {
		r.stop = e
	}
}

package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// conversation is one review by a model: at most one question, one retry and one repair, all within
// the timeout.
type conversation struct {
	*runner
	job     Job
	started time.Time
	retried bool
	tokens  workflow.Tokens
	result  workflow.Result
	// turn is one reply: of the model, or of an exchange that is given.
	turn    func(Request) (Reply, *EngineError)
	replies []Reply // that came back
	failure *EngineError
}

// ask has one review done by the model.
func (r *runner) ask(ctx context.Context, j Job) workflow.Result {
	c := &conversation{runner: r, job: j, started: r.Now(), result: j.result}
	limited, cancel := context.WithTimeout(ctx, j.opts.Timeout)
	defer cancel()
	c.turn = func(req Request) (Reply, *EngineError) { return c.call(ctx, limited, req) }
	result := c.review()
	result.Tokens = c.tokens
	r.handOver(j, Exchange{Replies: c.replies, Failure: c.failure})
	return result
}

// review is the whole conversation.
func (c *conversation) review() workflow.Result {
	reply, failure := c.next(c.job.Request)
	if failure != nil {
		return failWith(c.result, failure)
	}
	if empty := emptyAnswer(reply.Text); empty != nil {
		return failWith(c.result, empty)
	}
	wanted, at := c.job.asked(), answers.NewAnchors(c.job.tree, c.job.Artifact)
	first, err := answers.Parse(reply.Text, wanted)
	wellFormed := err == nil
	if wellFormed {
		err = wanted.Incomplete(first, at)
	}
	if err == nil {
		return c.accept(first)
	}
	c.step(c.job, Retrying, "the answer was not of the required form")
	second, failure := c.next(repair(c.job.Request, reply.Text, err))
	if failure != nil {
		return failWith(c.result, failure)
	}
	repaired, err := answers.Parse(second.Text, wanted)
	isReversed := err == nil && dropsObjections(reply.Text, second.Text)
	if err == nil {
		result := c.accept(repaired)
		if !isReversed || result.Decision != workflow.Approved {
			return result
		}
	}
	switch {
	case wellFormed:
		return c.accept(first)
	case isReversed || emptyAnswer(second.Text) != nil:
		return c.acceptText(reply.Text)
	}
	return c.acceptText(reply.Text, second.Text)
}

// dropsObjections reports whether a repair, which was to give the same review, leaves out what the
// first answer held against an approval.
func dropsObjections(first, repaired string) bool {
	kept := objectionsIn(repaired)
	for what, n := range objectionsIn(first) {
		if n > kept[what] {
			return true
		}
	}
	return false
}

// graded is an entry of an answer that may stand against an approval, whatever surrounds it.
var graded = lazyregexp.New(
	`(?i)"(decision|severity|result|status|answer)"\s*:\s*"([^"]*)"`)

// objectionsIn counts by their kinds what an answer of any form, whole or broken off, says against
// an approval.
func objectionsIn(text string) map[string]int {
	const refusal = "decision"
	against := []string{
		string(workflow.Block), string(workflow.Fail), string(workflow.NotMet),
		string(workflow.Cheat), string(workflow.Confirmed),
	}
	out, isDecided := map[string]int{}, false
	for _, m := range graded.FindAllStringSubmatch(text, -1) {
		isSame := func(word string) bool { return strings.EqualFold(word, m[2]) }
		if i := slices.IndexFunc(against, isSame); i >= 0 {
			out[against[i]]++
		}
		if strings.EqualFold(m[1], refusal) {
			isDecided = true
			if said, _ := workflow.ParseSpoken(m[2]); said.Decision != workflow.Approved {
				out[refusal]++
			}
		}
	}
	said, ok := workflow.SpokenIn(text)
	if ok && !isDecided && said.Decision != workflow.Approved {
		out[refusal]++
	}
	return out
}

// accept takes over an assessment of the required form.
func (c *conversation) accept(a answers.Assessment) workflow.Result {
	base, kept := c.result, c.result.Warnings
	base.Warnings = nil
	at := answers.NewAnchors(c.job.tree, c.job.Artifact)
	result := assess(base, a, c.job.rubric, at, c.job.history)
	result.Warnings = append(result.Warnings, kept...)
	return result
}

// acceptText takes over answers that are not of the required form. They grade nothing, so that none
// of them approves; the warning says what their text decides.
func (c *conversation) acceptText(texts ...string) workflow.Result {
	result := c.result
	warning := undetermined
	for _, t := range texts {
		said, ok := workflow.SpokenIn(t)
		switch {
		case ok && said.Decision != workflow.Approved:
			warning = "The answer was not of the required form; its decision was read from its text"
		case ok && warning == undetermined:
			warning = "The answer was not of the required form: its text approves and grades no " +
				"criterion; counted as NEEDS-CHANGES"
		}
	}
	result.Decision = workflow.NeedsChanges
	result.Criteria, _ = answers.Grade(c.job.rubric, nil)
	result.Requirements, _ = answers.JudgeRequirements(result.Requirements, nil, nil)
	result.Warnings = append([]string{warning}, result.Warnings...)
	result.Summary = foreign.Block(texts[len(texts)-1])
	related, _ := c.job.history.Relate(result)
	return related
}

// emptyAnswer is the failure of an answer that is no review, nil for any other.
func emptyAnswer(text string) *EngineError {
	switch {
	case strings.TrimSpace(text) == "":
		return failure(
			Answer, "The model's answer was empty", "Retry manually, or try another model.",
		)
	case answers.IsRefusal(text):
		return failure(Answer, "The model refused to review: "+markdown.Line(text, 200),
			"Read the artifact for what may have caused it, or try another model.")
	}
	return nil
}

// repair asks again with what was wrong with the first answer.
func repair(req Request, text string, problem error) Request {
	text = markdown.Clean(text)
	text, _ = foreign.Cut(text, 20_000)
	more := fmt.Sprintf("\n## Your former answer could not be used\n\nThe problem:\n\n%s\n"+
		"Give the same review again as one JSON object of the schema. Your former answer was:\n\n%s",
		foreign.Fenced(markdown.Line(problem.Error(), 2000)), foreign.Fenced(text))
	if utf8.RuneCountInString(req.Instructions+req.Prompt+more) <= MaxPrompt {
		req.Prompt += more
	}
	return req
}

// next is the next reply, without secrets.
func (c *conversation) next(req Request) (reply Reply, failure *EngineError) {
	reply, failure = c.turn(req)
	if c.failure = failure; failure != nil {
		return Reply{}, failure
	}
	if c.Told != nil {
		handed := reply
		handed.Text = purged(reply.Text, 0, c.withoutSecrets)
		c.replies = append(c.replies, handed)
	}
	c.result.Model = cmp.Or(c.job.opts.Model, reply.Model)
	c.note(reply.Notes)
	return reply, nil
}

// call asks once, and once more in the whole conversation after a failure that may pass. run is the
// run's context and ctx the review's, which ends with its timeout.
func (c *conversation) call(run, ctx context.Context, req Request) (Reply, *EngineError) {
	for {
		reply, err := c.reviewer.Review(ctx, req)
		if err == nil {
			c.tokens = c.tokens.Add(reply.Tokens)
			reply.Text = purged(reply.Text, answers.ShortestCut, c.withoutSecrets)
			return reply, nil
		}
		e := classify(run, ctx, err, c.job.opts.Timeout)
		c.tokens = c.tokens.Add(e.Tokens)
		if isFinal(e.Class) {
			c.stopAll(e)
		}
		wait, again := c.pause(e)
		if !again {
			return Reply{}, explainWait(e, wait)
		}
		c.retried = true
		c.step(c.job, Retrying, c.visible(e.Message))
		if err := c.Sleep(ctx, wait); err != nil {
			return Reply{}, classify(run, ctx, errors.Join(err, e), c.job.opts.Timeout)
		}
	}
}

// pause says how long to wait before the one retry, and whether there is one.
func (c *conversation) pause(e *EngineError) (time.Duration, bool) {
	if c.retried || e.Class != Transport && e.Class != RateLimit {
		return 0, false
	}
	wait := c.job.opts.RetryDelay
	if e.RetryAfter > 0 {
		wait = e.RetryAfter
	}
	left := c.job.opts.Timeout - c.Now().Sub(c.started)
	return wait, wait < left
}

// explainWait says of a rate limit that its wait does not fit the timeout.
func explainWait(e *EngineError, wait time.Duration) *EngineError {
	if e.Class != RateLimit || wait == 0 {
		return e
	}
	told := *e
	told.Message = fmt.Sprintf(
		"%s; the wait of %ds does not fit the timeout",
		strings.TrimSuffix(e.Message, "."),
		int(wait.Seconds()),
	)
	return &told
}

// note adds an engine's warnings, each once.
func (c *conversation) note(notes []string) {
	for _, n := range notes {
		if n = markdown.Line(n, 300); !slices.Contains(c.result.Warnings, n) {
			c.result.Warnings = append(c.result.Warnings, n)
		}
	}
}

// visible takes secrets out of a message before it is shown.
func (c *conversation) visible(message string) string {
	return markdown.Line(c.withoutSecrets(message), 500)
}

func (c *conversation) withoutSecrets(text string) string {
	return c.redacted(c.job, workflow.Result{Summary: text}).Summary
}

// jsonString is a string of a JSON text.
var jsonString = lazyregexp.New(`"(?:[^"\\]|\\.)*"`)

// purged takes the secrets out of an answer before anything of it is cut, as nobody recognises a
// part of a secret. Of JSON it looks into each string that is not shorter than least.
func purged(answer string, least int, redact func(string) string) string {
	if !json.Valid([]byte(answers.Unfence(answer))) {
		return redact(answer)
	}
	return jsonString.ReplaceAllStringFunc(answer, func(quoted string) string {
		var text string
		if len(quoted) < least || json.Unmarshal([]byte(quoted), &text) != nil {
			return quoted
		}
		clean := redact(text)
		if clean == text {
			return quoted
		}
		out, _ := json.Marshal(clean) // a string
		return string(out)
	})
}

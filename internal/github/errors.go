package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"

	"workflow-reviewer/internal/advice"

	"workflow-reviewer/internal/markdown"
)

// Classes of an API failure, for errors.Is.
var (
	// ErrForbidden: the token may not do this. The caller degrades: it reports
	// through the log and the job summary instead.
	ErrForbidden = errors.New("the token lacks the permission")
	// ErrUnauthorized: the token is wrong or expired.
	ErrUnauthorized = errors.New("GitHub refused the token")
	// ErrNotFound: no such thing, or the token cannot see it.
	ErrNotFound = errors.New("not found")
	// ErrRateLimited: a rate limit lasts longer than the run may wait.
	ErrRateLimited = errors.New("GitHub's rate limit is reached")
)

// LimitError is a rate limit that outlasts the client's budget for waiting. It is an
// ErrRateLimited.
type LimitError struct {
	Wait time.Duration // what GitHub asks for
	Ends time.Time     // when it will be over
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf(
		"%v: it asks to wait %s, until %s; run again then", ErrRateLimited,
		e.Wait.Round(time.Second), e.Ends.UTC().Format("2006-01-02 15:04 UTC"),
	)
}

// Is makes the error an ErrRateLimited.
func (e *LimitError) Is(target error) bool { return target == ErrRateLimited }

// Refusal is an answer of GitHub that is no success, with what it means.
type Refusal struct {
	Call   string // what was to be done
	Status int    // of HTTP; 200 for an error of GraphQL
	Said   string // GitHub's own words, on one line
	Reason advice.Reason
}

// Error says what was refused, why, and what to do about it.
func (r *Refusal) Error() string {
	what := ""
	if r.Call != "" {
		what = r.Call + ": "
	}
	return fmt.Sprintf(
		"%sGitHub answered %d (%s): %s; %s", what, r.Status, r.Said, r.Reason.Means, r.Reason.Do,
	)
}

// The classes of reasons that decide what is done next.
const (
	passes       = "passes"
	limit        = "limit"
	unauthorized = "unauthorized"
	denied       = "forbidden"
	missing      = "missing"
	stale        = "stale"
	gone         = "gone"
)

// Is gives the refusal its class.
func (r *Refusal) Is(target error) bool {
	return target == map[string]error{
		unauthorized: ErrUnauthorized, denied: ErrForbidden, missing: ErrNotFound,
	}[r.Reason.Class]
}

// explain says which call failed, and of GitHub's answer what it means.
func explain(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	what := fmt.Sprintf(format, args...)
	if r := refusal(err); r != nil {
		told := *r
		told.Call = what
		return &told
	}
	r := advice.GitHub().Find(advice.Answer{Call: noAnswer, Message: err.Error()})
	if r.Call == noAnswer {
		return fmt.Errorf("%s: %w: %s; %s", what, err, r.Means, r.Do)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// noAnswer is the call of the reasons for which GitHub was not reached.
const noAnswer = "no answer"

// refusal is GitHub's answer in an error, nil if it gave none.
func refusal(err error) *Refusal {
	var known *Refusal
	if errors.As(err, &known) {
		return known
	}
	var es graphErrors
	if errors.As(err, &es) {
		return because(
			advice.Answer{
				Status:  http.StatusOK,
				Codes:   []string{es[0].Type},
				Message: es.text(),
				Call:    "POST /graphql",
			},
		)
	}
	var resp *gh.ErrorResponse
	if errors.As(err, &resp) && resp.Response != nil {
		return answered(resp)
	}
	return nil
}

// answered is the reason of an error answer, from its status, message and headers, with the
// permission that GitHub asks for.
func answered(resp *gh.ErrorResponse) *Refusal {
	a := advice.Answer{Status: resp.Response.StatusCode, Message: resp.Message}
	if req := resp.Response.Request; req != nil {
		a.Call = req.Method + " " + req.URL.Path
	}
	for _, e := range resp.Errors {
		a.Message += ": " + cmp.Or(e.Message, e.Error())
	}
	header := resp.Response.Header
	switch {
	case header.Get(workedHeader) != "":
		a.Codes = []string{"expired"}
	case resp.Message == "" && strings.HasPrefix(header.Get("Content-Type"), "text/html"):
		a.Codes = []string{"html"}
	}
	r := because(a)
	if needs := header.Get("X-Accepted-GitHub-Permissions"); needs != "" &&
		r.Reason.Class == denied {
		r.Reason.Do += " (GitHub asks for " + markdown.Line(needs, 100) + ")"
	}
	return r
}

// because looks up what an answer means. The message is cut to one line of 300 characters.
func because(a advice.Answer) *Refusal {
	said := markdown.Line(cmp.Or(strings.TrimSpace(a.Message), http.StatusText(a.Status)), 300)
	return &Refusal{Status: a.Status, Said: said, Reason: advice.GitHub().Find(a)}
}

// statusOf is the HTTP status of an API error, 0 if there was no answer.
func statusOf(err error) int {
	var resp *gh.ErrorResponse
	if errors.As(err, &resp) && resp.Response != nil {
		return resp.Response.StatusCode
	}
	var r *Refusal
	if errors.As(err, &r) {
		return r.Status
	}
	return 0
}

// is reports whether an error is a refusal of one of the classes.
func is(err error, classes ...string) bool {
	r := refusal(err)
	for _, class := range classes {
		if r != nil && r.Reason.Class == class {
			return true
		}
	}
	return false
}

// ambiguous reports whether the request may have taken effect although it failed, or would when
// sent again: a broken connection, silence, an answer that cannot be read, a refusal that passes, a
// branch that is said to be elsewhere.
func ambiguous(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrRateLimited) {
		return false
	}
	return refusal(err) == nil || is(err, passes, stale)
}

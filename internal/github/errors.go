package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	gh "github.com/google/go-github/v66/github"
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

// LimitError is a rate limit that outlasts the client's budget for waiting. It is an ErrRateLimited.
type LimitError struct {
	Wait time.Duration // what GitHub asks for
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: it asks to wait %s; run again later", ErrRateLimited, e.Wait.Round(time.Second))
}

// Is makes the error an ErrRateLimited.
func (e *LimitError) Is(target error) bool { return target == ErrRateLimited }

// explain says which call failed, gives the error its class, and keeps no more of GitHub's answer than its message.
func explain(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	what := fmt.Sprintf(format, args...)
	var limit *LimitError
	if errors.As(err, &limit) {
		return fmt.Errorf("%s: %w", what, limit)
	}
	var resp *gh.ErrorResponse
	if !errors.As(err, &resp) || resp.Response == nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	status, msg := resp.Response.StatusCode, answer(resp)
	switch status {
	case http.StatusUnauthorized:
		return fmt.Errorf("%s: %w (%s); check the input github-token", what, ErrUnauthorized, msg)
	case http.StatusForbidden:
		return fmt.Errorf("%s: %w (%s); check the job's permissions", what, ErrForbidden, msg)
	case http.StatusNotFound:
		return fmt.Errorf("%s: %w (%s)", what, ErrNotFound, msg)
	}
	return fmt.Errorf("%s: %w", what, &statusError{status, msg})
}

// statusError is any other answer of GitHub.
type statusError struct {
	status int
	msg    string
}

func (e *statusError) Error() string { return fmt.Sprintf("GitHub answered %d %s", e.status, e.msg) }

func answer(resp *gh.ErrorResponse) string {
	msg := resp.Message
	for _, e := range resp.Errors {
		msg += " " + e.Error()
	}
	msg = cmp.Or(msg, http.StatusText(resp.Response.StatusCode))
	return oneLine(msg, 300)
}

// statusOf is the HTTP status of an API error, 0 if there was no answer.
func statusOf(err error) int {
	var resp *gh.ErrorResponse
	if errors.As(err, &resp) && resp.Response != nil {
		return resp.Response.StatusCode
	}
	var st *statusError
	if errors.As(err, &st) {
		return st.status
	}
	return 0
}

// ambiguous reports whether the request may have taken effect although it
// failed: a 5xx, a broken connection, silence, an answer that cannot be read.
func ambiguous(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrRateLimited) {
		return false
	}
	status := statusOf(err)
	return status == 0 || status >= 500
}

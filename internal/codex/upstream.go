package codex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"workflow-reviewer/internal/review"
)

// received looks at the endpoint's answer before codex gets it. Any failure is recorded and handed on as a plain 400,
// the one status that makes codex end at once: it retries 401, and waits as long as a Retry-After says.
func (g *gate) received(resp *http.Response) error {
	c := callOf(resp.Request)
	if resp.StatusCode == http.StatusOK && !isDocument(resp.Header) {
		resp.Body = g.watch(resp.Body, c)
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return err
	}
	_ = resp.Body.Close() // nothing more is wanted of it
	failure := g.status(resp.StatusCode, parseError(body), resp.Header)
	c.fail(failure)
	g.log("endpoint answered %s: %s", resp.Status, oneLine(string(body), g.key))
	text := errorBody(failure.Message)
	resp.StatusCode, resp.Status = http.StatusBadRequest, "400 Bad Request"
	resp.Header = http.Header{"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(text))}}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader([]byte(text))), int64(len(text))
	return nil
}

// broken records a request that got no answer at all.
func (g *gate) broken(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil || errors.Is(err, context.Canceled) {
		return // codex has ended; why, the review knows
	}
	c := callOf(r)
	e := transportError(oneLine(err.Error(), g.key))
	e.Err = err
	c.fail(e)
	refuse(w, e.Message)
}

// status explains an answer that is no stream.
func (g *gate) status(s int, a apiError, h http.Header) *review.EngineError {
	said := ""
	if a.Message != "" {
		said = ": " + oneLine(a.Message, g.key)
	}
	switch {
	case s == http.StatusOK && a.Message == "":
		return incompatible("the endpoint answered with a document, not with a stream of events")
	case quotaSpent(a), s == http.StatusPaymentRequired:
		return quotaError(said)
	case s == http.StatusUnauthorized:
		// The API's own text repeats parts of the key.
		return authError("Codex API refused the key (401)")
	case s == http.StatusForbidden:
		return authError("Codex API denied access (403)" + said)
	case s == http.StatusTooManyRequests:
		return rateError(said, retryAfter(h))
	case s == http.StatusMethodNotAllowed, s == http.StatusNotImplemented,
		(s == http.StatusNotFound || s == http.StatusOK) && noSuchPath.MatchString(a.Message):
		return incompatible(fmt.Sprintf("the endpoint has no Responses API at %s (%d)%s", g.endpoint.Path, s, said))
	case s == http.StatusRequestTimeout || s >= 500:
		return transportError(fmt.Sprintf("status %d%s", s, said))
	case s >= 400:
		e := requestError(fmt.Sprintf("Codex API rejected the request (%d)%s", s, said))
		if aboutTools.MatchString(a.Message) {
			e.Action = "use a server that takes tools of type namespace, as codex offers them; see docs/providers.md"
		}
		return e
	case s >= 300:
		return &review.EngineError{
			Class: review.BadRequest, Message: fmt.Sprintf("Codex API answered with a redirect (%d), which is not followed", s),
			Action: "set the input responses-api-endpoint to the final URL",
		}
	case s == http.StatusOK && a.Message != "":
		return g.stream(a)
	default:
		return transportError(fmt.Sprintf("unexpected status %d", s))
	}
}

// stream explains a failure that came inside a stream.
func (g *gate) stream(a apiError) *review.EngineError {
	if code, ok := a.Code.(float64); ok && code >= 400 && code < 600 {
		return g.status(int(code), a, nil)
	}
	said := oneLine(a.Message, g.key)
	switch {
	case quotaSpent(a):
		return quotaError(": " + said)
	case a.is("rate_limit_exceeded"):
		return rateError(": "+said, 0)
	case a.is("invalid_api_key"):
		return authError("Codex API refused the key")
	case a.is("context_length_exceeded", "invalid_prompt", "invalid_request_error", "model_not_found"):
		return requestError("Codex API rejected the request: " + said)
	case a.is("content_filter", "cyber_policy", "bio_policy"):
		return answerError("the model refused to answer: " + said)
	default:
		return transportError(said)
	}
}

func failed(class review.Class, message, action string) *review.EngineError {
	return &review.EngineError{Class: class, Message: message, Action: action}
}

// incompatible is the error of an endpoint that is no complete Responses API.
func incompatible(msg string) *review.EngineError {
	return failed(review.BadRequest, msg,
		"check that the input responses-api-endpoint is the full URL of a Responses API with streaming; see "+
			"docs/providers.md for what a server must offer")
}

func authError(msg string) *review.EngineError {
	return failed(review.Authentication, msg,
		"check that the input openai-api-key holds a valid key with access to the model and the Responses API")
}

func quotaError(said string) *review.EngineError {
	return failed(review.Quota, "Codex API quota is spent"+said,
		"add credit or raise the limit of the account that the key belongs to, then run the review again")
}

func rateError(said string, after time.Duration) *review.EngineError {
	return &review.EngineError{
		Class: review.RateLimit, Message: "Codex API rate limit reached" + said, RetryAfter: after,
		Action: "run the review again later, or lower the input max-parallel",
	}
}

func requestError(msg string) *review.EngineError {
	return failed(review.BadRequest, msg, "check the inputs model, effort and responses-api-endpoint")
}

func transportError(what string) *review.EngineError {
	return failed(review.Transport, "Codex API failed: "+what,
		"run the review again; if it stays, check the endpoint's status and the runner's network")
}

func answerError(msg string) *review.EngineError {
	return failed(review.Answer, msg, "run the review again, or use another model")
}

// maxRetryAfter bounds what a server may ask for.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads how long to wait, in seconds or milliseconds; 0 = not said.
// A date is read against the answer's own Date, so that clocks need not agree.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return bounded(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return bounded(s * float64(time.Second))
	}
	at, err := http.ParseTime(v)
	now, err2 := http.ParseTime(h.Get("Date"))
	if err != nil || err2 != nil {
		return 0
	}
	return bounded(float64(at.Sub(now)))
}

func bounded(ns float64) time.Duration {
	if !(ns > 0) { // also what is no number
		return 0
	}
	return time.Duration(min(ns, float64(maxRetryAfter)))
}

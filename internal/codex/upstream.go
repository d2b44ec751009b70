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

	"workflow-reviewer/internal/advice"
	"workflow-reviewer/internal/review"
)

// received looks at the endpoint's answer before codex gets it. Any failure is recorded and handed
// on as a plain 400, the one status that makes codex end at once: it retries 401, and waits as long
// as a Retry-After says.
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
	failure := g.explain(resp.StatusCode, parseError(body, resp.Header), resp.Header)
	c.fail(failure)
	g.log("endpoint answered %s: %s", resp.Status, oneLine(string(body), g.key))
	text := errorBody(failure.Message)
	resp.StatusCode, resp.Status = http.StatusBadRequest, "400 Bad Request"
	resp.Header = http.Header{
		"Content-Type":   {"application/json"},
		"Content-Length": {strconv.Itoa(len(text))},
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader([]byte(text))), int64(len(text))
	return nil
}

// broken records a request that got no answer at all.
func (g *gate) broken(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil || errors.Is(err, context.Canceled) {
		return // codex has ended; why, the review knows
	}
	c := callOf(r)
	e := g.explain(0, apiError{Message: err.Error()}, nil)
	e.Err = err
	c.fail(e)
	refuse(w, e.Message)
}

// explain says what a refusal of the endpoint means. The status is 0 where none came.
func (g *gate) explain(status int, a apiError, h http.Header) *review.EngineError {
	why := advice.Model().Find(advice.Answer{Status: status, Codes: a.codes(), Message: a.Message})
	means := strings.ReplaceAll(why.Means, "{path}", g.endpoint.Path)
	e := failed(review.Class(why.Class), means, why.Do)
	if status != 0 {
		e.Message += fmt.Sprintf(" (%d)", status)
	}
	e.RetryAfter = reset(h, a)
	if e.RetryAfter >= time.Minute {
		e.Message += fmt.Sprintf(", until %s (%s from now)",
			time.Now().Add(e.RetryAfter).UTC().Format("2006-01-02 15:04 UTC"),
			e.RetryAfter.Round(time.Second))
	}
	switch said := oneLine(a.Message, g.key); {
	case said != "" && !why.Silent:
		e.Message += ": " + said
	case said == "" && status == 0:
		e.Message += ": it gave no reason"
	}
	return e
}

// stream explains a failure that came inside a stream, where some servers give the status as a
// code.
func (g *gate) stream(a apiError) *review.EngineError {
	status, err := strconv.Atoi(fmt.Sprint(a.Code))
	if err != nil || status < 400 || status > 599 {
		status = 0
	}
	return g.explain(status, a, nil)
}

func failed(class review.Class, message, action string) *review.EngineError {
	return &review.EngineError{Class: class, Message: message, Action: action}
}

// incompatible is the error of an endpoint that is no complete Responses API.
func incompatible(msg string) *review.EngineError {
	return failed(
		review.BadRequest,
		msg,
		"check that the input responses-api-endpoint is the full URL of a Responses API with streaming; "+
			"see docs/providers.md for what a server must offer",
	)
}

func requestError(msg string) *review.EngineError {
	const do = "check the inputs model, effort and responses-api-endpoint"
	return failed(review.BadRequest, msg, do)
}

// transportError is the failure of a connection, which is tried once more.
func transportError(what string) *review.EngineError {
	return failed(review.Transport, "Codex API failed: "+what,
		"run the review again; if it stays, check the endpoint's status and the runner's network")
}

func answerError(msg string) *review.EngineError {
	return failed(review.Answer, msg, "run the review again, or use another model")
}

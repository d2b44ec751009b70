package codex

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
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

package github

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"workflow-reviewer/internal/markdown"
)

// graphError is one error of a GraphQL answer, which has HTTP status 200.
type graphError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// graphErrors are the errors of an answer with status 200.
type graphErrors []graphError

func (es graphErrors) Error() string { return markdown.Line("GraphQL: "+es.text(), 400) }

// text is all that the errors say.
func (es graphErrors) text() string {
	msgs := make([]string, len(es))
	for i, e := range es {
		msgs[i] = e.Message
	}
	return strings.Join(msgs, "; ")
}

// query runs a GraphQL document that may be run twice. What passes is tried again.
func (c *Client) query(ctx context.Context, doc string, vars map[string]any, data any) error {
	again := func() (struct{}, bool, error) { return struct{}{}, false, nil }
	_, err := create(
		ctx, c, func() (struct{}, error) { return struct{}{}, c.queryOnce(ctx, doc, vars, data) },
		again,
	)
	return err
}

// queryOnce runs a document once. A rate limit, which arrives with status 200, is waited for;
// nothing was done then.
func (c *Client) queryOnce(ctx context.Context, doc string, vars map[string]any, data any) error {
	err := c.send(ctx, doc, vars, data)
	if !is(err, limit) {
		return err
	}
	if err := c.sleep(ctx, time.Minute); err != nil {
		return err
	}
	if err = c.send(ctx, doc, vars, data); is(err, limit) {
		return &LimitError{Wait: time.Minute, Ends: c.now().Add(time.Minute)}
	}
	return err
}

// send posts one GraphQL request and decodes its data. Errors come with status 200, so they are
// looked for before the data.
func (c *Client) send(ctx context.Context, doc string, vars map[string]any, data any) error {
	body := struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{doc, vars}
	req, err := c.api.NewRequest(http.MethodPost, c.graphqlURL, body)
	if err != nil {
		return err
	}
	var reply struct {
		Data   json.RawMessage `json:"data"`
		Errors graphErrors     `json:"errors"`
	}
	if _, err := c.api.Do(ctx, req, &reply); err != nil {
		return err
	}
	if len(reply.Errors) > 0 {
		return reply.Errors
	}
	return json.Unmarshal(reply.Data, data)
}

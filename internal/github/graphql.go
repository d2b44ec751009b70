package github

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// graphError is one error of a GraphQL answer, which has HTTP status 200.
type graphError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

type graphErrors []graphError

func (es graphErrors) Error() string {
	var msgs []string
	for _, e := range es {
		msgs = append(msgs, strings.TrimSpace(e.Type+" "+e.Message))
	}
	return oneLine("GraphQL: "+strings.Join(msgs, "; "), 400)
}

// any reports whether one of the errors has the type or speaks of one of the words.
func (es graphErrors) any(typ string, words ...string) bool {
	for _, e := range es {
		if e.Type == typ {
			return true
		}
		for _, w := range words {
			if strings.Contains(strings.ToLower(e.Message), w) {
				return true
			}
		}
	}
	return false
}

// query runs one GraphQL document. A rate limit, which arrives with status
// 200, is waited for once; nothing was done then.
func (c *Client) query(ctx context.Context, doc string, vars map[string]any, data any) error {
	es, err := c.queryOnce(ctx, doc, vars, data)
	if es.any("RATE_LIMITED") {
		if err := c.sleep(ctx, time.Minute); err != nil {
			return err
		}
		es, err = c.queryOnce(ctx, doc, vars, data)
		if es.any("RATE_LIMITED") {
			return &LimitError{Wait: time.Minute}
		}
	}
	if err == nil && len(es) > 0 {
		return es
	}
	return err
}

func (c *Client) queryOnce(ctx context.Context, doc string, vars map[string]any, data any) (graphErrors, error) {
	body := struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{doc, vars}
	req, err := c.api.NewRequest(http.MethodPost, c.graphqlURL, body)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Data   json.RawMessage `json:"data"`
		Errors graphErrors     `json:"errors"`
	}
	if _, err := c.api.Do(ctx, req, &reply); err != nil || len(reply.Errors) > 0 {
		return reply.Errors, err
	}
	return nil, json.Unmarshal(reply.Data, data)
}

package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	gh "github.com/google/go-github/v66/github"

	"workflow-reviewer/internal/lazyregexp"
)

var originURL = lazyregexp.New(
	`^(?:https?://|ssh://)?(?:[^@/]+@)?([A-Za-z0-9.-]+)(?::\d+)?` +
		`[:/]([A-Za-z0-9-]+)/([A-Za-z0-9._-]+?)(?:\.git)?/?$`,
)

// OriginOf takes the URL of a remote apart; all are "" where it is none of a GitHub server's form.
func OriginOf(remote string) (host, owner, name string) {
	m := originURL.FindStringSubmatch(remote)
	if m == nil {
		return "", "", ""
	}
	return m[1], m[2], m[3]
}

// RequiredChecks lists the status checks that a branch requires, by its rules and by the older
// protection.
func (c *Client) RequiredChecks(ctx context.Context, branch string) ([]string, error) {
	rules, _, err := c.api.Repositories.GetRulesForBranch(
		ctx, c.owner, c.repo, url.PathEscape(branch),
	)
	if err != nil && statusOf(err) != http.StatusNotFound {
		return nil, explain(err, "read the rules of %s", branch)
	}
	var out []string
	for _, r := range rules {
		var required gh.RequiredStatusChecksRuleParameters
		if r.Type != "required_status_checks" || r.Parameters == nil {
			continue
		}
		if err := json.Unmarshal(*r.Parameters, &required); err != nil {
			return nil, fmt.Errorf("read the rules of %s: %w", branch, err)
		}
		for _, check := range required.RequiredStatusChecks {
			out = append(out, check.Context)
		}
	}
	b, resp, err := c.api.Repositories.GetBranch(ctx, c.owner, c.repo, branch, 1)
	if err != nil && (resp == nil || resp.StatusCode != http.StatusNotFound) {
		return nil, explain(err, "read the protection of %s", branch)
	}
	if old := b.GetProtection().GetRequiredStatusChecks(); old != nil && old.Contexts != nil {
		out = append(out, *old.Contexts...)
	}
	return slices.Compact(out), nil
}

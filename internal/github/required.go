package github

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	gh "github.com/google/go-github/v66/github"
)

var originURL = regexp.MustCompile(
	`^(?:https?://|ssh://)?(?:[^@/]+@)?([A-Za-z0-9.-]+)(?::\d+)?[:/]([A-Za-z0-9-]+)/([A-Za-z0-9._-]+?)(?:\.git)?/?$`,
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
	var rules []struct {
		Type       string
		Parameters struct {
			Checks []struct{ Context string } `json:"required_status_checks"`
		}
	}
	if err := c.read(ctx, "/rules/branches/"+url.PathEscape(branch), &rules); err != nil {
		return nil, err
	}
	var out []string
	for _, r := range rules {
		if r.Type == "required_status_checks" {
			for _, check := range r.Parameters.Checks {
				out = append(out, check.Context)
			}
		}
	}
	var b struct {
		Protection struct {
			Checks struct{ Contexts []string } `json:"required_status_checks"`
		}
	}
	if err := c.read(ctx, "/branches/"+url.PathEscape(branch), &b); err != nil {
		return nil, err
	}
	return slices.Compact(append(out, b.Protection.Checks.Contexts...)), nil
}

// read reads something of the repository; what is not there is left as it is.
func (c *Client) read(ctx context.Context, path string, into any) error {
	req, err := c.api.NewRequest(http.MethodGet, "repos/"+c.owner+"/"+c.repo+path, nil)
	if err != nil {
		return err
	}
	_, err = c.api.Do(ctx, req, into)
	var refused *gh.ErrorResponse
	if errors.As(err, &refused) && refused.Response.StatusCode == http.StatusNotFound {
		return nil
	}
	if err != nil {
		return explain(err, "read the rules of %s", path)
	}
	return nil
}

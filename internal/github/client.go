package github

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	gh "github.com/google/go-github/v66/github"

	"workflow-reviewer/internal/markdown"
)

// Options configure a Client. Token, APIURL, Owner and Repo are required.
type Options struct {
	Token      string
	APIURL     string // GITHUB_API_URL; https, or http on loopback
	GraphQLURL string // GITHUB_GRAPHQL_URL; "" = beside APIURL
	Owner      string
	Repo       string
	UserAgent  string // "" = workflow-reviewer

	Base    http.RoundTripper                          // nil = http.DefaultTransport
	Now     func() time.Time                           // nil = time.Now
	Sleep   func(context.Context, time.Duration) error // nil = a timer
	Timeout time.Duration                              // of one try, 0 = 30 s
	MaxWait time.Duration                              // of all pauses together, 0 = 3 min
}

// Client works on one repository. It retries what is safe to retry and is safe for concurrent use.
//
// There are two ways to try again. The transport repeats a request that did nothing: one that a
// rate limit refused, and one that may be repeated. What must exist once is created by create,
// which looks for it after a failure that leaves open whether it was made. Both end with the
// context, and their pauses together last no longer than Options.MaxWait.
//
// It keeps the token in memory alone: no error and no request to another host carries it.
type Client struct {
	api         *gh.Client
	graphqlURL  string
	owner, repo string
	now         func() time.Time
	sleep       func(context.Context, time.Duration) error

	mu     sync.Mutex
	me     string // own login, once known
	nobody error  // why it cannot be known
}

// New checks the options and returns a client; it sends nothing.
func New(o Options) (*Client, error) {
	if o.Token == "" {
		return nil, errors.New("open GitHub client: no token; set the input github-token")
	}
	if _, _, ok := splitRepo(o.Owner + "/" + o.Repo); !ok {
		return nil, fmt.Errorf(
			"open GitHub client: repository %q is not owner/name", o.Owner+"/"+o.Repo,
		)
	}
	api, err := apiURL("API URL", strings.TrimSuffix(o.APIURL, "/")+"/")
	if err != nil {
		return nil, err
	}
	o.GraphQLURL = cmp.Or(
		o.GraphQLURL, strings.TrimSuffix(strings.TrimSuffix(o.APIURL, "/"), "/v3")+"/graphql",
	)
	graphql, err := apiURL("GraphQL URL", o.GraphQLURL)
	if err != nil {
		return nil, err
	}
	o.fill()
	t := &transport{
		base: o.Base, token: o.Token, origins: []string{origin(api), origin(graphql)},
		now: o.Now, sleep: o.Sleep, timeout: o.Timeout, left: o.MaxWait,
	}
	client := gh.NewClient(&http.Client{Transport: t, CheckRedirect: sameOriginReads})
	client.BaseURL, client.UserAgent = api, o.UserAgent
	return &Client{
		api: client, graphqlURL: graphql.String(), owner: o.Owner, repo: o.Repo,
		now: o.Now, sleep: o.Sleep,
	}, nil
}

// fill sets the defaults of options that were not given.
func (o *Options) fill() {
	if o.Base == nil {
		o.Base = http.DefaultTransport
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = pause
	}
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.MaxWait = cmp.Or(o.MaxWait, 3*time.Minute)
	o.UserAgent = cmp.Or(o.UserAgent, "workflow-reviewer")
}

// pause waits for a duration, or returns the context's error if that ends first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// apiURL parses a URL that the token may be sent to.
func apiURL(what, s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf(
			"open GitHub client: %s %q is not a plain http(s) URL", what, markdown.Line(s, 100),
		)
	}
	if u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname()) {
		return u, nil
	}
	return nil, fmt.Errorf(
		"open GitHub client: %s %q is not https; the token would be readable on the way", what, s,
	)
}

// loopback reports whether a host is this machine. Names other than localhost are not resolved.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// origin is a URL's scheme and host, to which a token may be sent.
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// sameOriginReads follows redirects of reads inside the API's origin only; Go would turn a
// redirected POST into a GET.
func sameOriginReads(req *http.Request, via []*http.Request) error {
	if len(via) >= 5 {
		return errors.New("too many redirects")
	}
	if first := via[0]; first.Method != http.MethodGet || origin(first.URL) != origin(req.URL) {
		return fmt.Errorf(
			"refuse redirect of %s to %s; was the repository renamed?", first.Method,
			origin(req.URL),
		)
	}
	return nil
}

// create posts something that must exist once. After a failure that leaves
// open whether it was made, find looks for it before it is posted again.
func create[T any](
	ctx context.Context, c *Client, post func() (T, error), find func() (T, bool, error),
) (T, error) {
	for wait := time.Second; ; wait *= 2 {
		made, err := post()
		if err == nil || !ambiguous(ctx, err) {
			return made, err
		}
		if serr := c.sleep(ctx, wait); serr != nil {
			return made, errors.Join(err, serr)
		}
		found, ok, ferr := find()
		if ferr != nil {
			return made, fmt.Errorf("%w (after: %w)", ferr, err)
		}
		if ok {
			return found, nil
		}
		if wait > 4*time.Second {
			return made, err
		}
	}
}

// Nonce is a random name of 32 hexadecimal digits.
func Nonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Package githubtest is a GitHub for tests: the REST and GraphQL calls that
// the product makes, and the repository over smart HTTP, on a loopback port.
//
// Every request and every answer is validated, REST against GitHub's OpenAPI description, GraphQL
// against GitHub's schema; a violation, or a call that is not served, fails the test. State lives
// in memory and in a bare git repository, so commits, diffs and merge bases are real.
package githubtest

import (
	"cmp"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Options describe the repository and the token's powers.
type Options struct {
	Owner, Repo   string // "octo-org", "hello" if empty
	Git           *Repo  // required
	Token         string // the only token that is let in; "test-token" if empty
	DefaultBranch string // "main" if empty

	// Login is whom the token acts as. Empty means a job's own token: GET /user is refused and it
	// acts as github-actions[bot]. A name that ends in [bot] is an App's.
	Login string
	// ReadOnly refuses every write, as for a pull request of a fork.
	ReadOnly bool
	// Denied are GraphQL mutations that the token may not do although it may write.
	Denied []string
	// Permissions by login: admin, write, read or none. Others are unknown.
	Permissions map[string]string
	// Logins of commit authors by e-mail address.
	Logins map[string]string
	// Now is the clock; a fixed one if nil.
	Now func() time.Time
}

// Server is a running fake. Its accessors return copies and may be called at any time.
type Server struct {
	// URL is the server's root, GITHUB_SERVER_URL.
	URL string

	t    testing.TB
	opts Options
	http *httptest.Server
	spec *spec
	done chan struct{} // closed at the test's end; frees hanging requests
	lag  atomic.Int64  // how long each request takes on its way, in nanoseconds

	mu       sync.Mutex
	fail     func(Call) *Fault
	turns    *Turns
	nextID   int64
	pulls    map[int]*PR
	checks   []*Check
	comments []*Comment
	inline   []*ReviewComment
	reacted  []Reaction
	verified map[string]bool
	hidden   map[int64]bool // check runs that listings lack, true where only those by name do
	requests []Request
}

// New starts a fake that ends with the test.
func New(t testing.TB, o Options) *Server {
	t.Helper()
	o.fill()
	if o.Git == nil {
		t.Fatal("githubtest.New: Options.Git is missing")
	}
	s := &Server{
		t: t, opts: o, spec: load(t), done: make(chan struct{}), nextID: 1000,
		pulls: map[int]*PR{}, verified: map[string]bool{}, hidden: map[int64]bool{},
	}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	t.Cleanup(func() {
		close(s.done)
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

func (o *Options) fill() {
	for p, d := range map[*string]string{
		&o.Owner: "octo-org", &o.Repo: "hello",
		&o.Token: "test-token", &o.DefaultBranch: "main",
	} {
		*p = cmp.Or(*p, d)
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC) }
	}
}

// Delay has every request from now on take so long on its way.
func (s *Server) Delay(d time.Duration) { s.lag.Store(int64(d)) }

// APIURL is GITHUB_API_URL, of the form that GitHub Enterprise Server has.
func (s *Server) APIURL() string { return s.URL + "/api/v3" }

// GraphQLURL is GITHUB_GRAPHQL_URL.
func (s *Server) GraphQLURL() string { return s.URL + "/api/graphql" }

// CloneURL is the repository's address for git.
func (s *Server) CloneURL() string { return s.URL + "/" + s.full() + ".git" }

func (s *Server) full() string { return s.opts.Owner + "/" + s.opts.Repo }

// self is the login that the token acts as.
func (s *Server) self() string {
	return cmp.Or(s.opts.Login, "github-actions[bot]")
}

func (s *Server) id() int64 {
	s.nextID++
	return s.nextID
}

// Checks lists the check runs in the order of their creation.
func (s *Server) Checks() []Check { return copies(s, &s.checks) }

// Comments lists the pull requests' comments in the order of their creation.
func (s *Server) Comments() []Comment { return copies(s, &s.comments) }

// ReviewComments lists the comments on lines in the order of their creation.
func (s *Server) ReviewComments() []ReviewComment { return copies(s, &s.inline) }

func copies[T any](s *Server, from *[]*T) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []T
	for _, p := range *from {
		out = append(out, *p)
	}
	return out
}

// Labels lists the labels of a pull request, sorted.
func (s *Server) Labels(number int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pulls[number]
	if p == nil {
		return nil
	}
	return slices.Sorted(slices.Values(p.Labels))
}

// Reactions lists the reactions to comments.
func (s *Server) Reactions() []Reaction {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.reacted)
}

// Requests lists all requests, those of git included, in the order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// AddComment puts a comment of anyone on a pull request and returns its id.
func (s *Server) AddComment(number int, author, body string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Comment{ID: s.id(), Number: number, Author: author, Body: body}
	s.comments = append(s.comments, c)
	return c.ID
}

// AddCheck puts a check run of anyone on a commit and returns its id.
func (s *Server) AddCheck(c Check) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.ID = s.id()
	s.checks = append(s.checks, &c)
	return c.ID
}

// AddReviewComment puts a comment of anyone on a line and returns its id.
func (s *Server) AddReviewComment(c ReviewComment) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.ID, c.Side = s.id(), cmp.Or(c.Side, "RIGHT")
	s.inline = append(s.inline, &c)
	return c.ID
}

// Sign has a commit count as signed by its committer.
func (s *Server) Sign(sha string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verified[sha] = true
}

// Hide leaves a check run out of listings, which count it all the same: of those by name alone, or
// of all.
func (s *Server) Hide(id int64, byNameAlone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hidden[id] = byNameAlone
}

// SetLabels replaces the labels of a pull request.
func (s *Server) SetLabels(number int, labels ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pulls[number].Labels = labels
}

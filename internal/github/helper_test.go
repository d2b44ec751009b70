package github_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

// world is a fake GitHub with main, feature/login one commit ahead of it, and
// pull request 7 between them, and a client that never really sleeps.
type world struct {
	*githubtest.Server
	repo  *githubtest.Repo
	api   *github.Client
	clock *clock
}

// clock stands still but for sleeps.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

const spec = "# Login\n\n## Goal\n\nUsers log in.\n"

// template is made once and copied for each test: starting git takes longer
// than most tests.
var template = struct {
	sync.Once
	dir string
}{}

func repository(t *testing.T) *githubtest.Repo {
	t.Helper()
	template.Do(func() {
		r := githubtest.OpenRepo(t, filepath.Join(template.dir, "repo.git"))
		r.Commit("main", "Start", githubtest.Text(map[string]string{"README.md": "hello\n"}))
		r.Branch("feature/login", "main")
		head := r.Commit("feature/login", "Propose login", githubtest.Text(map[string]string{"specs/proposed/login.md": spec}))
		r.Git("update-ref", "refs/pull/7/head", head)
	})
	return githubtest.OpenRepo(t, filepath.Join(template.dir, "repo.git")).Clone(t)
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "github-test-")
	if err != nil {
		panic(err)
	}
	template.dir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func start(t *testing.T, o githubtest.Options) *world {
	t.Helper()
	repo := repository(t)
	o.Git = repo
	s := githubtest.New(t, o)
	s.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Labels: []string{"re-review", "bug"}})
	w := &world{Server: s, repo: repo, clock: &clock{now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)}}
	w.api = w.client(t, nil)
	return w
}

// client is a new client of the world, with options changed by tune.
func (w *world) client(t *testing.T, tune func(*github.Options)) *github.Client {
	t.Helper()
	o := github.Options{
		Token: "test-token", APIURL: w.APIURL(), GraphQLURL: w.GraphQLURL(), Owner: "octo-org", Repo: "hello",
		Base: &http.Transport{DisableKeepAlives: true}, Now: w.clock.Now, Sleep: w.clock.Sleep, Timeout: 10 * time.Second,
	}
	if tune != nil {
		tune(&o)
	}
	c, err := github.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// count is how many requests of the method arrived at paths with the suffix.
func (w *world) count(method, suffix string) int {
	n := 0
	for _, r := range w.Requests() {
		if r.Method == method && len(r.Path) >= len(suffix) && r.Path[len(r.Path)-len(suffix):] == suffix {
			n++
		}
	}
	return n
}

package gitrepo

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
)

func author() Author {
	return Author{Name: "Rev <x> Bot\n", Email: "bot@example.com", When: time.Unix(1_750_000_000, 0).UTC()}
}

// approvals are two commits: a review with a move, then another review.
func approvals() []change.Commit {
	return []change.Commit{{
		Subject: "Approve spec: login", Body: "reviews/specs/x.md\n\nReviewed-Head: abc\nWorkflow-Reviewer: 1",
		Writes: []change.Write{
			{Path: "reviews/specs/x.md", Content: []byte("fine\n")},
			{Path: "specs/todo/login.sh", Content: []byte("#!/bin/sh\n")},
		},
		Deletes: []string{"specs/proposed/login.sh"},
	}, {
		Subject: "Review: 1 artifact needs changes",
		Writes:  []change.Write{{Path: "reviews/tests/y.md", Content: []byte("not yet\n")}, {Path: "run.sh", Content: []byte("v2\n")}},
	}}
}

// branch makes repository o with the files that approvals move, and o.git.
func (s *sandbox) branch() (head string) {
	s.t.Helper()
	s.init("o")
	s.commit("o", "one", "keep/a", "1\n", "specs/proposed/login.sh", "#!/bin/sh\n", "run.sh", "v1\n")
	for _, f := range []string{"specs/proposed/login.sh", "run.sh"} {
		if err := os.Chmod(s.path("o", f), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	head = s.commit("o", "two")
	s.git("", "clone", "-q", "--bare", "o", "o.git")
	s.git("o.git", "config", "http.receivepack", "true")
	s.git("o.git", "config", "uploadpack.allowAnySHA1InWant", "true")
	return head
}

// checkApproved looks with git at what a push or Apply has made.
func (s *sandbox) checkApproved(repo, rev, head string) {
	s.t.Helper()
	want := "100644 keep/a\n100644 reviews/specs/x.md\n100644 reviews/tests/y.md\n100755 run.sh\n100755 specs/todo/login.sh"
	got := s.git(repo, "ls-tree", "-r", "--format=%(objectmode) %(path)", rev)
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Errorf("tree (-want +got):\n%s", diff)
	}
	if parent := s.git(repo, "rev-parse", rev+"~2"); parent != head {
		s.t.Errorf("the commits sit on %s, not on %s", parent, head)
	}
	log := s.git(repo, "log", "-1", "--format=%an|%ae|%cn|%at|%s|%(trailers:key=Reviewed-Head,valueonly)", rev+"~1")
	if want := "Rev x Bot|bot@example.com|Rev x Bot|1750000000|Approve spec: login|abc"; strings.TrimSpace(log) != want {
		s.t.Errorf("commit %q, want %q", log, want)
	}
	if out, err := s.tryGit(repo, "", "fsck", "--strict"); err != nil {
		s.t.Errorf("git fsck: %v\n%s", err, out)
	}
}

func TestPush(t *testing.T) {
	for _, tt := range []struct {
		name string
		url  func(*sandbox, *server) string
	}{
		{name: "http", url: func(_ *sandbox, srv *server) string { return srv.URL + "/o.git" }},
		{name: "path", url: func(s *sandbox, _ *server) string { return s.path("o.git") }},
		{name: "file url", url: func(s *sandbox, _ *server) string { return "file://" + s.path("o.git") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			head := s.branch()
			srv := s.serve()
			s.git("", "clone", "-q", "--depth=1", "file://"+s.path("o.git"), "w")
			s.git("w", "remote", "set-url", "origin", tt.url(s, srv))
			opt := srv.options(s.path("w"), "o.git")
			r := s.open(opt)
			got, err := r.Push(context.Background(), "main", head, approvals(), author())
			tip, tipErr := r.Tip(context.Background(), "main")
			_, staleErr := r.Push(context.Background(), "main", head, approvals(), author())
			if err != nil {
				t.Fatal(err)
			}
			if tip != got || tipErr != nil {
				t.Errorf("tip %q, %v; pushed %q", tip, tipErr, got)
			}
			if !errors.Is(staleErr, change.ErrHeadMoved) {
				t.Errorf("push on a stale head: %v", staleErr)
			}
			s.checkApproved("o.git", got, head)
			if now := s.git("w", "rev-parse", "HEAD"); now != head {
				t.Error("the workspace's HEAD moved")
			}
			if tree, err := r.Tree(got); err != nil || read(t, tree, "reviews/tests/y.md") != "not yet\n" {
				t.Errorf("the pushed commit cannot be read: %v", err)
			}
		})
	}
}

func TestPushIsRefused(t *testing.T) {
	hook := func(s *sandbox, name, text string) {
		s.file("o.git/hooks/"+name, "#!/bin/sh\n"+text)
		if err := os.Chmod(s.path("o.git/hooks", name), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, remote := range []string{"http", "path"} {
		for _, tt := range []struct {
			name  string
			setup func(*sandbox, *server)
			want  error
			words []string
			skip  string // a remote that this does not concern
		}{
			{"hook", func(s *sandbox, _ *server) {
				hook(s, "pre-receive", "echo >&2 protected: ask Ann; exit 1\n")
			}, change.ErrReadOnly, []string{"hook"}, ""},
			{"update hook", func(s *sandbox, _ *server) {
				hook(s, "update", "echo >&2 no; exit 1\n")
			}, change.ErrReadOnly, []string{"hook"}, ""},
			{"moved before", func(s *sandbox, _ *server) {
				s.git("o.git", "update-ref", "refs/heads/main", "refs/heads/main~1")
			}, change.ErrHeadMoved, nil, ""},
			{"branch gone", func(s *sandbox, _ *server) {
				s.git("o.git", "update-ref", "-d", "refs/heads/main")
			}, change.ErrHeadMoved, nil, ""},
			{"moved meanwhile", func(s *sandbox, _ *server) {
				hook(s, "pre-receive", "unset GIT_QUARANTINE_PATH; git update-ref refs/heads/main refs/heads/main~1\n")
			}, change.ErrHeadMoved, nil, "path"},
			{"locked", func(s *sandbox, _ *server) { s.file("o.git/refs/heads/main.lock", "x") }, change.ErrHeadMoved, nil, ""},
			{"403", func(_ *sandbox, srv *server) {
				srv.setFault(func(w http.ResponseWriter, req *http.Request) bool {
					if !strings.Contains(req.URL.String(), "receive-pack") {
						return false
					}
					http.Error(w, "Permission to o/o.git denied to github-actions[bot].", http.StatusForbidden)
					return true
				})
			}, change.ErrReadOnly, []string{"denied to github-actions"}, "path"},
		} {
			if tt.skip == remote {
				continue
			}
			t.Run(remote+"/"+tt.name, func(t *testing.T) {
				s := newSandbox(t)
				head := s.branch()
				srv := s.serve()
				opt := srv.options(s.path("o"), "o.git")
				s.git("o", "remote", "add", "origin", map[bool]string{true: opt.Remote, false: s.path("o.git")}[remote == "http"])
				r := s.open(opt)
				tt.setup(s, srv)
				before, _ := s.tryGit("o.git", "", "for-each-ref")
				_, err := r.Push(context.Background(), "main", head, approvals(), author())
				mustFail(t, err, tt.words...)
				if !errors.Is(err, tt.want) {
					t.Errorf("error %v, want %v", err, tt.want)
				}
				after, _ := s.tryGit("o.git", "", "for-each-ref")
				if before != after && tt.name != "moved meanwhile" {
					t.Errorf("refs changed:\n%s", cmp.Diff(before, after))
				}
			})
		}
	}
}

func TestPushToACheckedOutBranchIsRefused(t *testing.T) {
	s := newSandbox(t)
	head := s.branch()
	r := s.open(Options{Remote: s.path("o")})
	_, err := r.Push(context.Background(), "main", head, approvals(), author())
	mustFail(t, err, "checked out")
	if !errors.Is(err, change.ErrReadOnly) {
		t.Errorf("error %v", err)
	}
}

func TestPushAnswerIsLost(t *testing.T) {
	s := newSandbox(t)
	head := s.branch()
	srv := s.serve()
	r := s.open(srv.options("", "o.git"))
	if err := r.Fetch(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	var done atomic.Bool
	srv.setFault(func(_ http.ResponseWriter, req *http.Request) bool {
		if !strings.HasSuffix(req.URL.Path, "/git-receive-pack") || done.Swap(true) {
			return false
		}
		srv.Config.Handler.ServeHTTP(&counter{discard{}, &srv.sent}, req)
		panic(http.ErrAbortHandler)
	})
	got, err := r.Push(context.Background(), "main", head, approvals(), author())
	if err != nil {
		t.Fatal(err)
	}
	s.checkApproved("o.git", got, head)
}

// discard takes an answer that never reaches its client.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

func TestPathsThatMayNotBeWritten(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	if err := os.Symlink("/tmp", s.path("r/link")); err != nil {
		t.Fatal(err)
	}
	head := s.commit("r", "one", "file", "1", "dir/x", "2")
	s.git("", "clone", "-q", "--bare", "r", "o.git")
	r := s.open(Options{Remote: s.path("o.git")})
	for _, path := range []string{
		"", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/.", ".git/config", "sub/.GIT/x", ".git./x", "git~1/x",
		"a\\b", "a\nb", "c:x", "\xff", "link/x", "link", "file/x", "dir", strings.Repeat("a/", 3000) + "a",
	} {
		_, err := r.Push(context.Background(), "main", head,
			[]change.Commit{{Subject: "x", Writes: []change.Write{{Path: path}}}}, author())
		if err == nil {
			t.Errorf("wrote %q", path)
		}
	}
	for name, c := range map[string]change.Commit{
		"delete what is not there": {Deletes: []string{"nope"}},
		"delete a folder":          {Deletes: []string{"dir"}},
		"delete through a link":    {Deletes: []string{"link/x"}},
		"twice":                    {Writes: []change.Write{{Path: "a"}, {Path: "a"}}},
		"file and folder":          {Writes: []change.Write{{Path: "a"}, {Path: "a/b"}}},
	} {
		if _, err := r.Push(context.Background(), "main", head, []change.Commit{c}, author()); err == nil {
			t.Errorf("accepted: %s", name)
		}
	}
	if now := s.git("o.git", "rev-parse", "main"); now != head {
		t.Error("the branch moved")
	}
}

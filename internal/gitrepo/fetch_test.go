package gitrepo

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var prFiles = []string{"modified a.txt", "deleted b.txt", "added c.txt"}

func TestPlanFromEveryWorkspace(t *testing.T) {
	s := newSandbox(t)
	base, mergeBase, head := s.forge(true)
	srv := s.serve()
	clone := func(args ...string) {
		s.git("", append([]string{"-c", "http.extraHeader=Authorization: Basic " + basic(), "clone", "-q"}, args...)...)
	}
	url := srv.URL + "/o.git"
	clone("--depth=1", url, "depth1")
	clone("--depth=1", "--no-checkout", url, "nocheckout")
	clone("--depth=1", "--sparse", url, "sparse")
	clone("--filter=blob:none", "--no-checkout", url, "partial")
	clone("--filter=tree:0", "--no-checkout", url, "treeless")
	clone(url, "full")
	clone("--bare", url, "bare.git")
	s.git("full", "worktree", "add", "-q", "../linked", "HEAD")
	s.git("", "init", "-q", "empty")
	s.git("", "-c", "protocol.file.allow=always", "clone", "-q", "--shared", "full", "shared")
	s.git("shared", "remote", "set-url", "origin", url)
	s.git("", "clone", "-q", "--depth=1", "file://"+s.path("o.git"), "pathdepth1")
	s.git("", "clone", "-q", "--depth=1", "file://"+s.path("o.git"), "relative")
	s.git("relative", "remote", "set-url", "origin", "../o.git")
	s.git("", "clone", "-q", "--depth=1", "file://"+s.path("o.git"), "ssh")
	s.git("ssh", "remote", "set-url", "origin", "git@github.com:o/o.git")
	if err := os.Mkdir(s.path("norepo"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, workspace := range []string{
		"depth1", "nocheckout", "sparse", "partial", "treeless", "full", "bare.git", "linked", "empty", "shared",
		"pathdepth1", "relative", "ssh", "norepo", "missing", "",
	} {
		t.Run("workspace "+workspace, func(t *testing.T) {
			s := &sandbox{t: t, dir: s.dir}
			opt := srv.options("", "o.git")
			if workspace != "" {
				opt.Workspace = s.path(workspace)
			}
			r := s.open(opt)
			ctx := context.Background()
			if err := r.Fetch(ctx, base, head); err != nil {
				t.Fatal(err)
			}
			set := s.set(r, base, head)
			if diff := cmp.Diff(prFiles, brief(set)); diff != "" || set.MergeBase != mergeBase {
				t.Errorf("merge base %s, files (-want +got):\n%s", set.MergeBase, diff)
			}
			if got := read(t, set.MergeBaseTree, "b.txt"); got != "1\n" {
				t.Errorf("b.txt was %q", got)
			}
			if got := read(t, set.BaseTree, "main.txt"); got != lines(5, "main") {
				t.Errorf("main.txt is %q", got)
			}
			for _, tree := range []interface{ Commit() string }{set.BaseTree, set.HeadTree} {
				full, err := r.Tree(tree.Commit())
				if err != nil {
					t.Fatal(err)
				}
				entries, err := full.List("")
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					read(t, full, e.Path)
				}
			}
		})
	}
	if n := srv.leaks.Load(); n != 0 {
		t.Errorf("%d requests with foreign credentials", n)
	}
}

func TestStoreIsReadableByAnotherProcess(t *testing.T) {
	s := newSandbox(t)
	base, _, head := s.forge(true)
	srv := s.serve()
	s.git("", "clone", "-q", "--depth=1", "file://"+s.path("o.git"), "w")
	s.git("w", "remote", "set-url", "origin", srv.URL+"/o.git")
	r := s.open(srv.options(s.path("w"), "o.git"))
	if err := r.Fetch(context.Background(), base, head); err != nil {
		t.Fatal(err)
	}
	other, err := OpenStore(r.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for sha, path := range map[string]string{base: "main.txt", head: "c.txt"} {
		tree, err := other.Tree(sha)
		if err != nil {
			t.Fatal(err)
		}
		read(t, tree, path)
	}
	mustFail(t, other.Fetch(context.Background(), strings.Repeat("1", 40)), "not in the object store")
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Dir()); err != nil {
		t.Errorf("closing a reader removed the store: %v", err)
	}
}

func TestOnlyWhatIsMissingIsFetched(t *testing.T) {
	s := newSandbox(t)
	base, _, _ := s.forge(true)
	srv := s.serve()
	s.git("", "clone", "-q", "--depth=1", "file://"+s.path("o.git"), "w")
	s.git("w", "remote", "set-url", "origin", srv.URL+"/o.git")
	r := s.open(srv.options(s.path("w"), "o.git"))
	ctx := context.Background()
	if err := r.Fetch(ctx, base); err != nil {
		t.Fatal(err)
	}
	if n := srv.requests.Load(); n != 0 {
		t.Errorf("%d requests for a commit that the workspace holds", n)
	}
	if err := r.Fetch(ctx, s.git("o", "rev-parse", base+"~2")); err != nil {
		t.Fatal(err)
	}
	if n := srv.sent.Load(); n > 2500 {
		t.Errorf("%d bytes for a commit that differs in one file", n)
	}
}

// A server that gives no hidden commits gives, over http, all that its refs reach; what they do not is an error that says
// what may have become of it.
func TestServersThatServeOnlyRefs(t *testing.T) {
	s := newSandbox(t)
	base, mergeBase, head := s.forge(false)
	srv := s.serve()
	r := s.open(srv.options("", "o.git"))
	older := s.git("o", "rev-parse", head+"~1")
	if err := r.Fetch(context.Background(), base, older); err != nil {
		t.Fatal(err)
	}
	if set := s.set(r, base, older); set.MergeBase != mergeBase {
		t.Errorf("merge base %s", set.MergeBase)
	}
	mustFail(t, r.Fetch(context.Background(), strings.Repeat("1", 40)), "111111111111", "force-pushed", "add a checkout step")
}

func TestMergeBaseOfShallowHistory(t *testing.T) {
	s := newSandbox(t)
	base, mergeBase, head := s.forge(true)
	srv := s.serve()
	ctx := context.Background()
	tests := map[string]struct {
		ask func(context.Context, string, string) (string, error)
	}{
		"asked":            {func(context.Context, string, string) (string, error) { return mergeBase, nil }},
		"no one to ask":    {nil},
		"asking fails":     {func(context.Context, string, string) (string, error) { return "", errors.New("404") }},
		"answer is no sha": {func(context.Context, string, string) (string, error) { return "main", nil }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			opt := srv.options("", "o.git")
			opt.MergeBase = tt.ask
			r := (&sandbox{t: t, dir: s.dir}).open(opt)
			if err := r.Fetch(ctx, base, head); err != nil {
				t.Fatal(err)
			}
			set, err := r.Set(ctx, base, head)
			if err != nil || set.MergeBase != mergeBase {
				t.Errorf("merge base %q, %v", set.MergeBase, err)
			}
		})
	}
	t.Run("nowhere to go", func(t *testing.T) {
		s.git("", "clone", "-q", "--depth=1", "--no-single-branch", "file://"+s.path("o.git"), "w")
		s.git("w", "fetch", "-q", "--depth=1", "origin", "refs/pull/7/head")
		s.git("w", "remote", "remove", "origin")
		r := (&sandbox{t: t, dir: s.dir}).open(Options{Workspace: s.path("w")})
		_, err := r.Set(ctx, base, head)
		mustFail(t, err, "history is incomplete", "fetch-depth: 0")
	})
}

func TestUnusableRemotesAndFormats(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	s.commit("r", "one", "a", "1")
	ctx := context.Background()
	want := strings.Repeat("1", 40)
	for url, words := range map[string][]string{
		"":                                       {"no remote"},
		"http://u:" + testToken + "@evil.test/o": {"http://evil.test/o", "not supported"},
		"git://github.com/o/r":                   {"not supported"},
		"https://u:" + testToken + "@/x":         {"names no host"},
		"https://u:" + testToken + "@bad host/":  {"cannot be parsed"},
		"../gone":                                {"no git repository"},
	} {
		r := s.open(Options{Workspace: s.path("r"), Remote: url})
		mustFail(t, r.Fetch(ctx, want), append(words, "111111111111", "fetch-depth: 0")...)
	}
	for key, value := range map[string]string{"extensions.objectFormat": "sha256", "extensions.refStorage": "reftable"} {
		s.init("odd-" + value)
		s.git("odd-"+value, "config", key, value)
		_, err := Open(ctx, Options{Workspace: s.path("odd-" + value), Dir: s.path("odd-store")})
		mustFail(t, err, value, "not supported: ")
	}
	mustFail(t, s.open(Options{}).Fetch(ctx, "main"), "40 hexadecimal digits")
}

// TestPartialCloneWithoutRemote: contents that nobody needs may be missing; who
// needs one is told why it is not there. Without its folders a commit is no use.
func TestPartialCloneWithoutRemote(t *testing.T) {
	s := newSandbox(t)
	s.init("o")
	base := s.commit("o", "one", "a", "1", "film.mp4", "1")
	head := s.commit("o", "two", "a", "2", "film.mp4", "-", "moved.mp4", "2")
	s.git("o", "config", "uploadpack.allowFilter", "true")
	for filter, listable := range map[string]bool{"blob:none": true, "tree:0": false} {
		s.git("", "clone", "-q", "--filter="+filter, "--no-checkout", "file://"+s.path("o"), filter[:4])
		s.git(filter[:4], "remote", "remove", "origin")
		r := s.open(Options{Workspace: s.path(filter[:4])})
		ctx := context.Background()
		err := r.Fetch(ctx, base, head)
		if !listable {
			mustFail(t, err, "files of commit "+base[:12]+" are not in the partial clone", "no remote", `without "filter"`)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		set, err := r.Set(ctx, base, head)
		if err != nil || len(set.Files) != 3 {
			t.Fatalf("%+v, %v", set.Files, err)
		}
		if entries, err := set.HeadTree.List(""); err != nil || len(entries) != 2 {
			t.Errorf("%+v, %v", entries, err)
		}
		_, err = set.HeadTree.ReadFile("a")
		mustFail(t, err, `"a"`, "not in the partial clone", `without "filter"`)
	}
}

func TestTokenGoesToItsHostAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		url  string
		opt  Options
		want string
	}{
		"own host":           {"https://github.com/o/r", Options{Token: "t", AuthHost: "github.com"}, "x-access-token"},
		"host of the remote": {"https://ghe.corp/o/r", Options{Token: "t", Remote: "https://ghe.corp/o/r"}, "x-access-token"},
		"other host":         {"https://evil.test/o/r", Options{Token: "t", AuthHost: "github.com"}, ""},
		"subdomain":          {"https://x.github.com/o/r", Options{Token: "t", AuthHost: "github.com"}, ""},
		"other port":         {"https://github.com:444/o/r", Options{Token: "t", AuthHost: "github.com"}, ""},
		"own credentials":    {"https://me:pw@evil.test/o/r", Options{Token: "t", AuthHost: "github.com"}, "me"},
		"ssh":                {"git@github.com:o/r.git", Options{Token: "t", AuthHost: "github.com"}, "x-access-token"},
		"ssh elsewhere":      {"ssh://git@evil.test:22/o/r.git", Options{Token: "t", AuthHost: "github.com"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := parseRemote(tt.url, "", tt.opt)
			got := ""
			if m.auth != nil {
				got = strings.TrimPrefix(strings.SplitN(m.auth.String(), ":", 2)[0], "http-basic-auth - ")
				got = strings.TrimSpace(strings.TrimPrefix(got, "http-basic-auth -"))
			}
			if got != tt.want || m.problem != nil {
				t.Errorf("credentials of %q, want %q (%v)", got, tt.want, m.problem)
			}
			if strings.Contains(m.String(), "pw") {
				t.Errorf("remote prints as %q", m)
			}
		})
	}
}

func TestOpenTouchesNothing(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	head := s.commit("r", "one", "a", "1")
	before := s.snapshot("r")
	r := s.open(Options{Workspace: s.path("r"), Dir: s.path("store")})
	s.set(r, "", head)
	if diff := cmp.Diff(before, s.snapshot("r")); diff != "" {
		t.Errorf("the workspace changed:\n%s", diff)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.path("store")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the store is left behind: %v", err)
	}
}

// snapshot is every file below a folder with its time and size.
func (s *sandbox) snapshot(folder string) map[string]string {
	s.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(s.path(folder), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			out[path] = info.ModTime().String() + info.Mode().String()
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func basic() string {
	req := &http.Request{Header: http.Header{}}
	req.SetBasicAuth("x-access-token", testToken)
	return strings.TrimPrefix(req.Header.Get("Authorization"), "Basic ")
}

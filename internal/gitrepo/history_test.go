package gitrepo

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBroughtAfterBase(t *testing.T) {
	s := newSandbox(t)
	s.init("o")
	s.commit("o", "root", "old.json", "old", "x", "1")
	base := s.commit("o", "base", "x", "2")
	s.git("o", "checkout", "-q", "-b", "pr")
	s.commit("o", "forged", "rec.json", "v1")
	s.commit("o", "removed", "rec.json", "-")
	second := s.commit("o", "again", "rec.json", "v1")
	s.commit("o", "other", "x", "3")
	s.git("o", "checkout", "-q", "-b", "side", "HEAD~1")
	bySide := s.commit("o", "side", "side.json", "s")
	s.git("o", "checkout", "-q", "pr")
	s.now++
	s.git("o", "merge", "-q", "--no-ff", "-m", "merge", "side")
	head := s.commit("o", "last", "y", "1")
	s.git("o", "update-ref", "refs/pull/1/head", head)
	s.git("", "clone", "-q", "--bare", "o", "o.git")
	s.git("o.git", "config", "uploadpack.allowAnySHA1InWant", "true")
	s.git("o.git", "config", "uploadpack.allowFilter", "true")
	srv := s.serve()
	s.git("", "clone", "-q", "--depth=1", "--no-checkout", "file://"+s.path("o.git"), "shallow")
	s.git("shallow", "remote", "set-url", "origin", srv.URL+"/o.git")
	for _, workspace := range []string{"o", "shallow", "none"} {
		t.Run(workspace, func(t *testing.T) {
			s := &sandbox{t: t, dir: s.dir}
			r := s.open(srv.options(s.path(workspace), "o.git"))
			ctx := context.Background()
			if err := r.Fetch(ctx, base, head); err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]string{"rec.json": second, "side.json": bySide, "y": head, "old.json": ""} {
				info, ok, err := r.Brought(ctx, path, s.git("o", "rev-parse", head+":"+path), base, head)
				if err != nil || ok != (want != "") || info.SHA != want {
					t.Errorf("%s: %v %q %v, want %q", path, ok, info.Subject, err, want)
				}
			}
			if _, ok, err := r.Brought(ctx, "rec.json", strings.Repeat("1", 40), base, head); ok || err != nil {
				t.Errorf("another blob: %v, %v", ok, err)
			}
		})
	}
}

func TestCommit(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	first := s.commit("r", "Root", "a", "1", "b/c", "1")
	second := s.commit("r", "Approve tests: add\n\nreviews/x.md\n\nApproved-Tests: add 123\nApproved-Tests: sub 456\nReviewed-Head: abc",
		"a", "-", "d", "1")
	r := s.open(Options{Workspace: s.path("r")})
	info, err := r.Commit(second)
	if err != nil {
		t.Fatal(err)
	}
	if info.Subject != "Approve tests: add" || info.Trailer("reviewed-head") != "abc" || len(info.Trailers["Approved-Tests"]) != 2 ||
		cmp.Diff(info.Parents, []string{first}) != "" ||
		info.Time.Unix() != 1_700_000_002 || !strings.HasPrefix(info.Body, "reviews/x.md") {
		t.Errorf("%+v", info)
	}
	if _, err := r.Commit(s.git("r", "rev-parse", "HEAD:d")); err == nil {
		t.Error("a blob is taken for a commit")
	}
}

// TestHeadersOutOfPlaceMeanNothing: git and GitHub show such a commit with its first tree, and both
// accept it. Read by its last one it would seem to change nothing.
func TestHeadersOutOfPlaceMeanNothing(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	base := s.commit("r", "one", "test.py", "assert add(1, 2) == 3\n")
	changed := s.commit("r", "two", "test.py", "pass\n")
	other := s.commit("r", "three", "more", "x")
	id := func(rev string) string { return s.git("r", "rev-parse", rev) }
	plain := "tree " + id(changed+"^{tree}") + "\nparent " + base +
		"\nauthor A <a@e> 1700000009 +0000\ncommitter C <c@e> 1700000009 +0000\n"
	for name, more := range map[string]string{
		"a tree":      "tree " + id(base+"^{tree}") + "\n",
		"a parent":    "parent " + other + "\n",
		"a committer": "committer C <c@e> 1 +0000\n",
		"in another":  "gpgsig x\n tree " + id(base+"^{tree}") + "\ntree " + id(base+"^{tree}") + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := plain + more + "\nmessage\n"
			head := s.gitIn("r", text, "hash-object", "-t", "commit", "-w", "--stdin")
			s.git("r", "fsck", "--strict", head)
			r := s.open(Options{Workspace: s.path("r")})
			set := s.set(r, base, head)
			if diff := cmp.Diff([]string{"modified test.py"}, brief(set)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			info, err := r.Commit(head)
			if err != nil || info.Time.Unix() != 1_700_000_009 || !slices.Equal(info.Parents, []string{base}) {
				t.Errorf("%+v, %v", info, err)
			}
		})
	}
}

func TestTrailersNeedAParagraphOfTheirOwn(t *testing.T) {
	for body, want := range map[string]map[string][]string{
		"":                         {},
		"Key: value":               {"Key": {"value"}},
		"text\n\nKey: a\nKey: b\n": {"Key": {"a", "b"}},
		"Key: a\n\ntext":           {},
		"Key: a\nand text: b":      {},
		"text: a b\nmore":          {},
	} {
		if diff := cmp.Diff(want, trailers(body)); diff != "" {
			t.Errorf("%q:\n%s", body, diff)
		}
	}
}

func TestResolve(t *testing.T) {
	s := newSandbox(t)
	s.init("o")
	first := s.commit("o", "one", "a", "1")
	second := s.commit("o", "two", "a", "2")
	s.git("o", "checkout", "-q", "-b", "feature/x", first)
	side := s.commit("o", "side", "b", "1")
	s.git("o", "checkout", "-q", "main")
	s.now++
	s.git("o", "merge", "-q", "--no-ff", "-m", "merge", "feature/x")
	head := s.git("o", "rev-parse", "HEAD")
	s.git("o", "tag", "-a", "-m", "v1", "v1", second)
	s.git("o", "tag", "light", first)
	s.git("o", "pack-refs", "--all")
	s.git("", "clone", "-q", "o", "r")
	r := s.open(Options{Workspace: s.path("r"), Clone: realGit()})
	ctx := context.Background()
	for rev, want := range map[string]string{
		"HEAD": head, "@": head, "main": head, "origin/main": head, "feature/x": side, "origin/feature/x": side,
		"refs/remotes/origin/main": head, "v1": second, "light": first, "refs/tags/v1": second, head: head, head[:7]: head, head[:8]: head,
		"HEAD~1": second, "HEAD~2": first, "HEAD^": second, "HEAD^2": side, "@~": second, "HEAD^2~1": first, "HEAD^0": head,
		"v1~1": first, "HEAD~~": first,
	} {
		if got, err := r.Resolve(ctx, rev); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", rev, got, err, want)
		}
	}
	for _, rev := range []string{
		"", "nope", "~1", "HEAD~9", "HEAD^3", "HEAD^{tree}", "HEAD~x", "../x", "main:a", "abc",
		strings.Repeat("1", 40), "HEAD~99999999999999999999",
	} {
		if got, err := r.Resolve(ctx, rev); err == nil {
			t.Errorf("%q is %q", rev, got)
		}
	}
	if _, err := s.open(Options{}).Resolve(ctx, "HEAD"); err == nil {
		t.Error("HEAD of nothing")
	}
	if Root(s.path("r/.git/objects")) == "" || Root(s.dir) != "" {
		t.Errorf("roots %q, %q", Root(s.path("r/.git/objects")), Root(s.dir))
	}
}

func TestChangedWithin(t *testing.T) {
	const day = 24 * 60 * 60
	s := newSandbox(t)
	s.init("o")
	s.commit("o", "root", "first.md", "1", "x", "1")
	s.now += 10 * day
	s.commit("o", "old", "old.md", "1", "x", "2")
	s.now += 20 * day
	s.commit("o", "new", "new.md", "1", "back.md", "1")
	s.now += 12 * day
	head := s.commit("o", "last", "x", "3", "back.md", "2")
	s.git("", "clone", "-q", "--depth=1", "file://"+s.path("o"), "shallow")
	for workspace, paths := range map[string]map[string]bool{
		"o":       {"new.md": true, "back.md": true, "old.md": false, "first.md": false, "none.md": false},
		"shallow": {"new.md": false, "back.md": false, "old.md": false},
	} {
		r := s.open(Options{Workspace: s.path(workspace)})
		if err := r.Fetch(context.Background(), head); err != nil {
			t.Fatal(err)
		}
		for path, want := range paths {
			if got := r.ChangedWithin(context.Background(), head, path, 30*day*time.Second); got != want {
				t.Errorf("%s: %s changed within 30 days: %t, want %t", workspace, path, got, want)
			}
		}
	}
	young := newSandbox(t)
	young.init("o")
	root := young.commit("o", "root", "first.md", "1")
	r := young.open(Options{Workspace: young.path("o")})
	if err := r.Fetch(context.Background(), root); err != nil {
		t.Fatal(err)
	}
	if !r.ChangedWithin(context.Background(), root, "first.md", day*time.Second) {
		t.Error("a file of the first commit is not as new as that")
	}
}

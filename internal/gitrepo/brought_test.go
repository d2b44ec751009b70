package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// approving is a history in which tests were approved: on the main branch, on a
// branch that was merged, and on one that was not.
func approving(t *testing.T) (s *sandbox, want map[string]string, head string) {
	s = newSandbox(t)
	s.init("o")
	s.commit("o", "root\n\nApprove tests: body", "a", "1")
	s.commit("o", "Approve tests: add", "a", "2")
	s.git("o", "checkout", "-q", "-b", "side")
	sub := s.commit("o", "Approve tests: sub", "reviews/sub.md", "approved")
	s.git("o", "checkout", "-q", "-b", "unmerged")
	s.commit("o", "Approve tests: mul", "m", "1")
	s.git("o", "checkout", "-q", "main")
	s.now++
	s.git("o", "merge", "-q", "--no-ff", "-m", "Merge side", "side")
	again := s.commit("o", "Approve tests: add", "a", "3")
	for i := range 40 {
		head = s.commit("o", fmt.Sprintf("more %d", i), "x", fmt.Sprint(i))
	}
	s.git("", "clone", "-q", "--bare", "o", "o.git")
	s.git("o.git", "config", "uploadpack.allowAnySHA1InWant", "true")
	s.git("o.git", "config", "uploadpack.allowFilter", "true")
	return s, map[string]string{"add": again, "sub": sub}, head
}

func TestBroughtAndMentioning(t *testing.T) {
	s, want, head := approving(t)
	srv := s.serve()
	s.git("", "clone", "-q", "--depth=1", "--no-checkout", "file://"+s.path("o.git"), "shallow")
	s.git("shallow", "remote", "set-url", "origin", srv.URL+"/o.git")
	blob := s.git("o", "rev-parse", head+":reviews/sub.md")
	for _, workspace := range []string{"o", "shallow", "none"} {
		t.Run(workspace, func(t *testing.T) {
			s := &sandbox{t: t, dir: s.dir}
			r := s.open(srv.options(s.path(workspace), "o.git"))
			ctx := context.Background()
			if err := r.Fetch(ctx, head); err != nil {
				t.Fatal(err)
			}
			if info, ok, err := r.Brought(ctx, "reviews/sub.md", blob, "", head); err != nil || !ok || info.SHA != want["sub"] {
				t.Errorf("brought by %q, %v, %v", info.Subject, ok, err)
			}
			if _, ok, err := r.Brought(ctx, "reviews/none.md", blob, "", head); ok || err != nil {
				t.Errorf("brought what is not there: %v, %v", ok, err)
			}
			found, err := r.Mentioning(ctx, "Approve tests: ", "", head)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, c := range slices.Backward(found) { // the newest last
				if rest, ok := strings.CutPrefix(c.Subject, "Approve tests: "); ok {
					got[rest] = c.SHA
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("by subject (-want +got):\n%s", diff)
			}
		})
	}
}

// TestShallowHistoryIsNoAnswer: where history ends and cannot be had, that is an
// error, unless what is at hand was asked for alone.
func TestShallowHistoryIsNoAnswer(t *testing.T) {
	s, _, head := approving(t)
	blob := s.git("o", "rev-parse", head+":reviews/sub.md")
	s.git("", "clone", "-q", "--depth=3", "file://"+s.path("o.git"), "alone")
	s.git("alone", "remote", "remove", "origin")
	r := s.open(Options{Workspace: s.path("alone")})
	ctx := context.Background()
	if _, ok, err := r.Brought(ctx, "reviews/sub.md", blob, "", head); err == nil {
		t.Errorf("an answer from nowhere: %v", ok)
	}
	for _, base := range []string{"", s.git("o", "rev-parse", "unmerged")} {
		if found, err := r.Mentioning(ctx, "Approve", base, head); err == nil {
			t.Errorf("an answer from nowhere: %v", found)
		}
	}
	if _, _, err := r.Brought(ctx, "x", blob, "", "no id"); err == nil {
		t.Error("a malformed id is no error")
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Mentioning(ctx, "more ", "", head); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// TestFormer: what was there when a file changed is told, with whatever history is at hand; what came and went before
// that is not.
func TestFormer(t *testing.T) {
	s := newSandbox(t)
	s.init("o")
	s.commit("o", "Long ago", "ancient", "1")
	s.git("o", "rm", "-q", "ancient")
	s.commit("o", "Forget", "old", "1")
	s.commit("o", "Propose", "tasks.md", "- [ ] delete old")
	s.commit("o", "Add", "kept", "1")
	s.git("o", "rm", "-q", "old")
	s.commit("o", "Tick", "tasks.md", "- [x] delete old")
	head := s.commit("o", "More", "x", "1")
	s.git("", "clone", "-q", "--bare", "o", "o.git")
	s.git("o.git", "config", "uploadpack.allowAnySHA1InWant", "true")
	s.git("o.git", "config", "uploadpack.allowFilter", "true")
	srv := s.serve()
	s.git("", "clone", "-q", "--depth=1", "--no-checkout", "file://"+s.path("o.git"), "shallow")
	s.git("shallow", "remote", "set-url", "origin", srv.URL+"/o.git")
	for _, workspace := range []string{"o", "shallow"} {
		r := s.open(srv.options(s.path(workspace), "o.git"))
		got, err := r.Former(context.Background(), "tasks.md", head)
		if want := []string{"kept", "old", "tasks.md", "x"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", workspace, got, err)
		}
	}
	for i := range maxVersions {
		head = s.commit("o", "Change", "tasks.md", fmt.Sprint(i))
	}
	if _, err := s.open(srv.options(s.path("o"), "o.git")).Former(context.Background(), "tasks.md", head); err == nil {
		t.Error("more versions than are looked at are no error")
	}
}

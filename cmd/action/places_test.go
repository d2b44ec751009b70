package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// TestOddCheckouts: however the workspace came to be, the same is reviewed, and
// nothing in it changes.
func TestOddCheckouts(t *testing.T) {
	for name, prepare := range map[string]func(w *world){
		"foreign-owned": func(w *world) {
			err := filepath.Walk(w.workspace, func(path string, _ os.FileInfo, err error) error {
				if err == nil && os.Geteuid() == 0 {
					err = os.Lchown(path, 12345, 12345)
				}
				return err
			})
			if err != nil {
				w.t.Fatal(err)
			}
		},
		"linked work tree": func(w *world) {
			home := filepath.Join(w.t.TempDir(), "home")
			w.workspace, home = home, w.workspace
			gitIn(w.t, home, "worktree", "add", "-q", "--detach", w.workspace)
		},
		"merge commit": func(w *world) { gitIn(w.t, w.workspace, "checkout", "-q", "--detach") },
		"bare":         func(w *world) { w.removeWorkspace(); w.clone("--bare") },
		"origin by path": func(w *world) {
			gitIn(w.t, w.workspace, "remote", "set-url", "origin", w.repo.Dir)
		},
		"origin by ssh": func(w *world) {
			gitIn(w.t, w.workspace, "remote", "set-url", "origin", "git@github.example:octocat/hello.git")
		},
		"origin by http, with the checkout's own header": func(w *world) {
			gitIn(w.t, w.workspace, "remote", "set-url", "origin", w.gh.URL+"/"+w.gh.Env(w.pull("opened"))["GITHUB_REPOSITORY"])
			gitIn(w.t, w.workspace, "config", "http."+w.gh.URL+"/.extraheader", "AUTHORIZATION: basic bm90OnVzZWQ=")
		},
		"no origin":    func(w *world) { gitIn(w.t, w.workspace, "remote", "remove", "origin") },
		"blobless":     func(w *world) { w.removeWorkspace(); w.clone("--filter=blob:none", "--no-checkout") },
		"another repo": func(w *world) { w.removeWorkspace(); w.mkdirWorkspace(); gitIn(w.t, w.workspace, "init", "-q") },
		"a hook and a filter": func(w *world) {
			marker := filepath.Join(w.t.TempDir(), "ran")
			hook := filepath.Join(w.workspace, ".git", "hooks", "post-checkout")
			write(w.t, filepath.Dir(hook), filepath.Base(hook), "#!/bin/sh\ntouch "+marker+"\n")
			if err := os.Chmod(hook, 0o755); err != nil {
				w.t.Fatal(err)
			}
			gitIn(w.t, w.workspace, "config", "core.fsmonitor", "touch "+marker)
			gitIn(w.t, w.workspace, "config", "uploadpack.packObjectsHook", "touch "+marker)
			w.t.Cleanup(func() {
				if _, err := os.Stat(marker); err == nil {
					w.t.Error("something of the workspace was run")
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			prepare(w)
			before := w.listing()
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if rs := o.reviews(); len(rs) != 1 || rs[0].Artifact != "specs/proposed/login.md" || rs[0].MovedTo != "specs/todo/login.md" {
				t.Errorf("reviews %+v", rs)
			}
			if after := w.listing(); after != before {
				t.Errorf("the workspace changed:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

// TestBaseMovedOn: what main got since the branch left it is not the branch's.
func TestBaseMovedOn(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	w.repo.Commit("main", "Others", githubtest.Text(map[string]string{
		"specs/proposed/other.md": poorSpec,
		"ROADMAP.md":              roadmap + "\nMore.\n",
	}))
	o := w.run(w.pull("synchronize"))
	o.ends(0, "APPROVED")
	if rs := o.reviews(); len(rs) != 1 || rs[0].Feature != "login" {
		t.Errorf("reviews %+v", rs)
	}
}

// TestWithoutGit: the program needs no git command.
func TestWithoutGit(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	w.vars["PATH"] = "/nonexistent"
	w.run(w.pull("opened")).ends(0, "APPROVED")
}

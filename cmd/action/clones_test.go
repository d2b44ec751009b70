package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// cloned is a way to have a repository on one's own machine: how it is cloned, and what is done to it then.
type cloned struct {
	clone []string
	then  []string // git commands
	plain bool     // git keeps its index in a form of its own
}

func ownClones() map[string]cloned {
	return map[string]cloned{
		"whole":            {},
		"sparse, cone":     {then: []string{"sparse-checkout set --cone src"}},
		"sparse, patterns": {then: []string{"sparse-checkout set --no-cone /src/*"}},
		"sparse, own config": {
			then: []string{"config extensions.worktreeConfig true", "sparse-checkout set --cone specs"},
		},
		"sparse index": {then: []string{"sparse-checkout set --cone --sparse-index src"}, plain: true},
		"sparse index by patches": {
			then:  []string{"sparse-checkout set --cone --sparse-index specs", "update-index --index-version 4"},
			plain: true,
		},
		"split index": {then: []string{"update-index --split-index"}, plain: true},
		"split index, kept": {
			then: []string{
				"config core.splitIndex true",
				"update-index --split-index",
				"update-index --refresh",
			}, plain: true,
		},
		"index of version 4":   {then: []string{"update-index --index-version 4"}},
		"untracked cache":      {then: []string{"update-index --untracked-cache"}},
		"bloblesss":            {clone: []string{"--filter=blob:none"}},
		"treeless":             {clone: []string{"--filter=tree:0"}},
		"blobless and sparse":  {clone: []string{"--filter=blob:none", "--sparse"}},
		"size limit":           {clone: []string{"--filter=blob:limit=10"}},
		"shallow":              {clone: []string{"--depth=1", "--no-single-branch"}},
		"shallow and blobless": {clone: []string{"--depth=1", "--no-single-branch", "--filter=blob:none"}},
		"shallow and treeless": {clone: []string{"--depth=1", "--no-single-branch", "--filter=tree:0"}},
		"treeless, sparse, split": {
			clone: []string{"--filter=tree:0", "--sparse"},
			then:  []string{"update-index --split-index"},
			plain: true,
		},
	}
}

// ownClone makes a clone, or a work tree linked to one, of a repository with a branch that has a spec to review.
func ownClone(t *testing.T, c cloned, linked bool) (dir, origin string) {
	t.Helper()
	repo := githubtest.NewRepo(t)
	repo.Commit(
		"main",
		"Begin",
		githubtest.Text(
			with(adderMain(true), map[string]string{"big/a.txt": "what it was before\n", "big/b.txt": "b\n"}),
		),
	)
	repo.Commit("main", "Go on", githubtest.Text(map[string]string{"big/a.txt": "another\n"}))
	repo.Branch("work", "main")
	repo.Commit(
		"work",
		"Work",
		githubtest.Text(map[string]string{"specs/proposed/login.md": goodSpec, "src/adder.py": adderCode}),
	)
	dir, origin = filepath.Join(t.TempDir(), "clone"), "file://"+repo.Dir
	gitIn(t, ".", append(append([]string{"clone", "-q", "--branch=work"}, c.clone...), origin, dir)...)
	if linked {
		gitIn(t, dir, "switch", "-q", "main")
		to := filepath.Join(t.TempDir(), "linked")
		gitIn(t, dir, "worktree", "add", "-q", to, "work")
		dir = to
	}
	for _, command := range c.then {
		gitIn(t, dir, strings.Fields(command)...)
	}
	return dir, origin
}

// reads are commands that look at a clone, with the status that each ends with on the whole one.
func reads(dir string) map[string][]string {
	at := []string{"--repo", dir, "--base", "origin/main"}
	return map[string][]string{
		"local":     append([]string{"local", "--engine", "rules", "--json"}, at...),
		"worktree":  append([]string{"local", "--engine", "rules", "--json", "--worktree"}, at...),
		"integrity": append([]string{"integrity", "--json"}, at...),
		"restore":   append([]string{"restore", "--dry-run"}, at...),
		"prove":     slices.Concat([]string{"prove", "--out", dir + ".json"}, at, []string{"--", "/bin/true"}),
	}
}

// withGit has a command find git, as a developer's does.
func withGit() []string { return []string{"PATH=" + os.Getenv("PATH")} }

// TestOwnClones: whatever a clone leaves out or keeps in its own form, the commands say the same as on a whole clone, and
// change nothing of it.
func TestOwnClones(t *testing.T) {
	t.Parallel()
	for name, c := range ownClones() {
		for _, linked := range []bool{false, true} {
			if linked && !c.plain && len(c.then) == 0 && len(c.clone) != 1 {
				continue
			}
			t.Run(fmt.Sprint(name, "/", linked), func(t *testing.T) {
				t.Parallel()
				dir, _ := ownClone(t, c, linked)
				for command, args := range reads(dir) {
					if linked && command != "worktree" {
						continue // they read what a linked work tree shares
					}
					if code, stdout, stderr := programIn(t, withGit(), args...); code != 0 {
						t.Errorf("%s ends %d\n%s%s", command, code, stdout, stderr)
					}
				}
				if status := gitIn(t, dir, "status", "--porcelain"); status != "" {
					t.Errorf("the clone changed:\n%s", status)
				}
				before := gitIn(t, dir, "rev-parse", "HEAD")
				code, stdout, stderr := programIn(
					t,
					withGit(),
					"local",
					"--engine",
					"rules",
					"--repo",
					dir,
					"--base",
					"origin/main",
					"--apply",
				)
				if code != 0 || gitIn(t, dir, "rev-parse", "HEAD") == before {
					t.Errorf("--apply ends %d\n%s%s", code, stdout, stderr)
				}
				if status := gitIn(t, dir, "status", "--porcelain"); status != "" {
					t.Errorf("what was applied is not what is checked out:\n%s", status)
				}
			})
		}
	}
}

// TestUncommittedInOwnClones: what is not committed is reviewed as it is, whatever form the index has.
func TestUncommittedInOwnClones(t *testing.T) {
	t.Parallel()
	for name, c := range ownClones() {
		if !c.plain {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _ := ownClone(t, c, false)
			put(
				t,
				dir,
				map[string]string{
					"src/adder.py":            adderCode + "\nZERO = 0\n",
					"specs/proposed/other.md": "# Spec: Other\n\nTODO\n",
				},
			)
			code, stdout, stderr := programIn(t, withGit(), reads(dir)["worktree"]...)
			if code != 1 ||
				!strings.Contains(stdout, "spec: other") && !strings.Contains(stdout, "specs/proposed/other.md") {
				t.Errorf("the work tree: %d\n%s%s", code, stdout, stderr)
			}
			_, stdout, _ = programIn(t, withGit(), reads(dir)["local"]...)
			if !strings.Contains(stdout, "uncommitted changes are not reviewed (1 file)") {
				t.Errorf("uncommitted changes are not told:\n%s", stdout)
			}
		})
	}
}

// TestIndexWithoutChecksum: git may leave the checksum of an index out.
func TestIndexWithoutChecksum(t *testing.T) {
	t.Parallel()
	dir, _ := ownClone(t, cloned{}, false)
	at := filepath.Join(dir, ".git", "index")
	data := []byte(read(t, at))
	clear(data[len(data)-20:])
	if err := os.WriteFile(at, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := programIn(t, withGit(), reads(dir)["worktree"]...); code != 0 {
		t.Errorf("ended %d\n%s%s", code, stdout, stderr)
	}
	code, _, stderr := program(t, reads(dir)["worktree"]...)
	if code != 2 || !strings.Contains(stderr, "--force-write-index") {
		t.Errorf("without git: %d %s", code, stderr)
	}
}

// advised is the command that an error names.
var advised = regexp.MustCompile(`run "((?:git|[^"\\]|\\.)*)"`)

// TestCommandsThatHelp: where a clone lacks what is needed, the run did not run and names one command; after it, it does.
func TestCommandsThatHelp(t *testing.T) {
	t.Parallel()
	for name, c := range ownClones() {
		for _, state := range []string{"offline", "without git"} {
			if len(c.clone) == 0 && (!c.plain || state == "offline") {
				continue // nothing is missing
			}
			t.Run(name+"/"+state, func(t *testing.T) {
				t.Parallel()
				dir, origin := ownClone(t, c, false)
				var env []string
				if state == "offline" {
					env = withGit()
					gitIn(t, dir, "remote", "set-url", "origin", "https://127.0.0.1:9/none.git")
				}
				for command, args := range reads(dir) {
					code, stdout, stderr := programIn(t, env, args...)
					for range 2 { // a treeless clone with a split index lacks two things
						if code != 2 {
							break
						}
						found := advised.FindAllStringSubmatch(stderr, -1)
						if len(found) != 1 {
							t.Fatalf("%s: %d commands\n%s%s", command, len(found), stdout, stderr)
						}
						gitIn(t, dir, "remote", "set-url", "origin", origin)
						run(t, dir, strings.ReplaceAll(found[0][1], `\"`, `"`))
						code, stdout, stderr = programIn(t, env, args...)
					}
					if code != 0 {
						t.Errorf("%s ends %d after the advice\n%s%s", command, code, stdout, stderr)
					}
				}
			})
		}
	}
}

func run(t *testing.T, dir, command string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// TestOfflineWithoutNeed: a partial clone whose origin cannot be reached is read, as long as what it lacks is not needed.
func TestOfflineWithoutNeed(t *testing.T) {
	t.Parallel()
	for name, filter := range map[string]string{"blobless": "blob:none", "size limit": "blob:limit=8"} {
		for _, url := range []string{"https://127.0.0.1:9/none.git", "git@127.0.0.1:none/x.git", "/nonexistent"} {
			t.Run(name+" "+url, func(t *testing.T) {
				t.Parallel()
				dir, _ := ownClone(t, cloned{clone: []string{"--filter=" + filter}}, false)
				gitIn(t, dir, "diff", "origin/main") // as a developer does: has git fetch what the change is about
				gitIn(t, dir, "remote", "set-url", "origin", url)
				missing := gitIn(t, dir, "rev-list", "--objects", "--all", "--missing=print")
				if !strings.Contains(missing, "?") {
					t.Fatal("nothing is missing")
				}
				for command, args := range reads(dir) {
					if code, stdout, stderr := programIn(t, withGit(), args...); code != 0 {
						t.Errorf("%s ends %d\n%s%s", command, code, stdout, stderr)
					}
				}
			})
		}
	}
}

// TestRepositoriesInOtherFormats: what cannot be read says the command that makes it readable, and that command does.
func TestRepositoriesInOtherFormats(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ours")
	gitIn(t, ".", "init", "-q", "--object-format=sha256", "-b", "main", dir)
	commit := func(dir string, files map[string]string) {
		put(t, dir, files)
		gitIn(t, dir, "add", "-A")
		gitIn(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "x")
	}
	commit(dir, adderMain(true))
	gitIn(t, dir, "switch", "-q", "-c", "work")
	commit(dir, map[string]string{"src/adder.py": adderCode})
	for _, command := range []string{"local", "integrity", "restore"} {
		code, _, stderr := program(t, command, "--repo", dir, "--base", "main")
		found := advised.FindStringSubmatch(stderr)
		if code != 2 || found == nil || !strings.Contains(stderr, "sha256") {
			t.Fatalf("%s: %d %s", command, code, stderr)
		}
		if copied := dir + "-sha1"; command == "local" {
			run(t, dir, found[1])
			code, stdout, stderr := program(t, "integrity", "--repo", copied, "--base", "main", "--head", "work")
			if code != 0 {
				t.Errorf("the copy: %d\n%s%s", code, stdout, stderr)
			}
		}
	}
	ours := adderClone(t, adderMain(true), map[string]string{"src/adder.py": adderCode})
	gitIn(t, ours, "config", "extensions.refStorage", "reftable")
	if code, _, stderr := program(t, "integrity", "--repo", ours); code != 2 ||
		!strings.Contains(stderr, "git refs migrate --ref-format=files") {
		t.Errorf("reftable: %d %s", code, stderr)
	}
}

// TestHostileCloneRunsNothing: no program that a repository's own configuration names is run by looking at it.
func TestHostileCloneRunsNothing(t *testing.T) {
	t.Parallel()
	dir, _ := ownClone(t, ownClones()["split index"], false)
	mark := filepath.Join(t.TempDir(), "ran")
	evil := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\necho \"$0 $*\" >> "+mark+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(dir, ".git", "hooks")
	for _, hook := range []string{"post-index-change", "pre-commit", "reference-transaction", "post-commit", "fsmonitor-watchman"} {
		if err := os.MkdirAll(hooks, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\necho "+hook+" >> "+mark+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put(
		t,
		dir,
		map[string]string{".gitattributes": "* filter=evil diff=evil\n", "src/adder.py": adderCode + "\nZERO = 0\n"},
	)
	for _, setting := range []string{
		"core.fsmonitor", "core.sshCommand", "core.askPass", "core.editor", "core.pager", "filter.evil.clean", "filter.evil.smudge",
		"filter.evil.process", "diff.external", "diff.evil.textconv", "credential.helper", "gpg.program", "core.gitProxy",
		"remote.origin.uploadpack", "alias.update-index",
	} {
		value := evil
		if setting == "alias.update-index" {
			value = "!" + evil
		}
		f, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		section, key, _ := strings.Cut(setting, ".")
		if sub, last, ok := strings.Cut(key, "."); ok {
			fmt.Fprintf(f, "[%s %q]\n\t%s = %s\n", section, sub, last, value)
		} else {
			fmt.Fprintf(f, "[%s]\n\t%s = %s\n", section, key, value)
		}
		_ = f.Close()
	}
	for command, args := range reads(dir) {
		code, stdout, stderr := programIn(t, withGit(), args...)
		if code == 2 && command != "prove" { // which runs nothing beside changes that are not committed
			t.Errorf("%s: %d\n%s%s", command, code, stdout, stderr)
		}
	}
	if ran, err := os.ReadFile(mark); err == nil {
		t.Errorf("programs ran:\n%s", ran)
	}
}

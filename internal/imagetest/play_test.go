package imagetest

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// passes runs a release to its end.
func (r *release) passes() {
	r.t.Helper()
	if failed := r.run(); failed != "" {
		r.t.Fatalf("job %s failed:\n%s", failed, &r.output)
	}
}

// fails runs a release that a job ends, with these words.
func (r *release) fails(job string, words ...string) {
	r.t.Helper()
	if failed := r.run(); failed != job {
		r.t.Fatalf("job %q failed, not %q:\n%s", failed, job, &r.output)
	}
	for _, w := range words {
		if !strings.Contains(r.output.String(), w) {
			r.t.Errorf("%q is not in\n%s", w, &r.output)
		}
	}
}

func (r *repository) hasRefs(want ...string) {
	r.t.Helper()
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(r.refs()))); d != "" {
		r.t.Errorf("refs (-want +got):\n%s", d)
	}
}

// TestFirstRelease: the registry's package is new, thus private; the owner has
// capitals.
func TestFirstRelease(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "Acme-Inc/workflow-reviewer")
	first := r.release("1.0.0")
	first.fails("tag",
		"::error title=The package is private::"+r.packages.host+"/acme-inc/workflow-reviewer cannot be pulled without a login",
		"https://github.com/Acme-Inc/workflow-reviewer/pkgs/container/workflow-reviewer",
		"«Change visibility», «Public»", "«Re-run failed jobs»")
	r.hasRefs()

	r.packages.public.Store(true)
	writes := r.packages.writes.Load()
	first.passes()
	r.hasRefs("releases/v1", "tags/v1", "tags/v1.0.0")
	if r.packages.writes.Load() != writes {
		t.Error("running the failed job again pushed an image again")
	}
	refs := r.refs()
	if refs["tags/v1"] != refs["tags/v1.0.0"] {
		t.Error("v1 is not v1.0.0")
	}
	r.git("", "merge-base", "--is-ancestor", "v1.0.0", "releases/v1")
	image := first.values["env.IMAGE"]
	action := r.git("", "show", "v1:action.yml")
	if !strings.Contains(action, "\n  image: docker://"+image) || strings.Contains(image, "Acme") {
		t.Errorf("action.yml does not run %s:\n%s", image, action)
	}
	if _, err := get(image); err != nil {
		t.Error(err)
	}
	slim, _, _ := strings.Cut(image, "@")
	slim += "@" + first.values["env.SLIM"]
	if action := r.git("", "show", "v1:slim/action.yml"); !strings.Contains(action, "\n  image: docker://"+slim) || slim == image {
		t.Errorf("slim/action.yml does not run %s:\n%s", slim, action)
	}
	if _, err := get(slim); err != nil {
		t.Error(err)
	}
	for _, file := range []string{"README.md", "docs/security.md", "examples/workflows/pull-request.yml"} {
		text := r.git("", "show", "v1:"+file)
		if strings.Contains(text, "OWNER") || strings.Contains(text, "VERSION") && file == "README.md" || !strings.Contains(text, "Acme-Inc/workflow-reviewer") {
			t.Errorf("%s does not name the repository", file)
		}
	}
	changed := strings.Fields(r.git("", "diff", "--name-only", "main", "v1"))
	if slices.ContainsFunc(changed, func(f string) bool { return strings.HasPrefix(f, ".github/") || strings.HasPrefix(f, "scripts/") }) {
		t.Errorf("the release changes %v", changed)
	}
	first.attested(t)

	first.done["tag0"] = false // as if announcing had failed
	first.passes()
	if d := cmp.Diff(refs, r.refs()); d != "" {
		t.Errorf("a second time:\n%s", d)
	}
	if n := strings.Count(r.log(), "gh release create"); n != 1 {
		t.Errorf("announced %d times", n)
	}
	r.release("1.0.0").fails("check", "v1.0.0 is released already")
}

// attested: provenance is stated about the whole, contents about the manifest of
// each architecture.
func (r *release) attested(t *testing.T) {
	t.Helper()
	image, digest, _ := strings.Cut(r.values["env.IMAGE"], "@")
	var got, signed []string
	for line := range strings.Lines(r.log()) {
		if rest, ok := strings.CutPrefix(line, "attest "+image+"@"); ok {
			got = append(got, strings.TrimSpace(rest))
		}
		if strings.HasPrefix(line, "cosign sign ") {
			signed = append(signed, strings.TrimSpace(line[strings.LastIndex(line, "@")+1:]))
		}
	}
	slim := r.values["env.SLIM"]
	if d := cmp.Diff([]string{digest, slim}, signed); d != "" || slim == digest {
		t.Errorf("signed (-want +got):\n%s", d)
	}
	want := []string{digest + " provenance", slim + " provenance"}
	data, err := get(image + "@" + digest)
	r.check(err)
	for _, arch := range []string{"amd64", "arm64"} {
		manifest := r.values["steps.index.outputs."+arch]
		if !strings.Contains(string(data), `"digest":"`+manifest+`","platform":{"os":"linux","architecture":"`+arch+`"}`) {
			t.Errorf("%s is not the manifest of %s in %s", manifest, arch, data)
		}
		want = append(want, manifest+` "what is in `+arch+`"`)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("attested (-want +got):\n%s", d)
	}
}

// TestOlderVersionsLeaveTheMajorAlone: versions are compared by numbers, each
// major has a branch and a tag of its own.
func TestOlderVersionsLeaveTheMajorAlone(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "acme/workflow-reviewer")
	r.packages.public.Store(true)
	first := r.release("1.9.0")
	first.passes()
	for _, step := range []struct{ version, major, at string }{
		{"1.10.0", "v1", "v1.10.0"},
		{"1.9.1", "v1", "v1.10.0"},
		{"2.0.0", "v2", "v2.0.0"},
		{"1.11.0", "v1", "v1.11.0"},
	} {
		r.commit(map[string]string{"VERSION": step.version})
		old := r.refs()["releases/"+step.major]
		r.release(step.version).as(first).passes()
		refs := r.refs()
		if refs["tags/"+step.major] != refs["tags/"+step.at] {
			t.Errorf("after %s, %s is not %s", step.version, step.major, step.at)
		}
		if got, want := r.git("", "show", "releases/"+step.major+":VERSION"), strings.TrimPrefix(step.at, "v"); got != want {
			t.Errorf("after %s, the branch has the files of %s, not of %s", step.version, got, want)
		}
		if got := r.git("", "show", "v"+step.version+":VERSION"); got != step.version {
			t.Errorf("v%s has the files of %s", step.version, got)
		}
		r.git("", "merge-base", "--is-ancestor", "v"+step.version, "releases/"+step.major)
		if old != "" {
			r.git("", "merge-base", "--is-ancestor", old, "releases/"+step.major)
		}
	}
	r.hasRefs("releases/v1", "releases/v2", "tags/v1",
		"tags/v1.10.0", "tags/v1.11.0", "tags/v1.9.0", "tags/v1.9.1", "tags/v2", "tags/v2.0.0")
}

// TestTagsMoveTogether: where the server refuses one ref, none has moved.
func TestTagsMoveTogether(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"refs/tags/v1", "refs/heads/releases/v1"} {
		t.Run(ref, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t, "acme/workflow-reviewer")
			r.packages.public.Store(true)
			first := r.release("1.0.0")
			first.passes()
			before := r.refs()
			hook := filepath.Join(r.origin, "hooks", "update")
			r.check(os.WriteFile(hook, []byte("#!/bin/sh\ntest \"$1\" != "+ref+"\n"), 0o700))
			r.commit(map[string]string{"VERSION": "1.1.0"})
			next := r.release("1.1.0").as(first)
			next.fails("tag", "hook declined")
			if d := cmp.Diff(before, r.refs()); d != "" {
				t.Errorf("refs moved:\n%s", d)
			}
			r.check(os.Remove(hook))
			next.passes()
			r.hasRefs("releases/v1", "tags/v1", "tags/v1.0.0", "tags/v1.1.0")
		})
	}
}

var digests = regexp.MustCompile(`@sha256:[0-9a-f]{64}`)

// TestReleaseStops: nothing is published of what must not be.
func TestReleaseStops(t *testing.T) {
	t.Parallel()
	build := read(t, "scripts/release/build.sh")
	for name, c := range map[string]struct {
		version string
		files   map[string]string
		vars    []string
		job     string
		words   string
	}{
		"too large": {vars: []string{"TOO_LARGE=1"}, job: "build", words: "the rest 26.0 MB (at most 25)"},
		"builder without digest": {
			files: map[string]string{"scripts/release/build.sh": digests.ReplaceAllString(build, "")}, job: "build", words: "is not pinned",
		},
		"measured after the push": {
			files: map[string]string{"scripts/release/build.sh": strings.Replace(build, "\n\ttry ", "\n\t: ", 2)},
			job:   "build", words: "pushes what was not measured",
		},
		"not a version":  {version: "1.2", job: "check", words: `the version "1.2" is not of the form 1.2.3`},
		"a leading zero": {version: "1.02.3", job: "check", words: "not of the form"},
		"another branch than main": {
			vars: []string{"GITHUB_REF=refs/heads/x"}, job: "check", words: "releases are made from main, not from refs/heads/x",
		},
		"the repository's own tests fail": {
			files: map[string]string{".ci/run": "#!/bin/sh\necho broken\nexit 1\n"}, job: "check", words: "broken",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t, "acme/workflow-reviewer")
			r.packages.public.Store(true)
			if c.files != nil {
				r.commit(c.files)
			}
			r.vars = c.vars
			if c.version == "" {
				c.version = "1.0.0"
			}
			r.release(c.version).fails(c.job, c.words)
			r.hasRefs()
			if n := r.packages.writes.Load(); n != 0 {
				t.Errorf("%d writes to the registry", n)
			}
		})
	}
}

// TestRegistryTrouble: an image that cannot be checked is not tagged.
func TestRegistryTrouble(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "acme/workflow-reviewer")
	r.packages.public.Store(true)
	first := r.release("1.0.0")
	r.check(os.WriteFile(filepath.Join(r.origin, "hooks", "update"), []byte("#!/bin/sh\nexit 1\n"), 0o700))
	first.fails("tag", "hook declined")
	r.check(os.Remove(filepath.Join(r.origin, "hooks", "update")))

	r.packages.broken.Store(418)
	first.fails("tag", "answered 418", "nothing is tagged yet")
	r.packages.broken.Store(0)
	r.packages.swap.Store(true)
	first.fails("tag", "answers with sha256:")
	r.packages.swap.Store(false)
	r.hasRefs()
	first.passes()
	r.hasRefs("releases/v1", "tags/v1", "tags/v1.0.0")
}

// TestReleaseFormThatCannotBeMade: nothing is tagged of it.
func TestReleaseFormThatCannotBeMade(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "acme/workflow-reviewer")
	r.packages.public.Store(true)
	r.commit(map[string]string{"action.yml": "runs:\n  using: docker\n  image: docker://elsewhere\n"})
	r.release("1.0.0").fails("tag", `does not have the line "  image: Dockerfile" once`)
	r.hasRefs()
}

// TestTagOfAnotherImage: a version names one image for ever.
func TestTagOfAnotherImage(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "acme/workflow-reviewer")
	r.packages.public.Store(true)
	first := r.release("1.0.0")
	first.passes()
	refs := r.refs()
	second := r.release("1.0.0").as(first)
	second.values["needs.publish.outputs.digest"] = first.values["steps.index.outputs.amd64"]
	second.fails("tag", "names another image, other archives or another source")
	if d := cmp.Diff(refs, r.refs()); d != "" {
		t.Errorf("refs moved:\n%s", d)
	}
}

package imagetest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is a GitHub repository with our release workflow, its package
// registry, and stand-ins for the programs that a runner has.
type repository struct {
	t        *testing.T
	name     string // owner/name
	origin   string // bare
	packages *packages
	state    string // folder of the stand-ins, and what they were asked, in "log"
	bin      string
	vars     []string // further variables of the jobs
}

// newRepository makes one with this repository's own files, as far as a release
// uses them.
func newRepository(t *testing.T, name string) *repository {
	t.Helper()
	dir := t.TempDir()
	r := &repository{
		t: t, name: name, origin: filepath.Join(dir, "origin.git"), packages: newPackages(t),
		state: filepath.Join(dir, "state"), bin: filepath.Join(dir, "bin"),
	}
	for _, d := range []string{r.state, r.bin} {
		r.check(os.Mkdir(d, 0o700))
	}
	self, err := os.Executable()
	r.check(err)
	for name := range standIns {
		r.check(os.Symlink(self, filepath.Join(r.bin, name)))
	}
	r.git("", "init", "-q", "--bare", "-b", "main", r.origin)
	files := map[string]string{".ci/run": "#!/bin/sh\n"}
	listed := r.git(root, "ls-files", "action.yml", "setup", "slim", "README.md", "docs/security.md", "examples", "scripts")
	for _, f := range strings.Fields(listed) {
		files[f] = read(t, f)
	}
	for _, f := range []string{"build", "check", "join", "public", "tag"} { // also before they are committed
		files["scripts/release/"+f+".sh"] = read(t, "scripts/release/"+f+".sh")
	}
	r.commit(files)
	return r
}

func (r *repository) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// git runs git in a folder, "" for the origin.
func (r *repository) git(dir string, args ...string) string {
	r.t.Helper()
	if dir == "" {
		dir = filepath.Dir(r.origin)
		if _, err := os.Stat(r.origin); err == nil {
			dir = r.origin
		}
	}
	out, errs, err := run(r.t, dir, "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, errs)
	}
	return strings.TrimSpace(out)
}

// commit writes files on main.
func (r *repository) commit(files map[string]string) {
	r.t.Helper()
	dir := filepath.Join(r.t.TempDir(), "clone")
	r.git("", "clone", "-q", r.origin, dir)
	for name, text := range files {
		full := filepath.Join(dir, name)
		r.check(os.MkdirAll(filepath.Dir(full), 0o700))
		r.check(os.WriteFile(full, []byte(text), 0o700))
	}
	r.git(dir, "add", "-A")
	r.git(dir, "commit", "-q", "-m", "Work")
	r.git(dir, "push", "-q", "origin", "HEAD:main")
}

// refs are the origin's refs besides main, with what they point to.
func (r *repository) refs() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(r.git("", "for-each-ref", "--format=%(refname) %(objectname)")) {
		if name, id, _ := strings.Cut(strings.TrimSpace(line), " "); name != "refs/heads/main" {
			out[strings.TrimPrefix(strings.TrimPrefix(name, "refs/"), "heads/")] = id
		}
	}
	return out
}

// log is what the stand-ins were asked, a line each.
func (r *repository) log() string {
	data, err := os.ReadFile(filepath.Join(r.state, "log"))
	if err != nil {
		return ""
	}
	return string(data)
}

// release is one run of the workflow.
type release struct {
	*repository
	workflow
	version, commit string
	values          map[string]string // what expressions stand for
	artifacts       string            // folder
	output          strings.Builder   // of the scripts
	done            map[string]bool   // jobs that ended well
}

func (r *repository) release(version string) *release {
	rel := &release{
		repository: r, workflow: workflows(r.t)["release.yml"], version: version, commit: r.git("", "rev-parse", "main"),
		values: map[string]string{"inputs.version": version, "github.token": "robot"}, artifacts: r.t.TempDir(), done: map[string]bool{},
	}
	// Archives are built on machines that a test does not have.
	for _, m := range rel.Jobs["archives"].Strategy.Matrix.Include {
		file := "workflow-reviewer-" + version + "-" + m["platform"] + ".tar.gz"
		archive := archiveOf(r.t, version, m["platform"])
		rel.artifact("archive-"+m["platform"], file, archive)
		sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(archive), file)
		rel.artifact("archive-"+m["platform"], file+".sha256", []byte(sum))
	}
	return rel
}

// as leaves out what comes before the tags: the image is another release's.
func (r *release) as(built *release) *release {
	for k, v := range built.values {
		if strings.HasPrefix(k, "needs.") {
			r.values[k] = v
		}
	}
	r.done["check0"], r.done["build0"], r.done["build1"], r.done["publish0"] = true, true, true, true
	return r
}

// run runs the jobs that have not ended well yet, as «Re-run failed jobs» does,
// and returns the one that fails, "" if none does.
func (r *release) run() string {
	r.t.Helper()
	r.output.Reset()
	for _, id := range []string{"check", "build", "publish", "tag"} {
		j := r.Jobs[id]
		matrix := j.Strategy.Matrix.Include
		if matrix == nil {
			matrix = []map[string]string{nil}
		}
		for i, values := range matrix {
			key := fmt.Sprint(id, i)
			if r.done[key] {
				continue
			}
			for k, v := range values {
				r.values["matrix."+k] = v
			}
			if !r.job(id, j) {
				return id
			}
			r.done[key] = true
		}
	}
	return ""
}

func (r *release) job(id string, j job) bool {
	r.t.Helper()
	dir, temp := r.t.TempDir(), r.t.TempDir()
	r.values["runner.temp"] = temp
	env := append(os.Environ(), "RUNNER_TEMP="+temp, "PATH="+r.bin+":"+os.Getenv("PATH"), "STANDIN="+r.state, "REGISTRY="+r.packages.host,
		"GITHUB_REPOSITORY="+r.name, "GITHUB_SERVER_URL=https://github.com", "GITHUB_SHA="+r.commit,
		"GITHUB_REF=refs/heads/main", "GITHUB_ACTOR=a")
	env = append(env, r.vars...)
	for name, value := range j.Env {
		r.values["env."+name] = r.expand(value)
		env = append(env, name+"="+r.values["env."+name])
	}
	for _, s := range j.Steps {
		if s.Uses != "" {
			r.use(dir, s)
			continue
		}
		output := filepath.Join(r.t.TempDir(), "output")
		cmd := exec.CommandContext(r.t.Context(), "bash", "-e", "-o", "pipefail", "-c", s.Run)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &r.output, &r.output
		cmd.Env = slices.Concat(env, []string{"GITHUB_OUTPUT=" + output})
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+r.expand(value))
		}
		err := cmd.Run()
		if data, err := os.ReadFile(output); err == nil {
			for line := range strings.Lines(string(data)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				r.values["steps."+s.ID+".outputs."+name] = value
			}
		}
		if err != nil {
			return false
		}
	}
	for name, value := range j.Outputs {
		r.values["needs."+id+".outputs."+name] = r.expand(value)
	}
	return true
}

var expression = regexp.MustCompile(`\$\{\{ ([\w.]+) \}\}`)

func (r *release) expand(s string) string {
	return expression.ReplaceAllStringFunc(s, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		value, ok := r.values[name]
		if !ok {
			r.t.Fatalf("nothing sets %s", name)
		}
		return value
	})
}

func (r *release) artifact(name, file string, data []byte) {
	r.t.Helper()
	r.check(os.MkdirAll(filepath.Join(r.artifacts, name), 0o700))
	r.check(os.WriteFile(filepath.Join(r.artifacts, name, file), data, 0o600))
}

// use does what an action would, as far as the release depends on it.
func (r *release) use(dir string, s step) {
	r.t.Helper()
	with := func(name string) string { return r.expand(fmt.Sprint(s.With[name])) }
	action, _, _ := strings.Cut(s.Uses, "@")
	switch action {
	case "actions/checkout":
		args := []string{"clone", "-q", "file://" + r.origin, dir}
		if s.With["fetch-depth"] != 0 {
			args = append(args, "--depth=1")
		}
		r.git("", args...)
		r.git(dir, "checkout", "-q", r.commit)
	case "actions/upload-artifact":
		data, err := os.ReadFile(filepath.Join(dir, with("path")))
		r.check(err)
		r.artifact(with("name"), with("path"), data)
	case "actions/download-artifact":
		if s.With["path"] != nil {
			dir = with("path")
		}
		found, err := filepath.Glob(filepath.Join(r.artifacts, with("pattern")))
		r.check(err)
		for _, a := range found {
			r.check(os.CopyFS(dir, os.DirFS(a)))
		}
	case "actions/attest":
		about := "provenance"
		if s.With["sbom-path"] != nil {
			data, err := os.ReadFile(filepath.Join(dir, with("sbom-path")))
			r.check(err)
			about = strings.TrimSpace(string(data))
		}
		r.check(note(r.state, "attest %s@%s %s", with("subject-name"), with("subject-digest"), about))
	case "actions/setup-go", "sigstore/cosign-installer":
	default:
		r.t.Fatalf("the release uses %s, which nothing here stands for", action)
	}
}

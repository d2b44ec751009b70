package prove_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/programtest"
)

// binary is the program under test.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "workflow-reviewer-prove-")
	if err == nil {
		defer os.RemoveAll(dir)
		binary, err = programtest.Build(dir, "action")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// files are contents by path; "" takes a file away.
type files map[string]string

// project is a repository on disk with what was approved on main, and the change on the branch that is checked out.
type project struct {
	t   *testing.T
	dir string
}

func newProject(t *testing.T, approved files) *project {
	t.Helper()
	p := &project{t, t.TempDir()}
	p.git("init", "-q", "-b", "main", ".")
	p.commit("Begin", approved)
	p.git("checkout", "-q", "-b", "change")
	return p
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p *project) at(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) write(fs files) {
	p.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(fs)) { // what gives way to a folder goes first
		var err error
		text := fs[name]
		target, isLink := strings.CutPrefix(text, "-> ")
		err = errors.Join(os.RemoveAll(p.at(name)), os.MkdirAll(filepath.Dir(p.at(name)), 0o755))
		switch {
		case err != nil || text == "":
		case isLink:
			err = os.Symlink(strings.TrimSpace(target), p.at(name))
		case strings.HasPrefix(text, "#!"):
			err = os.WriteFile(p.at(name), []byte(text), 0o755)
		default:
			err = os.WriteFile(p.at(name), []byte(text), 0o644)
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *project) commit(message string, fs files) {
	p.t.Helper()
	p.write(fs)
	p.git("add", "-A")
	p.git("commit", "-q", "--allow-empty", "-m", message)
}

// state is what must be the same before and after: of what was there, each byte, mode and time.
func (p *project) state() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" && d.IsDir() {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return err
		}
		var data []byte
		if info.Mode().IsRegular() {
			data, err = os.ReadFile(path)
		}
		rel, _ := filepath.Rel(p.dir, path)
		out[rel] = fmt.Sprintf("%v %d %q", info.Mode(), info.ModTime().UnixNano(), data)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// proved is what one call came to.
type proved struct {
	code     int
	out, err string
	evidence evidence.Evidence // zero if there is none
}

// prove calls the program and sees that the work tree is as it was.
func (p *project) prove(args ...string) proved {
	p.t.Helper()
	before := p.state()
	r := p.call(args...)
	after := p.state()
	maps.DeleteFunc(after, func(name, _ string) bool { return before[name] == "" })
	delete(before, "evidence.json")
	delete(after, "evidence.json")
	if diff := cmp.Diff(before, after); diff != "" {
		p.t.Errorf("the work tree is not as it was (-want +got):\n%s", diff)
	}
	if status := p.git("status", "--porcelain", "--untracked-files=no"); status != "" {
		p.t.Errorf("git finds changes:\n%s", status)
	}
	return r
}

func (p *project) call(args ...string) proved {
	p.t.Helper()
	cmd := exec.Command(binary, append([]string{"prove"}, args...)...)
	cmd.Dir = p.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	r := proved{code: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String()}
	if data, err := os.ReadFile(p.at("evidence.json")); err == nil {
		if r.evidence, err = evidence.Parse(data); err != nil {
			p.t.Errorf("the evidence cannot be read: %v\n%s", err, data)
		}
	}
	return r
}

// wants checks the exit status.
func (r proved) wants(t *testing.T, code int, says ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit status %d, want %d\n%s%s", r.code, code, r.out, r.err)
	}
	for _, s := range says {
		if !strings.Contains(r.err, s) {
			t.Errorf("it does not say %q:\n%s", s, r.err)
		}
	}
}

// needs skips nothing: a tool that is missing is a failure that says what to install.
func needs(t *testing.T, tool, pkg string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Fatalf("%s is missing: install the Debian package %s (.ci/run does)", tool, pkg)
	}
}

func contains(t *testing.T, what string, list []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(list, w) {
			t.Errorf("%s: %q is not among %q", what, w, list)
		}
	}
}

// approve has main record files as the approved tests of a feature, and the change begin there.
func (p *project) approve(feature string, paths ...string) {
	p.t.Helper()
	p.git("checkout", "-q", "main")
	p.commit("Approve tests: "+feature, files{
		".workflow/approvals/" + feature + ".json": recordOf(p, feature, paths...),
	})
	p.git("checkout", "-q", "change")
	p.git("reset", "-q", "--hard", "main")
}

// recordOf is an approval record of files as they stand in HEAD.
func recordOf(p *project, feature string, paths ...string) string {
	p.t.Helper()
	r := approval.Record{
		Version: approval.Version, Feature: feature, Type: "tests", Revision: 1, Head: p.git("rev-parse", "HEAD"),
	}
	for _, name := range paths {
		data, err := os.ReadFile(p.at(name))
		if err != nil {
			p.t.Fatal(err)
		}
		r.Files = append(r.Files, approval.File{
			Path: name, Mode: "100644", Blob: p.git("rev-parse", "HEAD:"+name), SHA256: fmt.Sprintf("%x", sha256.Sum256(data)),
			Role: approval.Test,
		})
	}
	return string(r.Render())
}

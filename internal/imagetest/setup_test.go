package imagetest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// composite is an action of steps.
type composite struct {
	Runs struct {
		Using string
		Steps []step
	}
}

func parseComposite(t *testing.T, text string) composite {
	t.Helper()
	var c composite
	if err := yaml.Unmarshal([]byte(text), &c); err != nil || c.Runs.Using != "composite" || len(c.Runs.Steps) == 0 {
		t.Fatalf("%v: %+v", err, c)
	}
	return c
}

// archiveOf packs a program of a version as scripts/archive.sh does. It says for which platform it is.
func archiveOf(t *testing.T, version, platform string) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	text := "#!/bin/sh\necho " + version + " for " + platform + "\n"
	head := tar.Header{Name: "workflow-reviewer-" + version + "-" + platform + "/workflow-reviewer", Mode: 0o755, Size: int64(len(text))}
	if err := w.WriteHeader(&head); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// runner is where the setup action runs.
type runner struct {
	os, arch, path string // path is its PATH
	archives       string // the input
}

// setUp runs the action in a folder of sources, and the program that it put on the PATH.
func (r runner) setUp(t *testing.T, sources string) (version, output string, err error) {
	t.Helper()
	temp := t.TempDir()
	added := filepath.Join(temp, "added")
	action := parseComposite(t, readIn(t, sources, "setup/action.yml"))
	for _, s := range action.Runs.Steps {
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", s.Run)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{
			"PATH=" + r.path, "HOME=" + os.Getenv("HOME"), "GOFLAGS=-mod=mod", "GITHUB_ACTION_PATH=" + filepath.Join(sources, "setup"),
			"GITHUB_PATH=" + added, "RUNNER_TEMP=" + temp, "RUNNER_OS=" + r.os, "RUNNER_ARCH=" + r.arch,
		}
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+strings.ReplaceAll(value, "${{ inputs.archives }}", r.archives))
		}
		out, err := cmd.CombinedOutput()
		output += string(out)
		if err != nil {
			if data, readErr := os.ReadFile(added); readErr == nil {
				t.Errorf("the PATH got %s", data)
			}
			return "", output, err
		}
	}
	left, globErr := filepath.Glob(filepath.Join(temp, "workflow-reviewer-*"))
	bin := strings.TrimSpace(readIn(t, temp, "added"))
	if globErr != nil || !cmp.Equal(left, []string{bin}) {
		t.Errorf("left behind: %v, on the PATH: %s", left, bin)
	}
	version, _, err = run(t, t.TempDir(), filepath.Join(bin, "workflow-reviewer"), "version")
	return strings.TrimSpace(version), output, err
}

func readIn(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// released is the action of a release, and a server of its archives.
func released(t *testing.T) (sources, archives string) {
	t.Helper()
	r := newRepository(t, "Acme-Inc/workflow-reviewer")
	r.packages.public.Store(true)
	rel := r.release("1.2.3")
	rel.passes()
	sources = filepath.Join(t.TempDir(), "action")
	r.git("", "clone", "-q", "--branch", "v1", r.origin, sources)
	files := http.NewServeMux()
	for _, m := range rel.Jobs["archives"].Strategy.Matrix.Include {
		files.Handle("/"+m["platform"]+"/", http.StripPrefix("/"+m["platform"]+"/",
			http.FileServer(http.Dir(filepath.Join(rel.artifacts, "archive-"+m["platform"])))))
	}
	files.HandleFunc("/other/", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archiveOf(t, "1.2.3", "nobody")) })
	server := httptest.NewServer(files)
	t.Cleanup(server.Close)
	return sources, server.URL
}

// TestSetup: on each platform the release's program is on the PATH, and nothing but what was
// released.
func TestSetup(t *testing.T) {
	t.Parallel()
	sources, archives := released(t)
	const url = `ARCHIVES: "https://github.com/Acme-Inc/workflow-reviewer/releases/download/v1.2.3"`
	if text := readIn(t, sources, "setup/action.yml"); !strings.Contains(text, url) {
		t.Errorf("no %s in\n%s", url, text)
	}
	path := os.Getenv("PATH")
	for name, c := range map[string]struct {
		runner
		want, says string
	}{
		"linux-amd64":  {runner: runner{"Linux", "X64", path, "/linux-amd64"}, want: "1.2.3 for linux-amd64"},
		"linux-arm64":  {runner: runner{"Linux", "ARM64", path, "/linux-arm64"}, want: "1.2.3 for linux-arm64"},
		"darwin-amd64": {runner: runner{"macOS", "X64", path, "/darwin-amd64"}, want: "1.2.3 for darwin-amd64"},
		"darwin-arm64": {runner: runner{"macOS", "ARM64", path, "/darwin-arm64"}, want: "1.2.3 for darwin-arm64"},
		"programs of macOS": {
			runner: runner{"macOS", "ARM64", only(t, "sh", "shasum", "curl", "mktemp", "rm", "tar", "gzip", "cp"), "/darwin-arm64"},
			want:   "1.2.3 for darwin-arm64",
		},
		"other bytes": {
			runner: runner{"Linux", "X64", path, "/other"},
			says:   "workflow-reviewer-1.2.3-linux-amd64.tar.gz from " + archives + "/other is not what was released: its SHA-256 is",
		},
		"no archive": {runner: runner{"Linux", "X64", path, "/linux-arm64"}, says: "could not be downloaded: let the runner reach it"},
		"Windows": {
			runner: runner{"Windows", "X64", path, ""},
			says:   "there is no program for Windows on X64: use a runner with Linux or macOS",
		},
		"32 bits": {runner: runner{"Linux", "ARM", path, ""}, says: "there is no program for Linux on ARM:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.archives = archives + c.archives
			got, output, err := c.setUp(t, sources)
			if got != c.want || (err == nil) != (c.says == "") || !strings.Contains(output, c.says) {
				t.Errorf("%q, %v:\n%s", got, err, output)
			}
		})
	}
}

// only is a PATH with some programs and no others. What Linux calls otherwise is made of that.
func only(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		full, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(full, filepath.Join(dir, name))
		} else if name == "shasum" {
			err = os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nshift 2\nexec /usr/bin/sha256sum \"$@\"\n"), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSetupFromSources: where no release was made, as under act and in this repository, the
// program is built of the sources beside the action.
func TestSetupFromSources(t *testing.T) {
	t.Parallel()
	sources := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module sample\n\ngo 1.24\n",
		"cmd/action/main.go": "package main\n\nfunc main() { println(\"built\") }\n",
		"setup/action.yml":   read(t, "setup/action.yml"),
		"setup/install.sh":   read(t, "setup/install.sh"),
	} {
		full := filepath.Join(sources, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	here := runner{os: "Linux", arch: "X64", path: os.Getenv("PATH")}
	if _, output, err := here.setUp(t, sources); err != nil || !strings.Contains(output, "built") {
		t.Errorf("%v:\n%s", err, output)
	}
	here.path = only(t, "sh", "mktemp", "rm")
	if _, output, err := here.setUp(t, sources); err == nil || !strings.Contains(output, "run actions/setup-go before") {
		t.Errorf("without Go: %v:\n%s", err, output)
	}
}

// TestSetupForm: the release's setup/action.yml differs in what names the release; what is no
// release is refused and changes nothing.
func TestSetupForm(t *testing.T) {
	const url = "https://github.com/acme/workflow-reviewer/releases/download/v1.2.3"
	before := read(t, "setup/action.yml")
	digest := strings.Repeat("0123456789abcdef", 4)
	sums, lines := "", []string{`ARCHIVES: "` + url + `"`, `VERSION: "1.2.3"`}
	for _, p := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"} {
		sums += digest + "  workflow-reviewer-1.2.3-" + p + ".tar.gz\n"
		lines = append(lines, "SHA256_"+strings.ToUpper(strings.ReplaceAll(p, "-", "_"))+`: "`+digest+`"`)
	}
	want := before
	for _, l := range lines {
		name, _, _ := strings.Cut(l, ":")
		want = strings.Replace(want, name+`: ""`, l, 1)
	}
	for name, c := range map[string]struct{ version, url, sums, says string }{
		"a release":        {"1.2.3", url, sums, ""},
		"no version":       {"v1", url, sums, `"v1" is no version`},
		"two lines":        {"1.2.3\n1.2.3", url, sums, "is no version"},
		"another version":  {"1.2.4", url, sums, "not one digest for linux-amd64"},
		"no URL":           {"1.2.3", `x" | e&`, sums, "is no URL"},
		"a digest missing": {"1.2.3", url, sums[:strings.LastIndex(sums[:len(sums)-1], "\n")+1], "not one digest for darwin-arm64"},
		"a digest twice":   {"1.2.3", url, sums + sums, "not one digest"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"setup/action.yml": before, "scripts/release-setup.sh": read(t, "scripts/release-setup.sh"), "SHA256SUMS": c.sums,
			} {
				full := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			_, errs, err := run(t, dir, "scripts/release-setup.sh", c.version, c.url, "SHA256SUMS")
			if (err == nil) != (c.says == "") || !strings.Contains(errs, c.says) {
				t.Errorf("%v: %s", err, errs)
			}
			expected := before
			if c.says == "" {
				expected = want
			}
			if d := cmp.Diff(expected, readIn(t, dir, "setup/action.yml")); d != "" {
				t.Errorf("setup/action.yml (-want +got):\n%s", d)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "setup", "*")); err != nil || len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

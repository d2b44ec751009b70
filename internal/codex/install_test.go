package codex_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// fakeNPM downloads the archive beside it.
const fakeNPM = `#!/bin/sh
[ "$1 ${2%%0-*}" = "pack @openai/codex@0.169." ] || { echo "npm error 404 $2" >&2; exit 1; }
cat "${0%/*}/archive" >"openai-codex.tgz"
`

// archive is a package with a codex that can say its version, and its digest.
func archive(t *testing.T) (data []byte, integrity string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"codex": "#!/bin/sh\necho codex-cli 0.169.0\n", "codex-code-mode-host": "host"} {
		h := &tar.Header{Name: "package/vendor/x/bin/" + name, Mode: 0o755, Size: int64(len(text))}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(b.Bytes())
	return b.Bytes(), "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// checkout is a copy of the install script in a root of its own, with a PATH
// that has the given npm. The script expects the archive that fakeNPM downloads.
func checkout(t *testing.T, npm string) (root, path string) {
	t.Helper()
	root, bin := t.TempDir(), t.TempDir()
	text, err := os.ReadFile("../../scripts/install-codex.sh")
	if err != nil {
		t.Fatal(err)
	}
	data, integrity := archive(t)
	pinned := regexp.MustCompile(`integrity=sha512-\S+`).ReplaceAllString(string(text), "integrity="+integrity)
	write(t, filepath.Join(root, "scripts", "install-codex.sh"), pinned)
	write(t, filepath.Join(bin, "archive"), string(data))
	if npm != "" {
		write(t, filepath.Join(bin, "npm"), npm)
	}
	for _, tool := range []string{
		"sh", "cat", "dirname", "mkdir", "mktemp", "mv", "rm", "tail", "find", "head", "node",
		"tar", "gzip", "uname",
	} {
		p, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(p, filepath.Join(bin, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return root, bin
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

func install(root, path string) (stdout, stderr string, err error) {
	var out, errs strings.Builder
	cmd := exec.Command("sh", filepath.Join(root, "scripts", "install-codex.sh"))
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{"PATH=" + path}, &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func TestInstallIsSafeToRepeatAndToRace(t *testing.T) {
	root, path := checkout(t, fakeNPM)
	write(t, filepath.Join(root, ".cache", "codex", "version"), "0.1.0\n") // another version makes way
	want := filepath.Join(root, ".cache", "codex", "bin", "codex")
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if out, errs, err := install(root, path); err != nil || strings.TrimSpace(out) != want {
				t.Errorf("%q, %q, %v", out, errs, err)
			}
		})
	}
	wg.Wait()
	for _, f := range []string{"bin/codex", "bin/codex-code-mode-host", "version"} {
		if _, err := os.Stat(filepath.Join(root, ".cache", "codex", f)); err != nil {
			t.Error(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(root, ".cache", "*")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := os.Remove(filepath.Join(path, "npm")); err != nil {
		t.Fatal(err)
	}
	if out, errs, err := install(root, path); err != nil || strings.TrimSpace(out) != want {
		t.Errorf("with codex there, npm is not needed: %q, %q, %v", out, errs, err)
	}
}

func TestInstallFailsInOneClearLine(t *testing.T) {
	for _, c := range []struct{ name, npm, says string }{
		{"no npm", "", "npm is missing: install Node.js"},
		{"npm fails", "#!/bin/sh\necho 'npm error network' >&2\nexit 1\n", "npm error network"},
		{"no archive", "#!/bin/sh\nexit 0\n", "npm downloaded no archive of @openai/codex@0.169.0-"},
		{"another archive", "#!/bin/sh\necho other >x.tgz\n", "is not what it was when it was chosen: sha512-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, path := checkout(t, c.npm)
			out, errs, err := install(root, path)
			if err == nil || out != "" || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
				t.Errorf("%q, %q, %v", out, errs, err)
			}
			if left, err := filepath.Glob(filepath.Join(root, ".cache", "*")); err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

package codex_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const fakeNPM = `#!/bin/sh
while [ $# -gt 0 ]; do
	[ "$1" = --prefix ] && root=$2
	last=$1
	shift
done
[ "$last" = @openai/codex@0.169.0 ] || { echo "npm error 404 $last" >&2; exit 1; }
dir=$root/node_modules/@openai/codex-linux-x64/vendor/x/bin
mkdir -p "$dir"
printf '#!/bin/sh\necho codex-cli 0.169.0\n' >"$dir/codex"
echo host >"$dir/codex-code-mode-host"
chmod +x "$dir/codex"
`

// checkout is a copy of the install script in a root of its own, with a PATH
// that has the given npm.
func checkout(t *testing.T, npm string) (root, path string) {
	t.Helper()
	root, bin := t.TempDir(), t.TempDir()
	text, err := os.ReadFile("../../scripts/install-codex.sh")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "scripts", "install-codex.sh"), string(text))
	if npm != "" {
		write(t, filepath.Join(bin, "npm"), npm)
	}
	for _, tool := range []string{"sh", "cat", "dirname", "mkdir", "mktemp", "mv", "rm", "tail", "find", "head", "chmod", "node"} {
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
		{"npm fails", "#!/bin/sh\necho 'npm error network' >&2\nexit 1\n", "npm could not install @openai/codex@0.169.0: npm error network"},
		{"no binary for the platform", "#!/bin/sh\nexit 0\n", "no native binary for this platform"},
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

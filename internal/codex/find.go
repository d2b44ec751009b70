package codex

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Install says how to get codex.
const Install = "install codex " + Pinned + " (npm install -g @openai/codex@" + Pinned +
	`; in a workflow, use the action without "/slim") or say with codex-path where it is`

// Find returns the codex that the options' Path, PathEnv, WrapperEnv and TempDir mean: an absolute
// path, of the native binary wherever that can be found out. Path may be or lead to a symbolic
// link, npm's launcher, or a wrapper of a shell or version manager, which is asked.
func Find(ctx context.Context, opts Options) (string, error) {
	opts = withDefaults(opts)
	p, err := locate(opts.Path, opts.PathEnv)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		return "", fmt.Errorf("codex at %q: %w", p, err)
	}
	if strings.HasSuffix(real, ".js") {
		if found := packaged(real); found != "" {
			return found, nil
		}
	}
	if strings.HasPrefix(filepath.Base(real), "codex") && isMachineCode(real) {
		return real, nil
	}
	if found := ask(ctx, p, opts); found != "" {
		return found, nil
	}
	if strings.HasSuffix(real, ".js") {
		return real, nil
	}
	return p, nil
}

// locate returns the absolute path of a program.
func locate(name, pathEnv string) (string, error) {
	name = cmp.Or(name, "codex")
	if strings.ContainsRune(name, filepath.Separator) {
		abs, err := filepath.Abs(name)
		if err == nil {
			abs, err = exec.LookPath(abs)
		}
		if err != nil {
			return "", fmt.Errorf("codex was not found at %q", name)
		}
		return abs, nil
	}
	for _, dir := range filepath.SplitList(pathEnv) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("%q was not found in PATH", name)
}

// packaged looks through npm's launcher script: it returns the native binary of
// the platform's package, "" if there is none or more than one.
func packaged(script string) string {
	pkg := filepath.Dir(filepath.Dir(script)) // …/@openai/codex
	for _, pattern := range []string{
		filepath.Join(filepath.Dir(pkg), "codex-*", "vendor", "*", "bin", "codex"),
		filepath.Join(pkg, "node_modules", "@openai", "codex-*", "vendor", "*", "bin", "codex"),
		filepath.Join(pkg, "vendor", "*", "bin", "codex"),
	} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) == 1 {
			return found[0]
		}
	}
	return ""
}

// isMachineCode reports whether a file begins as programs of Linux and macOS do.
func isMachineCode(file string) bool {
	f, err := os.Open(filepath.Clean(file))
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // read only
	var magic [4]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil {
		return false
	}
	switch string(magic[:]) {
	case "\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe":
		return true
	}
	return false
}

// deadProxy is a proxy that is not there.
const deadProxy = "http://127.0.0.1:9"

// ask has a wrapper start codex, which tells where its own program is; "" if it does not. Codex's
// self-diagnosis would also look for its servers; a proxy that is not there keeps it from them, and
// a home of its own from the user's account.
func ask(ctx context.Context, wrapper string, opts Options) string {
	home, err := os.MkdirTemp(opts.TempDir, "codex-where-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(home) //nolint:errcheck // a temporary folder
	limited, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(limited, wrapper, "doctor", "--json")
	cmd.Dir, cmd.Stdout = home, &capped{w: &out, left: 1 << 20}
	cmd.Env = slices.Concat(environment(opts.PathEnv, home), opts.WrapperEnv, []string{
		"CODEX_HOME=" + home,
		"HTTPS_PROXY=" + deadProxy, "HTTP_PROXY=" + deadProxy, "ALL_PROXY=" + deadProxy,
	})
	how := run(cmd) // its status is that of what it diagnoses: without an account it fails
	var exit *exec.ExitError
	if how.err != nil && !errors.As(how.err, &exit) {
		return ""
	}
	var told struct {
		Checks map[string]struct {
			Details map[string]json.RawMessage `json:"details"`
		} `json:"checks"`
	}
	_ = json.Unmarshal(out.Bytes(), &told) // what says nothing names no path
	var path string
	_ = json.Unmarshal(told.Checks["runtime.provenance"].Details["current executable"], &path)
	if !filepath.IsAbs(path) || !isMachineCode(path) {
		return ""
	}
	return path
}

// Package codex asks a model for reviews through the codex command line. It is
// the only package that starts other programs.
//
// Each review is one `codex exec` turn, confined as far as codex allows: no shell, no patching, no
// web, no sub-agents, no MCP server but our own read-only one, no instructions of any repository,
// an empty working folder, a home of its own, and an environment of PATH, HOME and CODEX_HOME. It
// reaches the model only through a gate on the loopback interface, inside this process, which holds
// the key.
package codex

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"workflow-reviewer/internal/review"
)

// Pinned is the version of codex that this program was built to drive.
const Pinned = "0.169.0"

// Options configure an Engine. Path, APIKey, Endpoint and TempDir are needed.
type Options struct {
	Path     string   // the codex binary, or a name to look up in PATH
	Self     string   // this program's own binary, which codex starts for the tools; "" = no tools
	StoreDir string   // git object store that the tools read
	Tools    []string // names of the tools that Self offers and a model may call; empty = all
	APIKey   string   // given to the endpoint alone
	Endpoint string   // full URL of POST …/responses; plain http only for loopback
	Budget   int64    // most tokens of all reviews together, input and output; 0 = no limit
	TempDir  string   // existing folder outside any repository; what is made in it is removed
	PathEnv  string   // PATH of the child processes; "" = DefaultPath

	// WrapperEnv is the environment in which a wrapper of codex finds it, as the
	// user's shell has it, beside PathEnv. No review runs in it.
	WrapperEnv []string

	// MaxRequests ends a review that keeps calling tools; 0 = 100.
	MaxRequests int
	// HeaderTimeout is how long the endpoint may take to begin an answer;
	// 0 = two minutes.
	HeaderTimeout time.Duration
	// Proxy chooses the proxy for the endpoint, as in http.Transport; nil = none.
	Proxy func(*http.Request) (*url.URL, error)
	// Log takes lines for debugging, never with secrets; nil = none.
	Log func(format string, args ...any)
}

// DefaultPath is the PATH of the child processes unless Options say another.
const DefaultPath = "/usr/local/bin:/usr/bin:/bin"

// Engine drives codex. It is safe for concurrent use.
type Engine struct {
	opts     Options
	bin      binary
	root     string // all files of this engine
	home     string // HOME and CODEX_HOME; a used home saves codex a third of its time
	gate     *gate
	warnings []string
}

var _ review.Reviewer = (*Engine)(nil)

// New checks the codex binary and opens the gate. A failure is an
// *review.EngineError of class Setup. The caller closes the Engine.
func New(ctx context.Context, opts Options) (*Engine, error) {
	e := &Engine{opts: withDefaults(opts)}
	if err := e.open(ctx); err != nil {
		_ = e.Close() // what was opened so far; the first error counts
		return nil, err
	}
	return e, nil
}

// withDefaults sets the options that were not given.
func withDefaults(o Options) Options {
	o.PathEnv = cmp.Or(o.PathEnv, DefaultPath)
	o.MaxRequests = cmp.Or(o.MaxRequests, 100)
	o.HeaderTimeout = cmp.Or(o.HeaderTimeout, 2*time.Minute)
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	return o
}

// open checks endpoint and key, finds the program and opens the gate. Its errors say what to set
// up.
func (e *Engine) open(ctx context.Context) error {
	endpoint, err := checkEndpoint(e.opts.Endpoint)
	if err != nil {
		const do = "set the input responses-api-endpoint to the full URL of POST …/responses"
		return setup(do, err)
	}
	if e.opts.APIKey == "" {
		return setup("set the input openai-api-key", fmt.Errorf("no API key was given"))
	}
	if err := e.makeFolders(); err != nil {
		return setup(
			"see that the folder for temporary files exists, is writable and lies outside "+
				"any repository",
			err,
		)
	}
	if e.bin, e.warnings, err = inspect(ctx, e.opts, e.root); err != nil {
		return err
	}
	if e.gate, err = openGate(ctx, e.opts, endpoint); err != nil {
		return setup("see that the loopback interface 127.0.0.1 can be used", err)
	}
	return nil
}

// makeFolders makes the engine's folders. Codex looks for instructions and skills in the folders
// above its working folder up to a repository's root, so that there must be no repository above.
func (e *Engine) makeFolders() error {
	dir, err := filepath.Abs(e.opts.TempDir)
	if err != nil {
		return fmt.Errorf("resolve %q: %w", e.opts.TempDir, err)
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return fmt.Errorf("use %q for temporary files: it lies inside the repository %q",
				dir, d)
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	if e.root, err = os.MkdirTemp(dir, "codex-"); err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	e.home = filepath.Join(e.root, "home")
	return os.Mkdir(e.home, 0o700)
}

// Name is the engine with its version, "codex 0.169.0".
func (e *Engine) Name() string { return "codex " + e.bin.version }

// Warnings are lines that a user should see once a run, for example that the
// codex found is not the one this program was built for.
func (e *Engine) Warnings() []string { return e.warnings }

// Close ends the gate and removes all files. Reviews under way fail; callers let them end first.
func (e *Engine) Close() error {
	var err error
	if e.gate != nil {
		err = e.gate.Close()
	}
	if e.root != "" {
		if rerr := os.RemoveAll(e.root); err == nil {
			err = rerr
		}
	}
	return err
}

// clean makes a foreign text fit for one line of a message: without secrets and control characters,
// and capped.
func (e *Engine) clean(s string) string { return oneLine(s, e.opts.APIKey) }

// Package process knows the surroundings of the running process, read once: variables,
// streams, the clock, and the folders that it may write to.
package process

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/mattn/go-isatty"
	"golang.org/x/net/http/httpproxy"
)

// Env is the process's surroundings. Nothing else asks the operating system for
// variables, the clock or the terminal.
type Env struct {
	Version string // of this program
	Commit  string // that it was built from, "" if the build did not say
	Source  string // OWNER/NAME of the repository that the action is published in
	Vars    map[string]string
	Dir     string // working folder
	// Self is the path of this binary, which is started again to parse sources and, by
	// codex, to serve the tools; "" = neither.
	Self   string
	Stdin  io.ReadCloser
	Stdout io.WriteCloser
	Stderr io.Writer
	Color  bool // Stdout is a terminal and NO_COLOR is not set
	Now    func() time.Time
}

// Read is the Env of the running process. Without a commit the one counts that the
// go command stamped.
func Read(version, commit, source string) Env {
	vars := env.ToMap(os.Environ())
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return Env{
		Version: version, Commit: cmp.Or(commit, stampedRevision()), Source: source, Vars: vars,
		Dir: dir, Self: self,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Color: isatty.IsTerminal(os.Stdout.Fd()) && vars["NO_COLOR"] == "",
		Now:   time.Now,
	}
}

// stampedRevision is the commit that the go command built from, "unknown" if it did not say.
func stampedRevision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "unknown"
}

// Get is a variable's value, "" if it is not set.
func (e Env) Get(name string) string { return e.Vars[name] }

// List is all variables, as programs are started with them.
func (e Env) List() []string {
	out := make([]string, 0, len(e.Vars))
	for name, value := range e.Vars {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// WrapperVars is what a wrapper of codex may need to find it: the user's home, and the settings of
// version managers.
func (e Env) WrapperVars() []string {
	var out []string
	for name, value := range e.Vars {
		manager, _, _ := strings.Cut(name, "_")
		switch manager {
		case "HOME", "XDG", "MISE", "ASDF", "PNPM", "VOLTA", "NVM", "FNM":
			out = append(out, name+"="+value)
		}
	}
	return out
}

// IsAct reports whether this is a rehearsal of a workflow on somebody's machine.
func (e Env) IsAct() bool { return e.Get("ACT") == "true" }

// ServerURL is where the pages of the repository are, "" if there are none.
func (e Env) ServerURL() string {
	if e.IsAct() {
		return ""
	}
	return e.Get("GITHUB_SERVER_URL")
}

// Transport carries requests to GitHub, as http.DefaultTransport does but for where it learns of
// proxies.
func (e Env) Transport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // somebody put another in its place
		return http.DefaultTransport
	}
	t = t.Clone()
	t.Proxy = e.Proxy()
	return t
}

// Proxy chooses the proxy for a request, by the usual variables in lower or
// upper case. Requests to loopback addresses never go through one.
func (e Env) Proxy() func(*http.Request) (*url.URL, error) {
	either := func(name string) string { return cmp.Or(e.Get(strings.ToLower(name)), e.Get(name)) }
	f := (&httpproxy.Config{
		HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY"),
		NoProxy: either("NO_PROXY"),
	}).ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return f(r.URL) }
}

// RunURL is the page of the workflow run, "" outside GitHub Actions.
func (e Env) RunURL() string {
	if e.ServerURL() == "" || e.Get("GITHUB_RUN_ID") == "" {
		return ""
	}
	return fmt.Sprintf(
		"%s/%s/actions/runs/%s", e.ServerURL(), e.Get("GITHUB_REPOSITORY"), e.Get("GITHUB_RUN_ID"),
	)
}

// Temp is the folder for what this run keeps while it works.
func (e Env) Temp() string {
	for _, dir := range []string{e.Get("RUNNER_TEMP"), e.Get("TMPDIR")} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	return os.TempDir()
}

// GitVars is what the developer's git may see of the environment: where it finds itself and its
// settings. What a hook of git's sets, such as GIT_DIR, would point it elsewhere.
func (e Env) GitVars() []string {
	var out []string
	for name, value := range e.Vars {
		switch name {
		case "PATH",
			"HOME",
			"XDG_CONFIG_HOME",
			"GIT_CONFIG_GLOBAL",
			"GIT_CONFIG_SYSTEM",
			"GIT_CONFIG_NOSYSTEM":
			out = append(out, name+"="+value)
		}
	}
	return out
}

// Absolute is the path of a folder that is named relative to the working folder.
func (e Env) Absolute(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(e.Dir, dir)
}

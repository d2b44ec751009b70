package action

import (
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

// Env is the process's surroundings, read once. Nothing below it asks the
// operating system for variables, the clock or the terminal.
type Env struct {
	Version string // of this program
	Vars    map[string]string
	Dir     string // working folder
	Self    string // path of this binary; codex starts it again to serve the tools
	Stdin   io.ReadCloser
	Stdout  io.WriteCloser
	Stderr  io.Writer
	Color   bool // Stdout is a terminal and NO_COLOR is not set
	Now     func() time.Time
}

// ProcessEnv is the Env of the running process.
func ProcessEnv(version string) Env {
	vars := make(map[string]string)
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok {
			vars[k] = v
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return Env{
		Version: version, Vars: vars, Dir: dir, Self: self,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Color: isatty.IsTerminal(os.Stdout.Fd()) && vars["NO_COLOR"] == "",
		Now:   time.Now,
	}
}

// get is a variable's value, "" if it is not set.
func (e Env) get(name string) string { return e.Vars[name] }

// temp is the folder for what this run keeps while it works.
func (e Env) temp() string {
	for _, dir := range []string{e.get("RUNNER_TEMP"), e.get("TMPDIR")} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	return os.TempDir()
}

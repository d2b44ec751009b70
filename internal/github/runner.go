package github

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	actions "github.com/sethvargo/go-githubactions"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
)

// Limits of the runner. It takes 1 MB of outputs as UTF-16, which has at most two bytes for each of
// UTF-8, and other steps need some room too.
const (
	maxOutputs  = 500_000
	maxSummary  = 1 << 20
	maxLogNotes = 10   // annotations of one level that a step may show
	minMask     = 4    // shorter lines would hide half of the log
	maxAnnotate = 4096 // bytes of one annotation's message
)

// ErrCut says that a value was written, but not whole.
var ErrCut = errors.New("cut to the runner's limit")

// Runner speaks the runner's protocol on the job's log and through its files.
// It is safe for concurrent use; no write failure panics or is fatal.
type Runner struct {
	getenv func(string) string

	mu      sync.Mutex
	w       io.Writer
	action  *actions.Action
	outputs int            // bytes given out so far
	summary int            // bytes of summary written so far
	noted   map[string]int // annotations so far by level
}

// NewRunner writes to stdout w and finds the runner's files by getenv.
func NewRunner(getenv func(string) string, w io.Writer) *Runner {
	w = steadyWriter{w}
	return &Runner{
		getenv: getenv, w: w, noted: map[string]int{},
		action: actions.New(actions.WithWriter(w), actions.WithGetenv(getenv)),
	}
}

// steadyWriter hides write errors: go-githubactions panics on them, and a broken log must not end a
// review.
type steadyWriter struct{ w io.Writer }

// Write never fails: a log that cannot be written must not end a run.
func (s steadyWriter) Write(p []byte) (int, error) {
	_, _ = s.w.Write(p)
	return len(p), nil
}

// Mask hides the secret in the log from now on, each line of it by itself.
// Lines of fewer than four characters are not hidden.
func (r *Runner) Mask(secret string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	isEnd := func(c rune) bool { return c == '\n' || c == '\r' }
	for line := range strings.FieldsFuncSeq(secret, isEnd) {
		if line = strings.TrimSpace(line); len(line) >= minMask {
			r.action.AddMask(line)
		}
	}
}

var outputRE = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// SetOutput sets a step output to any value, in GITHUB_OUTPUT. What goes
// beyond a job's limit is cut with a note, and the error is ErrCut.
func (r *Runner) SetOutput(name, value string) error {
	if !outputRE.MatchString(name) {
		return fmt.Errorf("set output %q: not a name", name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var short error
	value = strings.ToValidUTF8(value, "\uFFFD")
	if left := max(maxOutputs-r.outputs, 1); len(value) > left {
		value = markdown.Clip(value, left)
		short = fmt.Errorf("set output %q: %w", name, ErrCut)
	}
	r.outputs += len(value)
	end := Nonce()
	for strings.Contains(value, end) {
		end = Nonce()
	}
	if err := r.appendTo("GITHUB_OUTPUT", name+"<<"+end+"\n"+value+"\n"+end+"\n"); err != nil {
		return fmt.Errorf("set output %q: %w", name, err)
	}
	return short
}

// Summary adds Markdown to the job summary, in GITHUB_STEP_SUMMARY. What goes
// beyond a step's 1 MiB is cut with a note, and the error is ErrCut.
func (r *Runner) Summary(markdown string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := strings.ToValidUTF8(markdown, "\uFFFD") + "\n"
	var short error
	if left := maxSummary - r.summary; len(text) > left {
		text, short = cut(text, max(left, 0)), fmt.Errorf("write job summary: %w", ErrCut)
	}
	r.summary += len(text)
	if err := r.appendTo("GITHUB_STEP_SUMMARY", text); err != nil {
		return fmt.Errorf("write job summary: %w", err)
	}
	return short
}

// appendTo adds text to the file that the environment variable names.
func (r *Runner) appendTo(variable, text string) error {
	path := r.getenv(variable)
	if path == "" {
		return fmt.Errorf("%s is not set; is this a step of a GitHub Actions job?", variable)
	}
	const mode = os.O_APPEND | os.O_CREATE | os.O_WRONLY
	f, err := os.OpenFile(path, mode, 0o600) //nolint:gosec // the runner names the file
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

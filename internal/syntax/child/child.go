// Package child has sources parsed by child processes of this program, so that
// a crash of a parser, which is C code, costs the one source that it read.
//
// A child is started when it is first needed, with no environment, no files but its streams and
// bounded memory; it parses one source after the other, and is replaced when it dies or is killed.
// It ends with this process, since its input does.
package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"workflow-reviewer/internal/syntax"
)

const (
	// patience, and patiencePerByte more, is how long a child may take for a source. The bounds of
	// package syntax end it much earlier, unless it hangs within one step; ordinary code takes a
	// hundredth.
	patience        = 5 * time.Second
	patiencePerByte = 25 * time.Microsecond
	// most is how many children there are at once.
	most = 4
)

// Parsers is a syntax.Parser that starts child processes.
type Parsers struct {
	path  string
	args  []string
	turns chan struct{} // one token for each child at work

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// New returns Parsers whose children are started as the program path with args, and call Serve.
func New(path string, args ...string) *Parsers {
	return &Parsers{
		path:  path,
		args:  args,
		turns: make(chan struct{}, min(most, runtime.GOMAXPROCS(0))),
	}
}

// Close ends the children. A source that is being parsed is waited for.
func (p *Parsers) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.end()
	}
	p.idle = nil
}

// Parse implements syntax.Parser. A source that kills its child is
// syntax.ErrCrashed, one that takes too long syntax.ErrTooComplex.
func (p *Parsers) Parse(
	ctx context.Context,
	lang syntax.Language,
	src []byte,
) (*syntax.Tree, error) {
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := p.take(); c != nil {
		tree, err := p.ask(ctx, c, lang, src)
		if !errors.Is(err, syntax.ErrCrashed) {
			return tree, err
		}
		// Perhaps of what it did before: the source is tried in a new child.
	}
	c, err := p.start()
	if err != nil {
		return nil, fmt.Errorf("start the parser: %w", err)
	}
	return p.ask(ctx, c, lang, src)
}

// take returns an idle child, nil if there is none.
func (p *Parsers) take() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	c := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return c
}

// ask has one source parsed by a child, and keeps the child if it is fit for another.
func (p *Parsers) ask(
	ctx context.Context,
	c *process,
	lang syntax.Language,
	src []byte,
) (*syntax.Tree, error) {
	limit := patience + time.Duration(len(src))*patiencePerByte
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	unwatch := context.AfterFunc(limited, c.kill)
	tree, err := syntax.Ask(c.out, c.in, lang, src)
	unwatch()
	switch {
	case ctx.Err() != nil:
		c.end()
		return nil, ctx.Err()
	case limited.Err() != nil:
		c.end()
		return nil, fmt.Errorf(
			"%w: the parser took longer than %v",
			syntax.ErrTooComplex,
			limit.Round(time.Second),
		)
	case errors.Is(err, syntax.ErrTooComplex):
		c.end() // it may still be at work, and have taken much memory
		return nil, err
	case err == nil,
		errors.Is(err, syntax.ErrTooLarge),
		errors.Is(err, syntax.ErrNotText),
		errors.Is(err, syntax.ErrLanguage):
		p.keep(c)
		return tree, err
	default:
		return nil, fmt.Errorf("%w: %s", syntax.ErrCrashed, c.end())
	}
}

func (p *Parsers) keep(c *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		c.end()
		return
	}
	p.idle = append(p.idle, c)
}

// process is one child.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

func (p *Parsers) start() (*process, error) {
	//nolint:gosec,noctx // this program itself; it outlives the source it is started for
	cmd := exec.Command(p.path, p.args...)
	cmd.Env = []string{}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid: true,
	} // an interrupt from the terminal is for the parent
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &process{cmd, in, out}, cmd.Start()
}

func (c *process) kill() {
	_ = c.cmd.Process.Kill() // it may have ended
}

// end kills a child that still runs, and says how it ended.
func (c *process) end() string {
	c.kill()
	_ = c.in.Close()
	_ = c.cmd.Wait() // how it ended is in ProcessState
	return c.cmd.ProcessState.String()
}

// maxMemory bounds what a child allocates, in bytes. The largest source that is read takes a
// quarter of it.
const maxMemory = 2 << 30

// Serve is a child's whole work: it gives up what it does not need, and parses what it is asked to
// on in until in ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if err := confine(); err != nil {
		return fmt.Errorf("confine the parser: %w", err)
	}
	return syntax.Serve(ctx, in, out)
}

package syntax

import (
	"context"
	"errors"
	"fmt"
	"time"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// MaxSource is the largest source that is parsed, in bytes.
const MaxSource = 1 << 20

// Errors of Parse and Query.
var (
	// ErrTooLarge: the source is longer than MaxSource, or its tree has more
	// nodes than are kept.
	ErrTooLarge = errors.New("source is too large to parse")
	// ErrTooComplex: the parser worked longer than any sensible source of that
	// length needs, or the source would overrun a limit of its grammar.
	ErrTooComplex = errors.New("source is too complex to parse")
	// ErrLanguage: the language is not in the table.
	ErrLanguage = errors.New("language is not known")
)

const (
	// chunk is how much source the parser is handed at once. The binding
	// copies what it is handed, and again whenever the parser steps back over
	// a border, so it is neither the whole source nor tiny.
	chunk = 32 << 10
	// stepsBase and bytesPerStep bound the parser's work: it reports in every
	// hundred operations, and a source of n bytes may have stepsBase +
	// n/bytesPerStep such reports. Ordinary code needs one in 50 to 300 bytes. A
	// bound in steps gives the same answer on a slow machine as on a fast one.
	stepsBase    = 1_000
	bytesPerStep = 16
	// timeBase and timePerByte bound the parser's processor time, since a step
	// in a source full of errors can cost a hundred times that of an ordinary
	// one. Ordinary code needs a tenth.
	timeBase    = 200 * time.Millisecond
	timePerByte = 4 * time.Microsecond
	// copies bounds the memory that stepping back costs, in source lengths;
	// ordinary code needs less than two.
	copies = 8
	// maxNodes bounds a tree; MaxSource of ordinary code has about 400,000, of
	// minified code 750,000.
	maxNodes = 800_000
)

// Parse reads a source, which may be anything, into a tree. A source with
// syntax errors is parsed as far as possible: see Tree.HasError. Errors:
// ErrTooLarge, ErrTooComplex, ErrLanguage, and the context's.
func Parse(ctx context.Context, lang Language, src []byte) (*Tree, error) {
	tree, err := within(ctx, func() (*Tree, error) {
		var tree *Tree
		err := withTree(ctx, lang, src, func(parsed *sitter.Tree) (err error) {
			tree, err = flatten(ctx, lang, src, parsed, nil)
			return err
		})
		return tree, err
	})
	if err != nil {
		return nil, fmt.Errorf("parse %s source: %w", lang, err)
	}
	return tree, nil
}

// patience is how long the parser may be silent. It is the last resort against
// a source that got past every other bound: nothing can stop the parser within
// a step, so its thread is left behind, and ends with the process.
const patience = 30 * time.Second

// within runs work, and gives up on it when the context or patience ends.
func within[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := work()
		done <- answer{value, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	var none T
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	case <-timer.C:
		return none, ErrTooComplex
	}
}

// withTree parses src and hands the parser's own tree to use, which must not
// keep it.
func withTree(ctx context.Context, lang Language, src []byte, use func(*sitter.Tree) error) error {
	table := lang.grammar()
	switch {
	case table == nil:
		return ErrLanguage
	case len(src) > MaxSource:
		return ErrTooLarge
	case isBomb(lang, src):
		return ErrTooComplex
	case ctx.Err() != nil:
		return ctx.Err()
	}
	parser := sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(sitter.NewLanguage(table)); err != nil {
		return err
	}
	input := &feed{src: src, done: ctx.Done(), started: -1}
	parsed := parser.ParseWithOptions(input.read, nil, &sitter.ParseOptions{ProgressCallback: input.stop})
	*input = feed{} // the binding keeps the callback for good: let go of the source
	if parsed == nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrTooComplex
	}
	defer parsed.Close()
	return use(parsed)
}

// feed hands the source to the parser and ends it when it has had enough.
type feed struct {
	src     []byte
	done    <-chan struct{}
	steps   int
	copied  int
	started time.Duration // of the thread; negative until the first report
}

func (f *feed) read(at int, _ sitter.Point) []byte {
	if at < 0 || at >= len(f.src) {
		return nil
	}
	part := f.src[at:min(at+chunk, len(f.src))]
	f.copied += len(part)
	return part
}

func (f *feed) stop(sitter.ParseState) bool {
	f.steps++
	if f.steps > stepsBase+len(f.src)/bytesPerStep || f.copied > copies*(len(f.src)+chunk) {
		return true
	}
	used := threadTime()
	if f.started < 0 {
		f.started = used
	}
	if used-f.started > timeBase+time.Duration(len(f.src))*timePerByte {
		return true
	}
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

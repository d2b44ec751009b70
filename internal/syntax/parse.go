package syntax

import (
	"context"
	"errors"
	"fmt"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// MaxSource is the largest source that is parsed, in bytes.
const MaxSource = 1 << 20

// Errors of Parse and Query.
var (
	// ErrTooLarge: the source is longer than MaxSource, or its tree has more
	// nodes than are kept.
	ErrTooLarge = errors.New("source is too large to parse")
	// ErrTooComplex: the parser took more steps than any sensible source of
	// that length needs, or the source would overrun a limit of its grammar.
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
	// n/bytesPerStep such reports. Ordinary code needs a fiftieth of that. A
	// bound in steps gives the same answer on a slow machine as on a fast one.
	stepsBase    = 2_000
	bytesPerStep = 2
	// copies bounds the memory that stepping back costs, in source lengths.
	copies = 32
	// maxNodes bounds a tree; MaxSource of ordinary code has about 400,000.
	maxNodes = 1_500_000
)

// Parse reads a source, which may be anything, into a tree. A source with
// syntax errors is parsed as far as possible: see Tree.HasError. Errors:
// ErrTooLarge, ErrTooComplex, ErrLanguage, and the context's.
func Parse(ctx context.Context, lang Language, src []byte) (*Tree, error) {
	var tree *Tree
	err := withTree(ctx, lang, src, func(parsed *sitter.Tree) error {
		var err error
		tree, err = flatten(ctx, lang, src, parsed, nil)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("parse %s source: %w", lang, err)
	}
	return tree, nil
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
	case overrunsScanner(lang, src):
		return ErrTooComplex
	case ctx.Err() != nil:
		return ctx.Err()
	}
	parser := sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(sitter.NewLanguage(table)); err != nil {
		return err
	}
	input := &feed{src: src, done: ctx.Done()}
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
	src    []byte
	done   <-chan struct{}
	steps  int
	copied int
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
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

package syntax

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// MaxSource is the largest source that is parsed, in bytes.
const MaxSource = 1 << 20

// Errors of Parse. Each is wrapped with what is known about its cause, in words that can be shown
// to a user.
var (
	// ErrTooLarge: the source is longer than MaxSource, or its tree has more nodes than are kept.
	ErrTooLarge = errors.New("source is too large to parse")
	// ErrTooComplex: the parser worked longer than any sensible source of that
	// length needs, or the source is nested too deeply.
	ErrTooComplex = errors.New("source is too complex to parse")
	// ErrLanguage: the language is not in the table.
	ErrLanguage = errors.New("language is not known")
	// ErrNotText: the source is not plain UTF-8 text.
	ErrNotText = errors.New("source is not plain UTF-8 text")
	// ErrCrashed: the process that parsed the source died of it.
	ErrCrashed = errors.New("the parser crashed on the source")
)

// Parser parses sources that may be hostile. See Parse for the errors.
type Parser interface {
	Parse(ctx context.Context, lang Language, src []byte) (*Tree, error)
}

type parserKey struct{}

// WithParser is a context in which Parse leaves the work to p. A crash of the C code ends the
// process that it runs in, so that a program that reads foreign sources hands in a Parser that
// works in another process.
func WithParser(ctx context.Context, p Parser) context.Context {
	return context.WithValue(ctx, parserKey{}, p)
}

// Parse reads a source, which may be anything, into a tree. A source with syntax errors is parsed
// as far as possible: see Tree.HasError. It is parsed by the context's Parser, in this process if
// there is none. Errors: ErrTooLarge, ErrTooComplex, ErrLanguage, ErrNotText, ErrCrashed, and the
// context's.
func Parse(ctx context.Context, lang Language, src []byte) (*Tree, error) {
	tree, err := parse(ctx, lang, src)
	if err != nil {
		return nil, fmt.Errorf("parse %s source: %w", lang, err)
	}
	return tree, nil
}

// parse parses in the context's parser, or in this process if it has none.
func parse(ctx context.Context, lang Language, src []byte) (*Tree, error) {
	if err := acceptable(lang, src); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if p, ok := ctx.Value(parserKey{}).(Parser); ok {
		return p.Parse(ctx, lang, src)
	}
	return within(ctx, func() (*Tree, error) { return parseLagging(ctx, lang, src) })
}

// acceptable refuses what the parser must not be given.
func acceptable(lang Language, src []byte) error {
	if grammars[lang] == nil {
		return ErrLanguage
	}
	if len(src) > MaxSource {
		return fmt.Errorf(
			"%w: it has %d bytes, at most %d are read",
			ErrTooLarge,
			len(src),
			MaxSource,
		)
	}
	if err := isText(lang, src); err != nil {
		return err
	}
	return isBomb(lang, src)
}

// patience is how long the parser may be silent. It is the last resort against a source that got
// past every other bound: nothing can stop the parser within a step, so its thread is left behind,
// and ends with the process.
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

// maxNesting is how deep brackets may stand in each other, strings and comments not told from code.
const maxNesting = 1_000

// isBomb refuses, by a look at the bytes, deep nesting: where it is never closed it keeps the
// parser busy for hours in one step, where nothing but the end of its process can stop it.
func isBomb(lang Language, src []byte) error {
	if depth := nesting(lang, src); depth > maxNesting {
		return fmt.Errorf(
			"%w: %d brackets are open at once, at most %d are read",
			ErrTooComplex,
			depth,
			maxNesting,
		)
	}
	return nil
}

// nesting is how many brackets of a kind are open at most. Angle brackets count within a statement,
// in the languages that have generics, since "less than" looks the same and is never closed.
func nesting(lang Language, src []byte) int {
	generics := lang != Python && lang != Ruby && lang != Go
	deepest, depth, angles := 0, 0, 0
	for _, b := range src {
		switch b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '<':
			if generics {
				angles++
			}
		case '>':
			angles = max(angles-1, 0)
		}
		if b == ';' || b == '{' || b == '}' {
			angles = 0
		}
		deepest = max(deepest, depth, angles)
	}
	return deepest
}

package child

import (
	"context"
	"fmt"
	"io"

	"workflow-reviewer/internal/syntax"
)

// maxMemory bounds what a child allocates, in bytes. The largest source that is
// read takes a quarter of it.
const maxMemory = 2 << 30

// Serve is a child's whole work: it gives up what it does not need, and parses
// what it is asked to on in until in ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if err := confine(); err != nil {
		return fmt.Errorf("confine the parser: %w", err)
	}
	return syntax.Serve(ctx, in, out)
}

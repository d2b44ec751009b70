package report

import "io"

// TerminalOptions say what the terminal can show.
type TerminalOptions struct {
	Color bool
	Width int // columns, 0 = 80
}

// Terminal prints findings and verdict.
func (r Report) Terminal(w io.Writer, opt TerminalOptions) {}

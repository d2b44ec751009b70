package detect

import (
	"bytes"
	"context"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/textdiff"
)

// codeHunks are the hunks between two sides of a file that change more than
// comments and blank lines. tree is that of the new side.
func codeHunks(ctx context.Context, tree *syntax.Tree, before, after []byte) []change.Hunk {
	isCode := codeLines(tree)
	var wasCode func(from, n int) bool
	return slices.DeleteFunc(textdiff.Hunks(before, after, 0), func(h change.Hunk) bool {
		if isCode(h.NewStart, h.NewLines) {
			return false
		}
		if h.OldLines > 0 && wasCode == nil {
			wasCode = oldCodeLines(ctx, tree.Language(), before)
		}
		return h.OldLines == 0 || !wasCode(h.OldStart, h.OldLines)
	})
}

// oldCodeLines is codeLines of an old side; each line, if it cannot be parsed.
func oldCodeLines(ctx context.Context, lang syntax.Language, src []byte) func(from, n int) bool {
	tree, err := syntax.Parse(ctx, lang, src)
	if err != nil || tree.HasError() {
		return func(int, int) bool { return true }
	}
	return codeLines(tree)
}

// codeLines tells whether any of n lines, counted from 1, holds more than comments and white space.
func codeLines(tree *syntax.Tree) func(from, n int) bool {
	src := bytes.Clone(tree.Source())
	for n := range tree.Root().All() {
		if n.IsComment() {
			blank(src[n.StartByte():n.EndByte()])
		}
	}
	lines := bytes.Split(src, []byte("\n"))
	return func(from, n int) bool {
		start := min(max(from-1, 0), len(lines))
		end := min(start+n, len(lines))
		return slices.ContainsFunc(
			lines[start:end],
			func(l []byte) bool { return len(bytes.TrimSpace(l)) > 0 },
		)
	}
}

// blank overwrites everything but line feeds.
func blank(src []byte) {
	for i, b := range src {
		if b != '\n' {
			src[i] = ' '
		}
	}
}

package code

import (
	"bytes"
	"context"
	"slices"

	"workflow-reviewer/internal/syntax"
)

// Parse reads a source. broken are the lines of syntax errors, of which only a part was read. The grammar of C#
// has no place for directives in the middle of things, so that a source with errors is parsed without them.
func Parse(ctx context.Context, path string, lang syntax.Language, source []byte) (f *File, broken []int, err error) {
	tree, err := parse(ctx, lang, source)
	if err != nil {
		return nil, nil, err
	}
	if tree.HasError() {
		tree.Root().Walk(func(n syntax.Node) bool {
			if n.Is("ERROR") || n.IsMissing() {
				for line := n.StartLine(); line <= max(n.StartLine(), n.EndLine()); line++ {
					broken = append(broken, line)
				}
			}
			return n.HasError()
		})
	}
	f, err = Read(path, tree)
	return f, broken, err
}

func parse(ctx context.Context, lang syntax.Language, source []byte) (*syntax.Tree, error) {
	tree, err := syntax.Parse(ctx, lang, source)
	if err != nil || !tree.HasError() || lang != syntax.CSharp {
		return tree, err
	}
	if again, err := syntax.Parse(ctx, lang, withoutDirectives(source)); err == nil && !again.HasError() {
		return again, nil
	}
	return tree, nil
}

// withoutDirectives blanks the lines of directives and the branches that follow an #else or #elif.
func withoutDirectives(source []byte) []byte {
	out := bytes.Clone(source)
	var skip []bool // for each open #if, whether its branch is left out
	for at := 0; at < len(out); {
		end := at + bytes.IndexByte(out[at:], '\n')
		if end < at {
			end = len(out)
		}
		word, _, _ := bytes.Cut(bytes.TrimLeft(out[at:end], " \t\ufeff"), []byte(" "))
		directive := bytes.HasPrefix(word, []byte("#"))
		switch string(bytes.TrimSpace(word)) {
		case "#if":
			skip = append(skip, false)
		case "#else", "#elif":
			if len(skip) > 0 {
				skip[len(skip)-1] = true
			}
		case "#endif":
			skip = skip[:max(0, len(skip)-1)]
		}
		if directive || slices.Contains(skip, true) {
			for i := at; i < end; i++ {
				out[i] = ' '
			}
		}
		at = end + 1
	}
	return out
}

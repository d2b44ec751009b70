package syntax

import (
	"context"
	"fmt"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// Match is one place where a pattern of a query fits.
type Match struct {
	Pattern  int               // which pattern of the query, from 0
	Captures map[string][]Node // by name without @, in the order of the source
}

// Node is the first node captured under a name; no node if there is none.
func (m Match) Node(name string) Node {
	if ns := m.Captures[name]; len(ns) > 0 {
		return ns[0]
	}
	return Node{}
}

// maxMatches bounds the answer of a query, and the states it may keep at once.
const maxMatches = 100_000

// Query finds where the patterns of a tree-sitter query fit. Text predicates
// (#eq?, #match?, #any-of?, and their negations) are obeyed. The source is
// parsed once more, so a caller with many patterns joins them into one query.
// A query with an error in it, or one that fits too often, is an error.
func (t *Tree) Query(ctx context.Context, patterns string) ([]Match, error) {
	found, err := within(ctx, func() ([]Match, error) {
		var found []Match
		err := withTree(ctx, t.lang, t.src, func(parsed *sitter.Tree) (err error) {
			found, err = t.query(ctx, patterns, parsed)
			return err
		})
		return found, err
	})
	if err != nil {
		return nil, fmt.Errorf("query %s source: %w", t.lang, err)
	}
	return found, nil
}

func (t *Tree) query(ctx context.Context, patterns string, parsed *sitter.Tree) ([]Match, error) {
	ids := make(map[uintptr]uint32, len(t.nodes))
	if _, err := flatten(ctx, t.lang, t.src, parsed, ids); err != nil {
		return nil, err
	}
	query, err := sitter.NewQuery(sitter.NewLanguage(t.lang.grammar()), patterns)
	if err != nil {
		return nil, fmt.Errorf("line %d: %s", err.Row+1, err.Message)
	}
	defer query.Close()
	return t.matches(ctx, query, parsed, ids)
}

func (t *Tree) matches(ctx context.Context, query *sitter.Query, parsed *sitter.Tree, ids map[uintptr]uint32) ([]Match, error) {
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.SetMatchLimit(10_000)
	captureNames := query.CaptureNames()
	var found []Match
	all := cursor.Matches(query, parsed.RootNode(), t.src)
	for m := all.Next(); m != nil; m = all.Next() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		match := Match{Pattern: int(m.PatternIndex), Captures: map[string][]Node{}}
		for _, c := range m.Captures {
			if at, ok := ids[c.Node.Id()]; ok {
				name := captureNames[c.Index]
				match.Captures[name] = append(match.Captures[name], Node{t, at})
			}
		}
		if found = append(found, match); len(found) > maxMatches {
			return nil, ErrTooComplex
		}
	}
	if cursor.DidExceedMatchLimit() {
		return nil, ErrTooComplex
	}
	return found, nil
}

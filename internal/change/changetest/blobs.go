package changetest

import (
	"context"
	"fmt"
	"io/fs"

	"workflow-reviewer/internal/change"
)

// Blobs reads files of trees by their blobs' ids.
func Blobs(trees ...change.Tree) func(ctx context.Context, id string) ([]byte, error) {
	return func(_ context.Context, id string) ([]byte, error) {
		for _, tree := range trees {
			list, err := tree.List("")
			if err != nil {
				return nil, err
			}
			for _, e := range list {
				if e.Blob == id {
					return tree.ReadFile(e.Path)
				}
			}
		}
		return nil, fmt.Errorf("blob %s: %w", id, fs.ErrNotExist)
	}
}

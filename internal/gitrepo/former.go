package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// maxVersions is how many versions of a file Former looks at.
const maxVersions = 40

// Former lists, sorted, the paths of all files that were there whenever a file got another version,
// and just before that: from head back to when the file was added. Shallow history is deepened;
// where that is impossible, and of a file with more than maxVersions, Former fails.
func (r *Repo) Former(ctx context.Context, path, head string) ([]string, error) {
	all := map[string]bool{}
	for range maxVersions {
		blob, err := r.pathsAt(ctx, head, path, all)
		if errors.Is(err, fs.ErrNotExist) {
			return slices.Sorted(maps.Keys(all)), nil
		}
		if err != nil {
			return nil, err
		}
		brought, _, err := r.Brought(ctx, path, blob, "", head)
		if err == nil {
			_, err = r.pathsAt(ctx, brought.SHA, path, all)
		}
		if err != nil {
			return nil, err
		}
		if len(brought.Parents) == 0 {
			return slices.Sorted(maps.Keys(all)), nil
		}
		head = brought.Parents[0]
	}
	return nil, fmt.Errorf("%q has more than %d versions", path, maxVersions)
}

// pathsAt adds the paths of a commit's files, and returns the blob that one of them is.
func (r *Repo) pathsAt(ctx context.Context, sha, path string, all map[string]bool) (string, error) {
	if err := r.Fetch(ctx, sha); err != nil {
		return "", err
	}
	tree, err := r.Tree(sha)
	if err != nil {
		return "", err
	}
	entries, err := tree.List("")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		all[e.Path] = true
	}
	e, err := tree.Stat(path)
	return e.Blob, err
}

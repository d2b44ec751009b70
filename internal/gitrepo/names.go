package gitrepo

import (
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Branch is the branch that the workspace has checked out, "" if its head is
// detached or there is no workspace.
func (r *Repo) Branch() string {
	if r.work == nil {
		return ""
	}
	line, err := readLine(filepath.Join(r.work.gitDir, "HEAD"))
	name, ok := strings.CutPrefix(line, "ref: refs/heads/")
	if err != nil || !ok {
		return ""
	}
	return name
}

// BlobID is the id that git gives to a file of this content.
func BlobID(content []byte) string {
	return plumbing.ComputeHash(plumbing.BlobObject, content).String()
}

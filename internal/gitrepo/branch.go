package gitrepo

import (
	"path/filepath"
	"strings"
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

package change

import "errors"

// Commit is one commit to write on top of a branch's head.
type Commit struct {
	Subject string
	Body    string // may be empty; ends in the trailers
	Writes  []Write
	Deletes []string // paths
}

// Write is a file's new content, mode 100644.
type Write struct {
	Path    string
	Content []byte
}

// Errors of the writers of commits.
var (
	// ErrHeadMoved: the branch is no longer where the review saw it.
	ErrHeadMoved = errors.New("the branch moved during the review")
	// ErrReadOnly: the token or remote may not be written to.
	ErrReadOnly = errors.New("no permission to write to the branch")
)

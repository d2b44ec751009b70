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
	// Render makes the content in place of Content each time that it is needed,
	// always the same: so that a thousand long files need not be held at once.
	Render func() []byte
}

// Bytes is the content.
func (w Write) Bytes() []byte {
	if w.Render != nil {
		return w.Render()
	}
	return w.Content
}

// Partial is the error of a writer that wrote some of its commits, or none, before it failed at the
// next.
type Partial struct {
	Head    string // the branch's tip after the last commit that was written
	Written int    // how many were
	Err     error  // why the next was not
}

// Error implements error.
func (p *Partial) Error() string { return p.Err.Error() }

// Unwrap returns why the next commit was not written.
func (p *Partial) Unwrap() error { return p.Err }

// Errors of the writers of commits.
var (
	// ErrHeadMoved: the branch is no longer where the review saw it.
	ErrHeadMoved = errors.New("the branch moved during the review")
	// ErrReadOnly: the token or remote may not be written to.
	ErrReadOnly = errors.New("no permission to write to the branch")
)

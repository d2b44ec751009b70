package gitrepo

import "github.com/go-git/go-git/v5/plumbing"

// BlobID is the id that git gives to a file of this content.
func BlobID(content []byte) string {
	return plumbing.ComputeHash(plumbing.BlobObject, content).String()
}

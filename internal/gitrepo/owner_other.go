//go:build !unix

package gitrepo

// Adopt does nothing where files have no numeric owner.
func Adopt(string) func(path string) error {
	return func(string) error { return nil }
}

//go:build !unix

package gitrepo

// adopt does nothing where files have no numeric owner.
func adopt(string) func(path string) error {
	return func(string) error { return nil }
}

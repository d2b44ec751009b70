//go:build unix

package gitrepo

import (
	"os"
	"syscall"
)

// Adopt returns a function that gives new files to the owner of a folder, where we run as another
// user who may: a container's root must not leave files behind that the user of the runner cannot
// change.
func Adopt(folder string) func(path string) error {
	info, err := os.Stat(folder)
	if err != nil || os.Geteuid() != 0 {
		return func(string) error { return nil }
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid == 0 {
		return func(string) error { return nil }
	}
	return func(path string) error { return os.Lchown(path, int(owner.Uid), int(owner.Gid)) }
}

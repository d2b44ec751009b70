//go:build !linux

package child

import "syscall"

// confine has the process leave no core file. Bounds on memory that hold are not to be had
// everywhere.
func confine() error {
	return syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}

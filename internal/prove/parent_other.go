//go:build !linux

package prove

import "syscall"

// endWithParent does nothing where the system does not offer it.
func endWithParent(*syscall.SysProcAttr) {}

package child

import (
	"os"
	"strconv"
	"syscall"
)

// confine bounds the process's memory, has it leave no core file, and closes
// the files that it inherited. Go opens its own with O_CLOEXEC.
func confine() error {
	for resource, most := range map[int]uint64{
		syscall.RLIMIT_DATA: maxMemory,
		syscall.RLIMIT_CORE: 0,
	} {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil //nolint:nilerr // no /proc: Go's own files are closed on exec all the same
	}
	for _, entry := range open {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= 2 {
			continue
		}
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno == 0 && flags&syscall.FD_CLOEXEC == 0 {
			_ = syscall.Close(fd)
		}
	}
	return nil
}

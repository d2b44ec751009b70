package swap

import (
	"io/fs"
	"syscall"
)

// changed is when a file's data or properties last changed, which no program can set; 0 if that is
// not known.
func changed(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano()
	}
	return 0
}

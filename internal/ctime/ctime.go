// Package ctime tells when a file was last touched in a way that no program can hide.
package ctime

import (
	"io/fs"
	"syscall"
)

// Of is when a file's data or properties last changed, in nanoseconds since 1970, which no program
// can set; 0 if that is not known.
func Of(info fs.FileInfo) int64 {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	t := changed(s)
	return t.Nano()
}

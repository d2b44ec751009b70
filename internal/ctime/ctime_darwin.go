// Package ctime tells when a file was last touched in a way that no program can hide.
package ctime

import (
	"io/fs"
	"syscall"
)

// Of is when a file's data or properties last changed, which no program can set; 0 if that is
// not known.
func Of(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano()
	}
	return 0
}

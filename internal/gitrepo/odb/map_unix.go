//go:build unix

package odb

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapData maps a file into memory for reading, until unmap is called.
func mapData(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 { // which cannot be mapped
		return nil, err
	}
	return unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
}

func unmap(data []byte) { _ = unix.Munmap(data) }

//go:build !unix

package odb

import (
	"io"
	"os"
)

// mapData reads a file: not every system maps files.
func mapData(file *os.File) ([]byte, error) { return io.ReadAll(file) }

func unmap([]byte) {}

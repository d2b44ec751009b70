package odb

import (
	"fmt"
	"os"
	"runtime"
)

// mapped is a file in memory, of which only what is touched is read. git replaces packs and their
// indexes as a whole, and never cuts one short. It is given back once nothing refers to it, not
// when the database is closed: somebody may still be reading. So who reads data keeps the mapped
// alive until then.
type mapped struct{ data []byte }

// mapFile maps a whole file for reading. The mapping ends when the result is collected: users keep
// it alive while they read.
func mapFile(path string) (*mapped, error) {
	file, err := os.Open(path) //nolint:gosec // a file of the objects folder
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	data, err := mapData(file)
	if err != nil {
		return nil, fmt.Errorf("map %q: %w", path, err)
	}
	m := &mapped{data}
	runtime.AddCleanup(m, unmap, data)
	return m, nil
}

// Package formats names the formats of measurements that are not read, by what files hold, with the
// command that exports each to one that is: users hand them over by mistake.
package formats

import (
	"bytes"
	_ "embed" // the formats
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
)

// maxHead limits what is looked at of a file, in bytes.
const maxHead = 1 << 20

// format is one that is not read.
type format struct {
	Name   string
	Begins string // the file's first bytes, each a character up to U+00FF; "" for any
	Holds  string // an expression for what its head holds besides; "" for anything
	Suffix string // of the file's name, where its content says nothing
	Export string // the command; FILE is the file's name, FOLDER its folder
}

//go:embed formats.json
var table []byte

// formats are those of a kind of measurement: coverage, tests.
var formats = sync.OnceValue(func() map[string][]format {
	var all map[string][]format
	if err := json.Unmarshal(table, &all); err != nil {
		panic(err) // a part of the program
	}
	return all
})

// Coverage says what a file is that is no coverage report that is read, and how to export it; "" if
// that is not known. Of a folder, data is nil.
func Coverage(name string, data []byte) string { return describe("coverage", name, data) }

// Tests says the same of test results.
func Tests(name string, data []byte) string { return describe("tests", name, data) }

// describe says what a file is and how to export it, "" if it is none of the formats.
func describe(kind, name string, data []byte) string {
	head := data[:min(len(data), maxHead)]
	for _, f := range formats()[kind] {
		if f.is(name, head) {
			export := strings.NewReplacer("FILE", name, "FOLDER", path.Dir(name)).Replace(f.Export)
			return fmt.Sprintf("it is %s, which is not read; export it: %s", f.Name, export)
		}
	}
	return ""
}

// is reports whether a file has the format, by its suffix or its first bytes.
func (f format) is(name string, head []byte) bool {
	if f.Suffix != "" {
		isBinary := len(head) == 0 || bytes.IndexByte(head, 0) >= 0
		return strings.HasSuffix(name, f.Suffix) && isBinary
	}
	var begins []byte
	for _, r := range f.Begins {
		begins = append(begins, byte(r)) //nolint:gosec // up to U+00FF
	}
	return bytes.HasPrefix(head, begins) && regexp.MustCompile(f.Holds).Match(head)
}

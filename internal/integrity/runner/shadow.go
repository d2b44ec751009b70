package runner

import (
	"path"
	"strings"
)

// hides is the approved file whose settings a runner reads no longer because of a new one, "" if
// there is none.
func hides(p string, after []byte, read *Tree) string {
	for _, line := range listed("precedence") {
		comesFirst := false
		for _, w := range strings.Fields(line) {
			file, prefix, _ := strings.Cut(w, "|")
			at := path.Join(path.Dir(p), file)
			switch before := read.at(at); {
			case file == path.Base(p):
				comesFirst = hasSection(p, after, prefix)
			case comesFirst && before != nil && hasSection(at, before, prefix):
				return at
			}
		}
	}
	return ""
}

// hasSection reports whether a file has settings below a prefix. What cannot be
// read has, and a pytest.ini counts even if it is empty.
func hasSection(file string, src []byte, prefix string) bool {
	if prefix == "" || strings.HasSuffix(file, "pytest.ini") {
		return true
	}
	o, err := readOptions(formatOf(file), src)
	return err != nil || len(o.below(prefix)) > 0
}

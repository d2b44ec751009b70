package detect

import (
	"path"
	"strings"
)

// maySay reports whether a path has no extension, so that only a first line
// like "#!/bin/sh" can tell that it is a program.
func maySay(p string) bool {
	name := path.Base(p)
	return path.Ext(name) == "" || strings.HasPrefix(name, ".") && strings.Count(name, ".") == 1
}

// Package glob matches paths with the patterns that users write.
package glob

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match reports whether a doublestar pattern matches a path. A bad one matches nothing.
func Match(pattern, p string) bool {
	ok, err := doublestar.Match(strings.TrimPrefix(pattern, "./"), p)
	return ok && err == nil
}

// Names reports whether an entry names a file: by its path, by a pattern, or by a folder that it is
// in.
func Names(entry, p string) bool {
	folder := strings.TrimSuffix(strings.TrimPrefix(entry, "./"), "/")
	if folder != entry || !strings.ContainsAny(entry, "*?[{") {
		if folder == p || Match(folder+"/**", p) {
			return true
		}
	}
	return Match(entry, p)
}

// NamesAny reports whether one of the entries names a file.
func NamesAny(entries []string, p string) bool {
	return slices.ContainsFunc(entries, func(e string) bool { return Names(e, p) })
}

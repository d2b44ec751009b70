// Package nearest finds what a mistyped word was surely meant to be.
package nearest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Word is the known word that a mistyped one is close enough to, "" if there is none.
func Word(word string, known []string) string {
	if len(word) > 64 { // no slip of the finger, and costly to compare
		return ""
	}
	best, distance := "", 1+max(2, len(word)/3)
	for _, k := range known {
		if n := levenshtein.ComputeDistance(strings.ToLower(word), k); n < distance {
			best, distance = k, n
		}
	}
	return best
}

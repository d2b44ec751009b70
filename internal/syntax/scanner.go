package syntax

import "fmt"

// maxNesting is how deep brackets may stand in each other, strings and
// comments not told from code.
const maxNesting = 1_000

// isBomb refuses, by a look at the bytes, deep nesting: where it is never
// closed it keeps the parser busy for hours in one step, where nothing but the
// end of its process can stop it.
func isBomb(lang Language, src []byte) error {
	if depth := nesting(lang, src); depth > maxNesting {
		return fmt.Errorf("%w: %d brackets are open at once, at most %d are read", ErrTooComplex, depth, maxNesting)
	}
	return nil
}

// nesting is how many brackets of a kind are open at most. Angle brackets count
// within a statement, in the languages that have generics, since "less than"
// looks the same and is never closed.
func nesting(lang Language, src []byte) int {
	generics := lang != Python && lang != Ruby && lang != Go
	deepest, depth, angles := 0, 0, 0
	for _, b := range src {
		switch b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '<':
			if generics {
				angles++
			}
		case '>':
			angles = max(angles-1, 0)
		}
		if b == ';' || b == '{' || b == '}' {
			angles = 0
		}
		deepest = max(deepest, depth, angles)
	}
	return deepest
}

package catalogue

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// importsOf reads what names JavaScript imports from which modules.
func importsOf(lang syntax.Language, source []byte) map[string][]string {
	out := map[string][]string{}
	switch lang {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
	default:
		return out
	}
	for _, m := range importing.FindAllStringSubmatch(string(source), -1) {
		for _, name := range strings.FieldsFunc(m[1]+m[2]+m[3], func(r rune) bool { return strings.ContainsRune(" \t\r\n{},*:", r) }) {
			out[name] = append(out[name], m[4])
		}
	}
	return out
}

// importing matches an import, a constant that require gives, and TypeScript's
// mixture of both.
var importing = lazyregexp.New(`\b(?:import\s+(?:type\s)?([\w$\s{},*]+?)\s*\bfrom|` +
	`(?:const|let|var)\s+([\w$\s{},:]+?)\s*=\s*require\s*\(|` +
	`import\s+([\w$]+)\s*=\s*require\s*\()\s*["']([^"'\n]+)["']`)

package question

import (
	_ "embed"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// topic is a kind of mark: what new code does, and what is asked about it.
type topic struct {
	id    string
	says  string
	asks  string
	names map[syntax.Language][]string // see matches
	texts *lazyregexp.Regexp           // whole string literals
}

//go:embed marks.txt
var marks string

// topics are the marks, globals what is not a file's own to assign to, reopened the classes that it may not add
// to unasked. A mistake in the list shows in any test.
var topics, globals, reopened = func() (out []topic, globals, reopened map[syntax.Language]*lazyregexp.Regexp) {
	globals, reopened = map[syntax.Language]*lazyregexp.Regexp{}, map[syntax.Language]*lazyregexp.Regexp{}
	for line := range strings.Lines(marks) {
		head, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		lang, pattern, _ := strings.Cut(rest, " ")
		switch head {
		case "", "#":
		case "topic":
			out = append(out, topic{id: rest, names: map[syntax.Language][]string{}})
		case "says":
			out[len(out)-1].says = rest
		case "asks":
			out[len(out)-1].asks = rest
		case "texts":
			out[len(out)-1].texts = lazyregexp.New(rest)
		case "globals":
			globals[syntax.Language(lang)] = lazyregexp.New(pattern)
		case "reopened":
			reopened[syntax.Language(lang)] = lazyregexp.New(pattern)
		default:
			names := out[len(out)-1].names
			names[syntax.Language(head)] = append(names[syntax.Language(head)], strings.Fields(rest)...)
		}
	}
	return out, globals, reopened
}()

// named is the language whose names count for a source.
func named(lang syntax.Language) syntax.Language {
	if lang == syntax.TypeScript || lang == syntax.TSX {
		return syntax.JavaScript
	}
	return lang
}

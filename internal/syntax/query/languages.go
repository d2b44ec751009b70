package query

import (
	"sync"

	"workflow-reviewer/internal/lang"
	"workflow-reviewer/internal/syntax"
)

// compiled are the queries of languages that were asked for, by language and subject.
var compiled sync.Map

// For is a language's query for a subject, the file SUBJECT.scm of its folder in package lang; nil
// if it has none.
func For(language syntax.Language, subject string) *Query {
	key := string(language) + "/" + subject
	if known, ok := compiled.Load(key); ok {
		q, _ := known.(*Query) // nothing else is stored
		return q
	}
	text, ok := lang.Read(string(language), subject+".scm")
	if !ok {
		return nil
	}
	q := MustCompile(text) // a test compiles all of them
	compiled.Store(key, q)
	return q
}

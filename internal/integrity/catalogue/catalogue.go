// Package catalogue knows the test frameworks: what they call tests, hooks and skips, and their
// assertions. It is data, one file a framework in the folder data; this code only reads it.
//
// A line of a file is one of these; "#" after a space or at its start begins a comment.
//
//	language NAME...           the languages of the framework
//	when TEXT...               it is in use where a source holds one of the texts; none: always
//	suite NAME...              calls that hold tests
//	test NAME...               calls, annotations or prefixes (NAME*) that make a test
//	hook NAME...               names, or prefixes (NAME*), that a runner calls by itself
//	fails NAME...              what makes a test expect a failure
//	skip NAME...               what keeps a test from running, or others than it (focus)
//	rows NAME...               calls, annotations and macros whose list arguments are cases
//	negation NAME...           links of a chain that negate what follows
//	on RECEIVER... : NAME...   from here on, assertions of these receivers (see Call)
//	relation NAME              the entries that follow are of one relation
//	NAME ROLE...               an assertion, its arguments by position; "msg" is a text for people
//	order A > B = C            A demands more than B and C of the same values
package catalogue

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/syntax"
)

//go:embed data/*.txt
var data embed.FS

// Entry is one assertion.
type Entry struct {
	Framework, Relation, Name string
	Receivers                 []string
	Roles                     []string // of its arguments; "msg" is for people
}

// Framework is what one file of the data says.
type Framework struct {
	Name      string
	Languages []syntax.Language
	When      []string
	Entries   []*Entry
	words     map[string][]string
	stronger  map[[3]string]bool // by relation, the name that demands more, and the other
}

// File is the part of the catalogue that a source file uses.
type File struct{ frameworks []*Framework }

// All lists the frameworks by name. A mistake in the data, which is embedded, shows in any test.
var All = sync.OnceValue(func() (out []*Framework) {
	files, err := data.ReadDir("data")
	for _, f := range files {
		text, errOfFile := data.ReadFile("data/" + f.Name())
		fw, errOfText := parse(strings.TrimSuffix(f.Name(), ".txt"), string(text))
		out, err = append(out, fw), errors.Join(err, errOfFile, errOfText)
	}
	if err != nil {
		panic(err)
	}
	return out
})

// For selects the frameworks that a source may use.
func For(lang syntax.Language, source []byte) File {
	var out File
	for _, f := range All() {
		holds := func(w string) bool { return bytes.Contains(source, []byte(w)) }
		if slices.Contains(f.Languages, lang) &&
			(len(f.When) == 0 || slices.ContainsFunc(f.When, holds)) {
			out.frameworks = append(out.frameworks, f)
		}
	}
	return out
}

// Call is the assertion that a call is, nil if it is none. receiver is the skeleton of what the
// call is made on: names joined by dots, with "()" for the arguments of calls; "" for a plain
// function, "!" for a macro, "matcher" for an argument of what takes matchers.
func (f File) Call(receiver, name string) *Entry {
	for _, fw := range f.frameworks {
		for _, e := range fw.Entries {
			if e.Name == name &&
				slices.ContainsFunc(e.Receivers,
					func(p string) bool { return matches(p, receiver) }) {
				return e
			}
		}
	}
	return nil
}

// matches reports whether a receiver fits a pattern: equal, "-" for none, "*" for any, or a
// beginning before "*".
func matches(pattern, receiver string) bool {
	if pattern == "-" {
		return receiver == ""
	}
	if head, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(receiver, head)
	}
	return pattern == receiver
}

// Has reports whether a word stands in a list of the frameworks: "suite",
// "test", "hook", "fails", "skip", "rows", "negation".
func (f File) Has(list, word string) bool {
	return slices.ContainsFunc(f.frameworks, func(fw *Framework) bool {
		return slices.ContainsFunc(fw.words[list], func(p string) bool { return matches(p, word) })
	})
}

// Lists reports whether a word itself stands in a list, not only a prefix of it.
func (f File) Lists(list, word string) bool {
	return slices.ContainsFunc(f.frameworks,
		func(fw *Framework) bool { return slices.Contains(fw.words[list], word) })
}

// Stronger reports whether the first of two assertions demands more than the second one of the same
// values.
func Stronger(a, b *Entry) bool {
	return slices.ContainsFunc(All(), func(fw *Framework) bool {
		return fw.Name == a.Framework && b.Framework == a.Framework &&
			fw.stronger[[3]string{a.Relation, a.Name, b.Name}]
	})
}

// lists are the lines that hold words only.
var lists = []string{"suite", "test", "hook", "fails", "skip", "rows", "negation"}

// parse reads the file of one framework.
func parse(name, text string) (*Framework, error) {
	p := &parser{
		fw: &Framework{Name: name, words: map[string][]string{}, stronger: map[[3]string]bool{}},
	}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(" "+line, " #")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if err := p.line(words[0], words[1:]); err != nil {
			return nil, fmt.Errorf("catalogue: %s.txt:%d: %w", name, i+1, err)
		}
	}
	if len(p.fw.Languages) == 0 {
		return nil, fmt.Errorf("catalogue: %s.txt: no line \"language\"", name)
	}
	return p.fw, nil
}

// parser is the state of reading one file: receivers and relation hold until the next line of
// theirs.
type parser struct {
	fw        *Framework
	receivers []string
	relation  string
}

// line reads one line of words. An assertion outside of a relation or of receivers is an error.
func (p *parser) line(head string, rest []string) error {
	switch {
	case head == "language":
		for _, l := range rest {
			p.fw.Languages = append(p.fw.Languages, syntax.Language(l))
		}
	case head == "when":
		p.fw.When = append(p.fw.When, rest...)
	case slices.Contains(lists, head):
		p.fw.words[head] = append(p.fw.words[head], rest...)
	case head == "on":
		p.receivers = rest
	case head == "relation" && len(rest) == 1:
		p.relation = rest[0]
	case head == "order":
		return p.order(rest)
	case p.relation == "" || len(p.receivers) == 0:
		return fmt.Errorf("%q stands outside of a relation or of receivers", head)
	default:
		p.fw.Entries = append(p.fw.Entries, &Entry{
			Framework: p.fw.Name, Relation: p.relation, Name: head, Receivers: p.receivers,
			Roles: rest,
		})
	}
	return nil
}

// Values says how many values an assertion looks at; what it is given besides is for people.
func (e *Entry) Values() (n int) {
	for _, r := range e.Roles {
		switch {
		case strings.HasPrefix(r, "msg"), strings.HasPrefix(r, "because"):
		case strings.HasSuffix(r, "..."):
			return 1 << 10
		default:
			n++
		}
	}
	return n
}

// order reads a chain of names in which those before a ">" demand more than those behind it.
func (p *parser) order(words []string) error {
	var above, same []string
	for _, w := range words {
		switch {
		case w == ">":
			above, same = append(above, same...), nil
		case w == "=":
		case !slices.ContainsFunc(p.fw.Entries, func(e *Entry) bool {
			return e.Name == w && e.Relation == p.relation
		}):
			return fmt.Errorf("order: no assertion %q of relation %q", w, p.relation)
		default:
			same = append(same, w)
			for _, a := range above {
				p.fw.stronger[[3]string{p.relation, a, w}] = true
			}
		}
	}
	return nil
}

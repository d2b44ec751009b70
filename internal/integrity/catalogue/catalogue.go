// Package catalogue knows the assertions of the test frameworks: their names, what their arguments are, and
// which of two demands more. It is data, one file a framework in the folder data; this code only reads it.
//
// A line of a file is one of these; "#" after a space or at its start begins a comment.
//
//	language NAME...           the languages of the framework
//	when TEXT...               the framework is in use where a source holds one of the texts; none: always
//	import MODULE...           JavaScript's modules that the framework's receivers are imported from
//	suite NAME...              calls that hold tests
//	test NAME...               calls, annotations or prefixes (NAME*) that make a test
//	hook NAME...               names, or prefixes (NAME*), that a runner calls by itself
//	mark NAME...               decorators and annotations that do no more than describe a test
//	fails NAME...              what makes a test expect a failure
//	skip NAME...               what keeps a test from running, or others than it (focus)
//	rows NAME...               calls, annotations and macros whose list arguments are cases
//	negation NAME...           links of a chain that negate what follows
//	inert NAME...              calls that a test may begin with and that change nothing of what it demands
//	label NAME...              decorators and annotations that give a test a text for people
//	narrower NAME...           assertions and marks of which a further argument demands more
//	alike NAME...              receivers of which each may stand for another
//	implied OLD by NEW CLASS   NEW of the same subject and a constant demands at least what OLD does, if the
//	                           constant is of the class: const (not null), true (counts as true), false
//	unfold OLD OP NEW          OLD of "a OP b" demands the same as NEW of a and b
//	on RECEIVER... : NAME...   from here on, assertions of these receivers (see Call)
//	relation NAME              the entries that follow are of one relation
//	NAME ROLE...               an assertion and its arguments by position
//	order A > B = C            A demands more than B, B the same as C
//	order A B | C D            A and B can't be compared with C and D; "A | *": with no other
//
// Roles: "msg" is a text for people, also by the keyword msg, message or because; "msg..." any number of them;
// a role that ends in "-" is a number that may become smaller, one that ends in "+" a number that may become
// larger; every other role is a value.
package catalogue

import (
	"bytes"
	"embed"
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
	// Roles is empty where frameworks in use differ in them: then all are values.
	Roles []string
	// others are the same call in further frameworks that the source may mean.
	others []*Entry
}

// readings are what a call is in each framework that the source may mean.
func (e *Entry) readings() []*Entry { return append([]*Entry{e}, e.others...) }

// Framework is what one file of the data says.
type Framework struct {
	Name      string
	Languages []syntax.Language
	When      []string
	Imports   []string
	Entries   []*Entry
	words     map[string][]string
	implied   []Implication
	// stronger and equal are the declared pairs, unrelated those that are not
	// comparable; by relation and the two names.
	stronger, equal, unrelated map[[3]string]bool
}

// Implication says that an assertion without a constant follows from one with.
type Implication struct{ Old, New, Class string }

// File is the part of the catalogue that a source file uses.
type File struct {
	frameworks []*Framework
	// imports are the modules that a name is imported from; in JavaScript alone,
	// where the frameworks share names.
	imports map[string][]string
}

// all is the parsed data, which never changes.
var all = sync.OnceValues(parseAll)

// All lists the frameworks by name. An error is one of the data.
func All() ([]*Framework, error) { return all() }

func parseAll() ([]*Framework, error) {
	files, err := data.ReadDir("data")
	if err != nil {
		return nil, fmt.Errorf("read the catalogue: %w", err)
	}
	var out []*Framework
	for _, f := range files {
		text, err := data.ReadFile("data/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("read the catalogue: %w", err)
		}
		fw, err := parse(strings.TrimSuffix(f.Name(), ".txt"), string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, fw)
	}
	return out, nil
}

// For selects the frameworks that a source may use. Data that cannot be read
// selects none, so that every difference counts.
func For(lang syntax.Language, source []byte) File {
	out := File{imports: importsOf(lang, source)}
	every, err := All()
	if err != nil {
		return out
	}
	for _, f := range every {
		if !slices.Contains(f.Languages, lang) {
			continue
		}
		used := len(f.When) == 0 || slices.ContainsFunc(f.When, func(w string) bool { return bytes.Contains(source, []byte(w)) })
		if used {
			out.frameworks = append(out.frameworks, f)
		}
	}
	return out
}

// Call is the assertion that a call is, nil if it is none. receiver is the skeleton of what the call is made
// on: names joined by dots, with "()" for the arguments of calls; "" for a plain function, "!" for a macro,
// "matcher" for an argument of what takes matchers. Where several frameworks have it and no import says which
// one is meant, it is what they agree on.
func (f File) Call(receiver, name string) *Entry {
	var found []*Entry
	for _, fw := range f.meant(receiver) {
		i := slices.IndexFunc(fw.Entries, func(e *Entry) bool {
			return e.Name == name && slices.ContainsFunc(e.Receivers, func(p string) bool { return matches(p, receiver) })
		})
		if i >= 0 {
			found = append(found, fw.Entries[i])
		}
	}
	switch len(found) {
	case 0:
		return nil
	case 1:
		return found[0]
	}
	out := *found[0]
	out.others = found[1:]
	if slices.ContainsFunc(out.others, func(e *Entry) bool { return !sameRoles(e.Roles, out.Roles) }) {
		out.Roles = nil
	}
	return &out
}

// meant are the frameworks that a receiver may be of: those that it is imported from, else all in use.
func (f File) meant(receiver string) []*Framework {
	root, _, _ := strings.Cut(receiver, ".")
	var out []*Framework
	for _, module := range f.imports[root] {
		has := func(fw *Framework) bool { return slices.Contains(fw.Imports, module) }
		i := slices.IndexFunc(f.frameworks, has)
		if i < 0 {
			return f.frameworks
		}
		out = append(out, f.frameworks[i])
	}
	if len(out) == 0 {
		return f.frameworks
	}
	return out
}

// sameRoles reports whether two lists of roles differ in the names of values at most.
func sameRoles(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return kindOfRole(x) == kindOfRole(y) })
}

func kindOfRole(role string) string {
	switch {
	case strings.HasPrefix(role, "msg"), strings.HasPrefix(role, "because"):
		return "text" + role[len(strings.TrimRight(role, ".")):]
	case strings.HasSuffix(role, "-"), strings.HasSuffix(role, "+"):
		return role[len(role)-1:]
	}
	return "value"
}

// matches reports whether a receiver fits a pattern: equal, "-" for none, "*" for any, or a beginning before "*".
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
// "test", "hook", "mark", "fails", "skip", "rows", "negation".
func (f File) Has(list, word string) bool {
	return slices.ContainsFunc(f.frameworks, func(fw *Framework) bool {
		return slices.ContainsFunc(fw.words[list], func(p string) bool { return matches(p, word) })
	})
}

// Lists reports whether a word itself stands in a list, not only a prefix of it.
func (f File) Lists(list, word string) bool {
	return slices.ContainsFunc(f.frameworks, func(fw *Framework) bool { return slices.Contains(fw.words[list], word) })
}

// AtLeast reports whether now demands at least what old demands of the same
// arguments, in every framework that the two may be of.
func (f File) AtLeast(now, old *Entry) bool {
	pairs := f.pairs(now, old)
	return len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p pair) bool {
		return p.now.Relation != p.old.Relation || !p.framework.atLeast(p.now.Relation, p.now.Name, p.old.Name)
	})
}

// Implied lists how an assertion may follow from another, in every framework that the two may be of.
func (f File) Implied(now, old *Entry) []string {
	var out []string
	for i, p := range f.pairs(now, old) {
		classes := p.framework.classes(p.now.Name, p.old.Name)
		if i == 0 {
			out = classes
		}
		out = slices.DeleteFunc(out, func(class string) bool { return !slices.Contains(classes, class) })
	}
	return out
}

// pair is what two calls are in one framework.
type pair struct {
	framework *Framework
	now, old  *Entry
}

// pairs are two calls in each framework that has both.
func (f File) pairs(now, old *Entry) []pair {
	if now == nil || old == nil {
		return nil
	}
	var out []pair
	for _, n := range now.readings() {
		for _, o := range old.readings() {
			if n.Framework == o.Framework {
				out = append(out, pair{f.framework(n), n, o})
			}
		}
	}
	return out
}

// classes lists how old may follow from now.
func (fw *Framework) classes(now, old string) []string {
	var out []string
	for _, i := range fw.implied {
		if i.Old == old && i.New == now {
			out = append(out, i.Class)
		}
	}
	return out
}

// Equal reports whether two assertions demand the same of the same arguments.
func (f File) Equal(a, b *Entry) bool { return f.AtLeast(a, b) && f.AtLeast(b, a) }

// Compare says how two assertions of one framework and relation compare: 1 if a
// demands more, -1 if b does, 0 if neither is known to.
func (f File) Compare(a, b *Entry) int {
	up, down := f.AtLeast(a, b), f.AtLeast(b, a)
	switch {
	case up && !down:
		return 1
	case down && !up:
		return -1
	default:
		return 0
	}
}

func (f File) framework(e *Entry) *Framework {
	i := slices.IndexFunc(f.frameworks, func(fw *Framework) bool { return fw.Name == e.Framework })
	return f.frameworks[i]
}

// atLeast looks for a way from a down to b.
func (fw *Framework) atLeast(relation, a, b string) bool {
	seen := map[string]bool{a: true}
	for todo := []string{a}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		if at == b {
			return true
		}
		for _, e := range fw.Entries {
			k := [3]string{relation, at, e.Name}
			if e.Relation == relation && !seen[e.Name] && (fw.stronger[k] || fw.equal[k]) {
				seen[e.Name] = true
				todo = append(todo, e.Name)
			}
		}
	}
	return false
}

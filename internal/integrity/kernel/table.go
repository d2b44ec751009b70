package kernel

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/lang"
	"workflow-reviewer/internal/syntax"
)

// set is a set of node kinds, tokens or names.
type set map[string]bool

// setOf is a set of items.
func setOf(items ...string) set {
	s := set{}
	for _, i := range items {
		s[i] = true
	}
	return s
}

// place is a field of a kind of node; an empty field is any child.
type place struct{ kind, field string }

// table is what the kernel knows of a language. All of it is data.
type table struct {
	blocks     set // their children are statements or members, in order
	functions  set
	definition set // statements that define a name, in the field "name"
	verbatim   set // white space between their children counts
	strings    set // string literals whose quotes may change if nothing is escaped
	ends       set // tokens that end statements, dropped
	comma      set // kinds in which a trailing comma means something
	unwrap     set // stand for their only child
	drop       set // kinds without a meaning when tests run
	types      set // annotations of types, dropped unless they call something
	typed      set // kinds that are their first child with a type
	alias      map[string]string
	docStrings bool
	imports    set // import statements
	flatten    set // import declarations that stand for the imports in them
	leading    set // siblings that belong to the item after them (Rust's attributes)

	binds   []place // where a name is bound
	pattern set     // kinds of patterns that hold bound names

	calls   []callForm
	pragmas []string // comments that begin so (after their marker) count
	// a file with one of these words is about types: nothing of types is dropped
	typeWord    []string
	reserved    set            // names that mean something although nobody defines them
	acts        set            // names that reach other code, the runner or the process
	spares      []string       // calls of such names that the framework undoes after the test
	testsByName bool           // functions are tests by their names
	without     map[string]set // tokens that say nothing in a kind
	hoist       set            // stand for the marks in them
	lang        syntax.Language
}

// callForm says where a kind of call has its parts.
type callForm struct {
	kind     string
	function string // field of the callee, which may be a member
	object   string // field of the receiver, where the call itself has it
	name     string // field of the name, where the call itself has it
	args     string
	block    string // field of a block that is handed over
	member   place  // the kind of a member with the field of its object
	property string // the member's field of its name
}

// A language's table is the file compare.txt of its folder in package lang. A line names a field of
// table and what is in it; a field may have several lines. "#" begins a comment.
//
//	FIELD WORD...                    a set or list; a flag has no words
//	binds KIND[.FIELD]...            places
//	alias KIND KIND                  the first is taken for the second
//	without KIND TOKEN...
//	call KIND PART=FIELD...          a callForm; member=KIND.FIELD
//	pragma "TEXT"
//	only LANGUAGE...                 what follows is so in these dialects alone

// tables are those of all languages. A mistake in one shows in any test.
var tables = sync.OnceValue(func() map[syntax.Language]*table {
	out := map[syntax.Language]*table{}
	for _, language := range syntax.Languages() {
		if text, ok := lang.Read(string(language), "compare.txt"); ok {
			out[language] = tableFrom(text, language)
		}
	}
	return out
})

// Reads reports whether it is known how to compare sources of a language. What is not known must
// not change.
func Reads(language syntax.Language) bool { return tables()[language] != nil }

// tableOf is a language's table. Without one a source is compared node by node.
func tableOf(language syntax.Language) *table {
	if t := tables()[language]; t != nil {
		return t
	}
	return &table{lang: language}
}

// tableFrom reads a table, which is embedded: an error is a defect of the program.
func tableFrom(text string, language syntax.Language) *table {
	t := &table{lang: language, alias: map[string]string{}, without: map[string]set{}}
	for line := range strings.Lines(text) {
		switch words := strings.Fields(line); {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "only":
			if !slices.Contains(words, string(language)) {
				return t
			}
		default:
			t.say(words[0], words[1:], line)
		}
	}
	return t
}

// say obeys a line.
func (t *table) say(field string, words []string, line string) {
	sets := map[string]*set{
		"blocks": &t.blocks, "functions": &t.functions,
		"definition": &t.definition, "verbatim": &t.verbatim,
		"strings": &t.strings, "ends": &t.ends, "comma": &t.comma, "unwrap": &t.unwrap, "drop": &t.drop, "types": &t.types,
		"typed":   &t.typed,
		"imports": &t.imports, "flatten": &t.flatten, "leading": &t.leading, "pattern": &t.pattern, "reserved": &t.reserved,
		"acts": &t.acts, "hoist": &t.hoist,
	}
	flags := map[string]*bool{"docStrings": &t.docStrings, "testsByName": &t.testsByName}
	switch {
	case sets[field] != nil:
		*sets[field] = setOf(append(slices.Collect(maps.Keys(*sets[field])), words...)...)
	case flags[field] != nil:
		*flags[field] = true
	case field == "alias":
		t.alias[words[0]] = words[1]
	case field == "without":
		t.without[words[0]] = setOf(words[1:]...)
	case field == "typeWord":
		t.typeWord = words
	case field == "pragma":
		_, text, _ := strings.Cut(strings.TrimSpace(line), `"`)
		t.pragmas = append(t.pragmas, strings.TrimSuffix(text, `"`))
	case field == "binds":
		t.binds = append(t.binds, places(words)...)
	case field == "spares":
		t.spares = append(t.spares, words...)
	case field == "call":
		parts := map[string]string{}
		for _, w := range words[1:] {
			part, name, _ := strings.Cut(w, "=")
			parts[part] = name
		}
		t.calls = append(t.calls, callForm{
			kind: words[0], function: parts["function"], object: parts["object"],
			name: parts["name"], args: parts["args"],
			block: parts["block"], member: places([]string{parts["member"]})[0],
			property: parts["property"],
		})
	default:
		panic("no field of a table: " + line)
	}
}

// places are the words KIND.FIELD of a line.
func places(words []string) (out []place) {
	for _, w := range words {
		kind, field, _ := strings.Cut(w, ".")
		out = append(out, place{kind, field})
	}
	return out
}

package kernel

import (
	"workflow-reviewer/internal/syntax"
)

// set is a set of node kinds, tokens or names.
type set map[string]bool

func setOf(items ...string) set {
	s := set{}
	for _, i := range items {
		s[i] = true
	}
	return s
}

// place is a field of a kind of node; an empty field is any child.
type place struct{ kind, field string }

// binder is a place where names are bound.
type binder struct {
	place
	// fixed: the name is known outside (a parameter that a fixture or a keyword
	// fills), so that it can't be renamed.
	fixed bool
	// param: the name is new in its function even if one around it has it too.
	param bool
}

// table is what the kernel knows of a language. All of it is data.
type table struct {
	blocks     set // their children are statements or members, in order
	functions  set // open a scope of local names
	scopes     set // blocks that open a scope as well; nil: only functions do
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

	variables  set // kinds of leaf that name variables
	shorthands set
	notNames   []place
	binders    []binder
	pattern    set  // kinds of patterns that hold bound names
	outer      bool // an assignment binds in the outermost scope that has the name

	calls       []callForm
	pragmas     []string       // comments that begin so (after their marker) count
	typeWord    []string       // a file with one of these words is about types: nothing of types is dropped
	evals       set            // names that make names of locals matter
	reserved    set            // names that mean something although nobody defines them
	effects     set            // names that new code must not use, since they reach other code
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

func tableOf(lang syntax.Language) *table {
	t := tableFor(lang)
	t.lang = lang
	return t
}

func tableFor(lang syntax.Language) *table {
	switch lang {
	case syntax.Python:
		return python()
	case syntax.JavaScript:
		return javascript()
	case syntax.TypeScript, syntax.TSX:
		return typescript()
	case syntax.Go:
		return golang()
	case syntax.Java:
		return java()
	case syntax.Ruby:
		return ruby()
	case syntax.Rust:
		return rust()
	case syntax.CSharp:
		return csharp()
	default:
		return &table{} // compared node by node
	}
}

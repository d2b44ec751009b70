// Package testmodel is what a test file demands, in terms that all languages
// share: tests, their parameters, and statements with the assertions among
// them. One package a language makes a File of a syntax tree; the comparison of
// two Files knows no language.
//
// A model leaves out what cannot change an outcome: comments, layout, optional
// punctuation and type annotations. Everything else of the source is in it, as
// tokens at least: what an extractor does not understand is compared as it
// stands, so that not understanding is never a way to miss a change.
package testmodel

// File is one file of tests or of what tests use.
type File struct {
	Path    string
	Imports []Import
	Units   []Unit // in the order of the source
}

// Import is one name that an import brings into the file.
type Import struct {
	Local  string // name in the file; "*" for all, "" if it binds none
	Source string // what it stands for: "mathx.primes.nth_prime", "../price#loadRates"
	Line   int
	Text   string // its first source line
}

// Role says when a unit runs.
type Role string

// The roles of units.
const (
	Test   Role = "test"   // the runner collects it
	Setup  Role = "setup"  // fixture or hook: the runner calls it around tests
	Helper Role = "helper" // function, method or type that runs only if it is used
	Suite  Role = "suite"  // what stands directly in a class or describe block besides the units in it
	Module Role = "module" // what stands at the top of the file besides the units; at most one, without name
)

// Unit is one test, fixture or helper, or the loose statements of a suite or
// file. Units in units are listed after the outer one, not in its Body.
type Unit struct {
	Role Role
	// Name is qualified by the suites around it, "Suite › test"; unique among a
	// file's units of a role (a second one of that name gets " #2").
	Name   string
	Line   int    // of its name: the func, def or it(…), after decorators and annotations
	End    int    // its last line
	Text   string // the source line at Line
	Marks  []Mark // decorators, annotations, modifiers, options
	Rows   []Row  // of its parametrisation
	Params []string
	Body   []Stmt
	// Locals are the names that the unit binds itself, parameters included:
	// renaming them changes nothing.
	Locals []string
	// Uncollected says why no runner would find what is written as a test;
	// "" if it is found.
	Uncollected string
}

// Effect is what a mark or statement does to whether a test counts.
type Effect string

// The effects; "" is none that is known.
const (
	Skips   Effect = "skips"   // skipped, ignored, pending, disabled, whether under a condition or not
	XFails  Effect = "xfails"  // expected to fail
	Focuses Effect = "focuses" // only this runs
	Retries Effect = "retries" // run again until it passes
	Hides   Effect = "hides"   // out of collection: __test__ = False
)

// Mark is a decorator, annotation, attribute, modifier or option of a unit,
// without the rows of a parametrisation.
type Mark struct {
	Effect Effect
	// Raises is the exception that the mark expects (@Test(expected = X.class),
	// [ExpectedException(typeof(X))], #[should_panic(expected = "…")]); else nil.
	Raises *Assert
	// Mock is what the mark replaces (@patch("a.b")), "" if nothing.
	Mock   string
	Tokens []string
	Line   int
	Text   string
}

// Row is one case of a parametrisation or table.
type Row struct {
	Tokens []string
	Line   int
	Text   string
}

// Kind says what a statement does.
type Kind string

// The kinds of statement.
const (
	Plain   Kind = "plain"   // an expression, call, or what is not understood
	Asserts Kind = "asserts" // Stmt.Assert says what
	Assigns Kind = "assigns" // to Stmt.Binds
	Returns Kind = "returns" // leaves the unit
	Jumps   Kind = "jumps"   // break, continue, goto
	Raises  Kind = "raises"  // throws, panics, fails: also t.Fatal, pytest.fail
	Skip    Kind = "skip"    // t.Skip, this.skip(), pytest.skip, skipTest
	Exits   Kind = "exits"   // ends the process
	Mocks   Kind = "mocks"   // replaces something: Stmt.Mock says what
	Branch  Kind = "branch"  // if, else, switch, case, ternary statement, match arm
	Loop    Kind = "loop"
	Try     Kind = "try"     // Body is what it guards; Handlers follow as its last children
	Handler Kind = "handler" // except, catch, rescue, finally; Swallows tells
	With    Kind = "with"    // with, using, a block given to a call
	Defines Kind = "defines" // a function, class or closure of the unit's own; a deferred one has Swallows if it recovers
)

// Stmt is one statement. Statements within it are in Body; their tokens are
// not in Head.
type Stmt struct {
	Kind   Kind
	Line   int
	End    int
	Text   string   // its first source line, trimmed
	Head   []string // canonical tokens, see Canon, without those of Body and Rows
	Binds  []string // names that it assigns: "x", "self.x", "mod.attr"
	Mock   string   // what it replaces, as the source names it
	Assert *Assert  // exactly if Kind is Asserts
	// Swallows: a failure inside is lost. On a Handler that neither re-raises
	// nor fails the test, on a With such as contextlib.suppress, on a deferred
	// function that recovers.
	Swallows bool
	// Rows are the elements of a list that is iterated or is a table of cases.
	Rows []Row
	Body []Stmt
}

// Assert is one assertion. "assert a and b" is two of them.
type Assert struct {
	Relation Relation
	Negated  bool
	Name     string   // as the source calls it: "assertEqual", "toBe", "require.Equal", "==", "if … t.Fatal"
	Subject  []string // canonical tokens of the value under test
	Expected []string // of what it is compared with; nil if there is nothing
	// Tolerance of an Approx as a number; nil if it is none or unknown, then
	// ToleranceTokens tell.
	Tolerance       *float64
	ToleranceTokens []string
	// Lost: the assertion's outcome is not waited for or not used (a promise
	// without await, expect(x) without matcher, a comparison whose value is
	// dropped): it cannot fail the test.
	Lost bool
	// Fatal distinguishes require from assert, and Fatalf from Errorf; it does
	// not count for strength.
	Fatal bool
}

package testmodel

// Relation is what an assertion demands of its subject.
type Relation string

// The relations.
const (
	Identical  Relation = "identical"  // the same object: is, toBe on objects, assertSame
	Equal      Relation = "equal"      // the same value, deep where the language compares deep
	LooseEqual Relation = "loose"      // ==, toEqual where toStrictEqual exists, assertCountEqual (any order)
	Approx     Relation = "approx"     // within a tolerance
	Compare    Relation = "compare"    // <, <=, >, >=; Name holds the operator
	Contains   Relation = "contains"   // the subject has the expected in it: in, include, toContain
	OneOf      Relation = "one-of"     // the subject is in a set of allowed values
	Subset     Relation = "subset"     // some properties: toMatchObject, assert_called_with any
	Matches    Relation = "matches"    // a pattern
	Prefix     Relation = "prefix"     // starts or ends with
	Length     Relation = "length"     // has that many elements
	TypeOf     Relation = "type"       // instance of
	HasField   Relation = "has"        // a property or key exists
	Truthy     Relation = "truthy"     // anything true
	Falsy      Relation = "falsy"      // anything false
	Nil        Relation = "nil"        // null, None, nil, undefined
	NotNil     Relation = "not-nil"    // exists, is defined
	Throws     Relation = "throws"     // Expected: type, then message pattern, as far as given
	Succeeds   Relation = "succeeds"   // does not throw; no error
	CalledWith Relation = "calledwith" // a mock, with these arguments
	CalledN    Relation = "calledn"    // a mock, that many times
	Called     Relation = "called"     // a mock, at all
	Snapshot   Relation = "snapshot"   // equals what a file holds
	Custom     Relation = "custom"     // an assertion helper of the project: compared as tokens
	Always     Relation = "always"     // cannot fail: assert True
	Never      Relation = "never"      // fails wherever it is reached: t.Fatal, fail()
)

// Package soundnesstest asks whether the test-integrity check lets an edit of
// a test pass that may make it demand less: random edits of the tests of real
// projects, a fixed sample of them, and code that is added to approved files.
package soundnesstest

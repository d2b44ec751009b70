// Package corpustest measures the test-integrity check: it runs collections of
// changes, dishonest ones and honest look-alikes, through the program itself and
// counts what it found, what it missed, and where it cried wolf.
package corpustest

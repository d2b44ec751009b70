// Package precisiontest asks how often a built-in check is right: it replays
// commits of public repositories through engine "rules", and keeps what a
// person said of a sample of the findings.
package precisiontest

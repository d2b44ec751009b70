// Package bundletest holds a spec in several documents for tests.
package bundletest

import (
	_ "embed"

	"golang.org/x/tools/txtar"
)

// Folder is where the bundle lies.
const Folder = "specs/checkout"

//go:embed good.txtar
var good []byte

// Good is a bundle that is complete and linked: two goals, two functional
// requirements and one of quality, a decision, and an epic of two stories.
func Good() map[string]string {
	out := map[string]string{}
	for _, f := range txtar.Parse(good).Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

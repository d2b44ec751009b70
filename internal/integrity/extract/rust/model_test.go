package rust_test

import (
	"flag"
	"testing"

	"workflow-reviewer/internal/integrity/extract/extracttest"
	"workflow-reviewer/internal/integrity/extract/rust"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestModel(t *testing.T) {
	t.Parallel()
	extracttest.Golden(t, rust.Model, *update)
}

func FuzzModel(f *testing.F) {
	extracttest.Fuzz(f, rust.Model, syntax.Rust)
}

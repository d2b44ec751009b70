package ruby_test

import (
	"flag"
	"testing"

	"workflow-reviewer/internal/integrity/extract/extracttest"
	"workflow-reviewer/internal/integrity/extract/ruby"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestModel(t *testing.T) {
	t.Parallel()
	extracttest.Golden(t, ruby.Model, *update)
}

func FuzzModel(f *testing.F) {
	extracttest.Fuzz(f, ruby.Model, syntax.Ruby)
}

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

func TestHostile(t *testing.T) {
	t.Parallel()
	extracttest.Hostile(t, ruby.Model, syntax.Ruby, [][3]string{
		{"", "describe 'a' do\n", "end\n"},
		{"", "f(", ")"},
		{"x", ".a", ""},
		{"expect(a).to ", "eq(1).and ", ""},
		{"", "if a\n", "end\n"},
		{"if a\n", "elsif a\n", ""},
		{"", "begin\n", "rescue\nend\n"},
		{"", "it('a') { }\n", ""},
		{"assert ", "!(", ")"},
		{"", "[", "]"},
		{"f ", "<<A, ", "\nA\n"},
		{"", "a { ", "}"},
		{"class A\n", "private :a\n", ""},
	})
}

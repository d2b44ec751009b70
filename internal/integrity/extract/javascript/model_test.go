package javascript_test

import (
	"flag"
	"testing"

	"workflow-reviewer/internal/integrity/extract/extracttest"
	"workflow-reviewer/internal/integrity/extract/javascript"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestModel(t *testing.T) {
	t.Parallel()
	extracttest.Golden(t, javascript.Model, *update)
}

func FuzzModel(f *testing.F) {
	extracttest.Fuzz(f, javascript.Model, syntax.TSX)
}

func TestHostile(t *testing.T) {
	t.Parallel()
	extracttest.Hostile(t, javascript.Model, syntax.TSX, [][3]string{
		{"test('x', () => { ", "f(", ")"},
		{"expect(a)", ".to.be.b()", ""},
		{"expect(a)", ".property('a')", ""},
		{"expect(a).toEqual(", "x.y().", ""},
		{"", "describe('a', () => {", "})"},
		{"", "if (a) {", "}"},
		{"", "if (a) b(); else ", ""},
		{"test('x', () => { a", " && a", ""},
		{"test('x', () => { ", "expect(a).toBe(1).catch(() => {", "})"},
		{"test('x', () => { ", "p.then(() => { expect(a);", "})"},
		{"const a = ", "b ? ", ""},
		{"const a = ", "() => ", ""},
		{"x = {", "a() { expect(1) },", ""},
		{"", "const [", "]"},
		{"", "it('a', () => {});", ""},
		{"assert(", "!(", "))"},
		{"expect(", "[", "]"},
		{"", "try {", "} catch {}"},
	})
}

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

func TestHostile(t *testing.T) {
	t.Parallel()
	extracttest.Hostile(t, rust.Model, syntax.Rust, [][3]string{
		{"fn a() { ", "f(", ")"},
		{"fn a() { assert!(", "(", ")"},
		{"fn a() { assert!(", "!", ""},
		{"fn a() { assert!(a", " && a", ""},
		{"fn a() { assert!(", "(1,),", ""},
		{"", "mod a {", "}"},
		{"fn a() {", "if a {", "}"},
		{"fn a() { if a {}", " else if a {}", ""},
		{"fn a() {", "let a = spawn(|| panic!());", ""},
		{"proptest! { fn a() {", "if a {", "}"},
		{"", "#[test] fn a() {}", ""},
		{"use ", "a::{", "}"},
		{"fn a() { x", ".a()", ""},
		{"fn a() {", "{", "}"},
		{"fn a() {", "match a { _ =>", "}"},
	})
}

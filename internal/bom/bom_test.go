package bom_test

import (
	"testing"

	"workflow-reviewer/internal/bom"
)

func TestUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"{}":                          "{}",
		"\ufeff{}":                    "{}",
		"\ufeff":                      "",
		"\xff\xfe{\x00}\x00":          "{}",
		"\xfe\xff\x00{\x00}":          "{}",
		"{\ufeff}":                    "{\ufeff}",
		"\xff\xfea\x00\x3d\xd8\n\x00": "a\ufffd\n", // half of a pair
	} {
		if got := string(bom.UTF8([]byte(in))); got != want {
			t.Errorf("UTF8(%q) = %q, want %q", in, got, want)
		}
	}
}

package detect_test

import (
	"testing"

	"workflow-reviewer/internal/detect"
)

// TestLibraryBanner: the banner of a library leaves nothing out of review, as those who write one begin so too.
func TestLibraryBanner(t *testing.T) {
	for _, banner := range []string{"/*! shop 2.1.0 | MIT */\n", "/**\n * @license Shop v2.1.0\n */\n"} {
		got := find(
			t,
			nil,
			files{"src/shop.js": banner + "export function f() {\n  return 1;\n}\n"},
			detect.Options{},
		)
		if len(got.Artifacts) != 1 {
			t.Errorf("%q: %+v", banner, got)
		}
	}
}

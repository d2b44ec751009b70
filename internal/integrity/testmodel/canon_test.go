package testmodel_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

func TestCanon(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"layout and comments", "f(a,\n   b,\n)  # why\n", "f(a, b)\n", true},
		{"quotes", "f('x')\n", "f(\"x\")\n", true},
		{"quotes that need care", `f('"')` + "\n", `f("'")` + "\n", false},
		{"a string is not layout", "f('a  b')\n", "f('a b')\n", false},
		{"a comment in a string", "f('# a')\n", "f('# b')\n", false},
		{"another value", "f(1)\n", "f(2)\n", false},
		{"a tuple of one", "f((1,))\n", "f((1))\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := canon(t, tt.a), canon(t, tt.b)
			if (a == b) != tt.same {
				t.Errorf("Canon: %q and %q, same = %v", a, b, !tt.same)
			}
		})
	}
}

func canon(t *testing.T, src string) string {
	t.Helper()
	tree, err := syntax.Parse(t.Context(), syntax.Python, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(testmodel.Canon(tree.Root(), testmodel.Options{Quotes: true}), " ")
}

package gitrepo

import (
	"fmt"
	"strings"
	"testing"
)

// TestAttributesAgreeWithGit asks git about every pattern and every name.
func TestAttributesAgreeWithGit(t *testing.T) {
	patterns := []string{
		"*", "*.js", "/*.js", "vendor", "vendor/", "vendor/*", "vendor/**", "/vendor/**", "**/vendor/**", "**/gen.js", "a/**/b.js",
		"a**b", "a/b**", "**", "/**", "gen?.js", "[ab].js", "[!ab].js", "[^ab].js", "{a,b}.js", "\\*.js", "a/*/b.js", "!a.js",
		"\"x y.js\"", "**.js", "a/**b.js", "***/a.js", "[a-b].js", "[]].js", "a\\.js", "[a.js", "/a", "a/", "./a.js",
	}
	names := []string{
		"a", "b", "a.js", "b.js", "c.js", "vendor", "vendor/x.js", "vendor/x/y.js", "x/vendor", "x/vendor/y.js", "x/vendor/y/z.js",
		"gen.js", "x/gen.js", "gen1.js", "gen12.js", "a/b.js", "a/x/b.js", "a/x/y/b.js", "ab", "axb", "a/b", "a/bc", "a/b/c.js", "*.js",
		"{a,b}.js", "x y.js", "x/a.js", "].js", "[a.js", "!a.js", "x.js", "a/xb.js",
	}
	s := newSandbox(t)
	s.init("r")
	var text strings.Builder
	for i, p := range patterns {
		fmt.Fprintf(&text, "%s p%d\n", p, i)
	}
	s.file("r/.gitattributes", text.String())
	want := map[string]bool{}
	for line := range strings.Lines(s.gitIn("r", strings.Join(names, "\n"), "check-attr", "-a", "--stdin")) {
		f := strings.Split(strings.TrimSpace(line), ": ")
		if len(f) < 3 {
			continue // a warning of patterns that git ignores
		}
		want[strings.Trim(f[0], `"`)+" "+f[1]] = true
	}
	if len(want) < len(names) {
		t.Fatalf("git tells of %d", len(want))
	}
	got := map[string]bool{}
	for _, r := range parseAttributes(text.String()) {
		for _, name := range names {
			for attribute := range r.values {
				if r.match(".", name) {
					got[name+" "+attribute] = true
				}
			}
		}
	}
	for i, p := range patterns {
		for _, name := range names {
			if key := fmt.Sprintf("%s p%d", name, i); got[key] && !want[key] {
				t.Errorf("%q is taken to match %q", p, name)
			} else if want[key] && !got[key] {
				t.Logf("%q is not taken to match %q, which is then reviewed", p, name)
			}
		}
	}
}

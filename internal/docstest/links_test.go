package docstest

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

// TestLinks resolves every relative link, with its anchor.
func TestLinks(t *testing.T) {
	for _, p := range pages(t) {
		walk(t, p.doc, func(n ast.Node) {
			var target string
			switch n := n.(type) {
			case *ast.Link:
				target = string(n.Destination)
			case *ast.Image:
				target = string(n.Destination)
			default:
				return
			}
			u, err := url.Parse(target)
			if err != nil {
				t.Errorf("%s: link %q: %v", p.path, target, err)
				return
			}
			if u.Scheme == "" {
				checkLink(t, p, u)
			}
		})
	}
}

func checkLink(t *testing.T, from page, u *url.URL) {
	t.Helper()
	to := from
	if u.Path != "" {
		name := filepath.Join(root, path.Join(path.Dir(from.path), u.Path))
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s: link %q: %v", from.path, u, err)
			return
		}
		if !strings.HasSuffix(name, ".md") {
			return
		}
		to = readPage(t, name)
	}
	if u.Fragment != "" && !anchors(t, to)[u.Fragment] {
		t.Errorf("%s: link %q: no such heading in %s", from.path, u, to.path)
	}
}

var unanchored = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// anchors are a document's headings as GitHub makes anchors of them.
func anchors(t *testing.T, p page) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	walk(t, p.doc, func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok {
			text := strings.ToLower(strings.NewReplacer("`", "", "*", "").Replace(string(h.Lines().Value(p.source))))
			out[strings.ReplaceAll(unanchored.ReplaceAllString(text, ""), " ", "-")] = true
		}
	})
	return out
}

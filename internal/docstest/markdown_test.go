package docstest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

var update = flag.Bool("update", false, "rewrite the generated parts of the documentation")

const root = "../.."

// page is one document, its path relative to the repository's root.
type page struct {
	path   string
	source []byte
	doc    ast.Node
}

// pages are all documents that a reader of the repository finds.
func pages(t *testing.T) []page {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no document matches %s (%v)", pattern, err)
		}
		names = append(names, found...)
	}
	var out []page
	for _, name := range names {
		out = append(out, readPage(t, name))
	}
	return out
}

func readPage(t *testing.T, name string) page {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		t.Fatal(err)
	}
	return page{filepath.ToSlash(rel), source, goldmark.DefaultParser().Parse(text.NewReader(source))}
}

// block is a fenced code block.
type block struct {
	page string
	line int
	text string
}

// blocks are the fenced blocks of a language in all documents.
func blocks(t *testing.T, language string) []block {
	t.Helper()
	var out []block
	for _, p := range pages(t) {
		walk(t, p.doc, func(n ast.Node) {
			f, ok := n.(*ast.FencedCodeBlock)
			if !ok || string(f.Language(p.source)) != language || f.Lines().Len() == 0 {
				return
			}
			line := 1 + strings.Count(string(p.source[:f.Lines().At(0).Start]), "\n")
			out = append(out, block{p.path, line, string(f.Lines().Value(p.source))})
		})
	}
	if len(out) == 0 {
		t.Fatalf("no document has a %q block", language)
	}
	return out
}

func walk(t *testing.T, n ast.Node, visit func(ast.Node)) {
	t.Helper()
	err := ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// generated holds the text between a document's markers
// "<!-- generated: NAME -->" and "<!-- end -->" to want; -update writes it.
func generated(t *testing.T, file, name, want string) {
	t.Helper()
	path := filepath.Join(root, file)
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`(?s)(<!-- generated: ` + regexp.QuoteMeta(name) + ` -->\n)(.*?)(<!-- end -->)`)
	m := part.FindSubmatchIndex(source)
	if m == nil {
		t.Fatalf("%s has no part %q", file, name)
	}
	want = "\n" + strings.TrimSpace(want) + "\n\n"
	if *update {
		text := string(source[:m[4]]) + want + string(source[m[5]:])
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, string(source[m[4]:m[5]])); d != "" {
		t.Errorf("%s, part %q is not up to date (make generate):\n%s", file, name, d)
	}
}

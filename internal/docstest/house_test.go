package docstest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

// The house rules of the documentation.
const (
	userWords     = 20_000 // of README.md and the pages that users read
	allWords      = 35_000 // of README.md and everything below docs/
	sentenceWords = 25
	decisionLines = 20
)

// contributors are the folders that only contributors read.
var contributors = []string{"docs/internals/", "docs/decisions/"}

func TestWords(t *testing.T) {
	users, all := 0, 0
	for _, p := range pages(t) {
		if p.path != "README.md" && !strings.HasPrefix(p.path, "docs/") {
			continue
		}
		n := len(strings.Fields(string(p.source)))
		all += n
		if !slices.ContainsFunc(contributors, func(f string) bool { return strings.HasPrefix(p.path, f) }) {
			users += n
		}
	}
	if users > userWords || all > allWords {
		t.Errorf("%d words for users, %d in all; the limits are %d and %d", users, all, userWords, allWords)
	}
}

// TestSentences: prose has short sentences.
func TestSentences(t *testing.T) {
	for _, p := range pages(t) {
		if slices.Contains([]string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}, p.path) || strings.HasPrefix(p.path, "docs/") {
			for _, s := range longSentences(t, p) {
				t.Errorf("%s: a sentence of more than %d words: %s", p.path, sentenceWords, s)
			}
		}
	}
}

var (
	quotedCode  = regexp.MustCompile("`+[^`]*`+")
	linkTarget  = regexp.MustCompile(`\]\([^)]*\)`)
	sentenceEnd = regexp.MustCompile(`[.!?](?:\*\*)?[)»"]?\s|<br>`)
	madeByTests = regexp.MustCompile(`(?s)<!-- generated: .*?<!-- end -->`)
)

// longSentences are the sentences of a page that are too long. Code in a sentence is one word; code blocks and what
// tests write are left out; each cell of a table is a text of its own.
func longSentences(t *testing.T, p page) []string {
	t.Helper()
	made := madeByTests.FindAllIndex(p.source, -1)
	var out []string
	walk(t, p.doc, func(n ast.Node) {
		if n.Type() != ast.TypeBlock || n.Lines().Len() == 0 {
			return
		}
		switch n.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
		default:
			return
		}
		start := n.Lines().At(0).Start
		if slices.ContainsFunc(made, func(at []int) bool { return at[0] <= start && start < at[1] }) {
			return
		}
		text := quotedCode.ReplaceAllString(string(n.Lines().Value(p.source)), "code")
		text = linkTarget.ReplaceAllString(text, "]")
		if strings.HasPrefix(text, "|") {
			text = strings.ReplaceAll(text, "|", " . ")
		}
		for _, s := range sentenceEnd.Split(text, -1) {
			if words := strings.Fields(s); len(words) > sentenceWords {
				out = append(out, fmt.Sprintf("%s … (%d)", strings.Join(words[:6], " "), len(words)))
			}
		}
	})
	return out
}

var status = regexp.MustCompile(`\n\*\*Status\.\*\* (In force|Superseded by \[.*\]\(.*\))(?: (?:since|on) (\d{4}-\d\d-\d\d))?\b`)

// TestDecisions holds the records of decisions to their form, and makes their index.
func TestDecisions(t *testing.T) {
	var rows []string
	for _, p := range pages(t) {
		if !strings.HasPrefix(p.path, "docs/decisions/") || strings.HasSuffix(p.path, "/README.md") {
			continue
		}
		text := string(p.source)
		if n := strings.Count(text, "\n"); n > decisionLines {
			t.Errorf("%s has %d lines; the limit is %d", p.path, n, decisionLines)
		}
		for _, part := range []string{"\n# ", "\n**Context.** ", "\n**Decision.** ", "\n**Cost.** "} {
			if n := strings.Count("\n"+text, part); n != 1 {
				t.Errorf("%s has %q %d times", p.path, part, n)
			}
		}
		m := status.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%s: the status is neither «In force since DATE» nor «Superseded by [NAME](FILE) on DATE»", p.path)
			continue
		}
		superseded := ""
		if strings.HasPrefix(m[1], "Superseded") {
			superseded = ", superseded"
		}
		file := filepath.Base(p.path)
		rows = append(rows, fmt.Sprintf("- [%s](%s)%s\n", strings.TrimSuffix(file, ".md"), file, superseded))
	}
	slices.Sort(rows)
	generated(t, "docs/decisions/README.md", "index", strings.Join(rows, ""))
}

var namedPath = regexp.MustCompile("`((?:cmd|examples|internal|schema|scripts|testdata)/[A-Za-z0-9_./-]+)`")

// TestNamedPaths: what a page names of this repository is there.
func TestNamedPaths(t *testing.T) {
	for _, p := range pages(t) {
		if !strings.HasPrefix(p.path, contributors[0]) && p.path != "CONTRIBUTING.md" {
			continue
		}
		for _, m := range namedPath.FindAllStringSubmatch(string(p.source), -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s: %v", p.path, err)
			}
		}
	}
}

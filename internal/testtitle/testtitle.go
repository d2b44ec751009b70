// Package testtitle finds tests of sources by what reports of test runs call them: the titles of
// the suites around a test and its own, as the syntax of the source has them. What a source makes
// up as it runs may be anything: a report's name fits several tests rather than a wrong one.
package testtitle

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

// Test is a test that a source declares.
type Test struct {
	First, Last int // lines
	own, full   title
}

// title is what a test is called, as letters and digits: runners join titles in different ways.
type title struct {
	text    string
	pattern *regexp.Regexp // where parts of it are made up as the source runs
}

// anything stands for what only a run knows. It is neither a letter nor a digit.
const anything = "*"

// Of lists the tests of a source in their order. A source of another language than those that are
// parsed has none.
func Of(ctx context.Context, path string, src []byte) []Test {
	language, ok := syntax.LanguageOf(path)
	if !ok {
		return nil
	}
	tree, err := syntax.Parse(ctx, language, src)
	if err != nil {
		return nil
	}
	return InTree(tree)
}

// InTree lists the tests of a source that was parsed.
func InTree(tree *syntax.Tree) (out []Test) {
	q := query.For(tree.Language(), "titles")
	if q == nil {
		q = query.For(tree.Language(), "tests")
	}
	titles := map[syntax.Node]string{}
	var tests []syntax.Node
	for m := range q.Matches(tree.Root()) {
		if test := m.Node("test"); test.IsZero() {
			titles[m.Node("suite")] = titleOf(m)
		} else if _, known := titles[test]; !known {
			tests, titles[test] = append(tests, test), titleOf(m)
		}
	}
	for _, n := range tests {
		full := ""
		for up := n; !up.IsZero(); up = up.Parent() {
			full = part(up, titles) + full
		}
		test := Test{First: n.StartLine(), Last: n.EndLine()}
		test.own, test.full = newTitle(titles[n]), newTitle(full)
		out = append(out, test)
	}
	return out
}

// titleOf is the title of a test or suite that a query found.
func titleOf(m query.Match) string {
	if name := m.Node("name"); !name.IsZero() {
		return letters(name.Text())
	}
	varying := madeUp
	if strings.Contains(m.Node("word").Text(), ".each") {
		varying = rowed
	}
	out := ""
	for i, a := range m.Top.Field("arguments").Named() {
		if i == 0 ||
			m.Top.Is("call") &&
				a.Is("string", "constant", "scope_resolution") { // RSpec takes several
			out += literal(a, varying)
		}
	}
	return cmp.Or(out, anything)
}

// What varies in a literal: characters that are written otherwise, and values of rows.
var (
	madeUp = lazyregexp.New(`\\(?:u\{[^}]*\}|u\w{4}|x\w\w|[\p{L}\d])`)
	rowed  = lazyregexp.New(madeUp.String() + `|%[\w#]|\$[\w.#]+`)
)

// literal is what the source tells of an argument's text. Constants of Ruby are titles, too.
func literal(n syntax.Node, varying *lazyregexp.Regexp) string {
	switch {
	case n.Is("binary_expression", "binary"):
		return literal(n.Field("left"), varying) + literal(n.Field("right"), varying)
	case !n.Is("string", "template_string", "constant", "scope_resolution"):
		return anything
	}
	out, text, at := "", n.Text(), n.StartByte()
	for _, part := range n.Named() {
		if part.Is("template_substitution", "interpolation") {
			out += fixed(text[:part.StartByte()-at], varying) + anything
			text, at = text[part.EndByte()-at:], part.EndByte()
		}
	}
	return out + fixed(text, varying)
}

// fixed is a text with what varies in it.
func fixed(text string, varying *lazyregexp.Regexp) string {
	pieces := varying.Split(text, -1)
	for i, p := range pieces {
		pieces[i] = letters(p)
	}
	return strings.Join(pieces, anything)
}

// letters are those of a text, with its digits.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// part is what a node around a test adds to its full title. A function that is nobody's argument
// may be called from any suite.
func part(n syntax.Node, titles map[syntax.Node]string) string {
	switch declared, ok := titles[n]; {
	case ok:
		return declared
	case n.Is("class_definition", "class_declaration", "mod_item"):
		return letters(n.Field("name").Text())
	case n.Is("module"), isShared(n):
		return anything
	case n.Is("block", "do_block"), n.Parent().Is("arguments", "argument_list"):
		return ""
	case n.IsFunction():
		return anything
	default:
		return ""
	}
}

// isShared reports whether a node is a group of tests that others take in.
func isShared(n syntax.Node) bool {
	return n.Is("call") && !n.Field("block").IsZero() &&
		strings.HasPrefix(n.Field("method").Text(), "shared")
}

// newTitle is one of a text in which something may be made up. One that is made up as a whole names
// nothing.
func newTitle(text string) title {
	switch {
	case strings.Trim(text, anything) == "":
		return title{}
	case !strings.Contains(text, anything):
		return title{text: text}
	}
	return title{pattern: regexp.MustCompile(strings.ReplaceAll(text, anything, `.*`) + `$`)}
}

// is reports whether a text may be the title.
func (t title) is(text string) bool {
	if t.pattern != nil {
		at := t.pattern.FindStringIndex(text)
		return at != nil && at[0] == 0
	}
	return t.text != "" && t.text == text
}

// ends reports whether a text may end with the title.
func (t title) ends(text string) bool {
	if t.pattern != nil {
		return t.pattern.MatchString(text)
	}
	return t.text != "" && strings.HasSuffix(text, t.text)
}

// decoration is what reports add to titles: Minitest numbers before them, pytest's parameters
// behind them, subtests of Go.
var decoration = lazyregexp.New(`(^|[.:#])test_\d+_|\[[^\[]*\]$|([.:](?:Test|Fuzz|Example)\w*)/.*$`)

// reported is a test's name in a report, as letters and digits.
func reported(name string) string { return letters(decoration.ReplaceAllString(name, "$1$2")) }

// Find lists the tests that a report may mean by a name, by their indices: those of exactly that
// title if there are any, else those whose titles end it, else those whose own title does.
func Find(tests []Test, name string) (out []int) {
	text := reported(name)
	for _, fits := range []func(t Test) bool{
		func(t Test) bool { return t.full.is(text) },
		func(t Test) bool { return t.full.ends(text) },
		func(t Test) bool { return t.own.ends(text) },
	} {
		for i, t := range tests {
			if fits(t) {
				out = append(out, i)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// Begins is how many bytes of a path a report's name begins with: all of them, or, where a module
// or a class has its file, as that, with dots for slashes. 0 if the name begins otherwise.
func Begins(name, file string) int {
	if opens(name, file) {
		return len(file)
	}
	if !ByModule(file) {
		return 0
	}
	at, more := strings.TrimSuffix(file, path.Ext(file)), true
	for more && !opens(name, strings.ReplaceAll(at, "/", ".")) {
		_, at, more = strings.Cut(at, "/")
	}
	if !more {
		return 0
	}
	return len(at)
}

// ByModule reports whether reports name the tests of a file by its module or class.
func ByModule(file string) bool {
	switch path.Ext(file) {
	case ".py", ".java", ".kt", ".groovy", ".scala":
		return true
	}
	return false
}

// opens reports whether a name is a module's, or that of something in it.
func opens(name, module string) bool {
	rest, ok := strings.CutPrefix(name, module)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], ".$:"))
}

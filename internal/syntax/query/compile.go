package query

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"workflow-reviewer/internal/syntax"
)

// predicate is a condition on the text of captured nodes.
type predicate struct {
	capture string
	negated bool
	words   []string       // of which the text is one
	other   string         // capture of the same text
	re      *regexp.Regexp // that the text matches
	around  bool           // words are kinds of nodes, of which one holds the captured node
}

// holds reports whether every node that was captured fits; a capture of no node fits.
func (p predicate) holds(m Match) bool {
	for _, n := range m.Nodes(p.capture) {
		if p.fits(n, m) == p.negated {
			return false
		}
	}
	return true
}

// fits reports whether a captured node is what the predicate asks for.
func (p predicate) fits(n syntax.Node, m Match) bool {
	text := n.Text()
	switch {
	case p.around:
		return !n.Up(p.words...).IsZero()
	case p.re != nil:
		return p.re.MatchString(text)
	case p.other != "":
		return slices.ContainsFunc(
			m.Nodes(p.other),
			func(n syntax.Node) bool { return n.Text() == text },
		)
	default:
		return slices.Contains(p.words, text)
	}
}

// Compile reads a query. The error names the line that cannot be read.
func Compile(source string) (*Query, error) {
	p := &parser{tokens: tokens(source)}
	q := &Query{}
	for p.peek() != "" {
		one, err := p.pattern()
		if err != nil {
			return nil, fmt.Errorf("query, line %d: %w", p.line(), err)
		}
		q.patterns = append(q.patterns, one)
	}
	return q, nil
}

// MustCompile is Compile for queries that are part of the program.
func MustCompile(source string) *Query {
	q, err := Compile(source)
	if err != nil {
		panic(err)
	}
	return q
}

// token is a lexeme of a query with its line.
type token struct {
	text string
	line int
}

// lexeme matches what a query consists of: comments, strings, names with what marks them, and
// signs.
var lexeme = regexp.MustCompile(
	`;[^\n]*|"(?:[^"\\]|\\.)*"|[@#!]?[\w.\-]*\w[?!]?:?|[()\[\].?*+!]|\S|\n`,
)

// tokens splits a query into its lexemes with their lines, without comments.
func tokens(source string) (out []token) {
	line := 1
	for _, text := range lexeme.FindAllString(source, -1) {
		switch {
		case text == "\n":
			line++
		case text[0] != ';':
			for strings.HasSuffix(text, "?") && len(text) > 1 && text[0] != '#' && text[0] != '"' {
				out = append(out, token{strings.TrimSuffix(text, "?"), line})
				text = "?"
			}
			out = append(out, token{text, line})
		}
	}
	return out
}

// parser reads the tokens of a query.
type parser struct {
	tokens []token
	at     int
}

// peek is the next token, "" at the end.
func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].text
	}
	return ""
}

// next takes the next token.
func (p *parser) next() string {
	text := p.peek()
	p.at++
	return text
}

// take takes the next token if it is this one.
func (p *parser) take(text string) bool {
	if p.peek() == text {
		p.at++
		return true
	}
	return false
}

// line is the line of the token taken last, for errors.
func (p *parser) line() int {
	if len(p.tokens) == 0 {
		return 1
	}
	return p.tokens[min(max(p.at-1, 0), len(p.tokens)-1)].line
}

// pattern is one node, or several and predicates in parentheses: ((node) . (node) (#predicate …)).
func (p *parser) pattern() (out pattern, err error) {
	grouped := p.peek() == "(" && p.at+1 < len(p.tokens) &&
		strings.ContainsAny(p.tokens[p.at+1].text[:1], `(["`)
	if grouped {
		p.next()
	}
	if out.node, err = p.term(); err != nil {
		return out, err
	}
	if grouped {
		err = p.group(&out)
	}
	return out, err
}

// group reads what follows the first node of a pattern in parentheses: the nodes behind it, then
// predicates.
func (p *parser) group(out *pattern) error {
	behind, adjacent := &term{}, false
	for !p.take(")") {
		switch {
		case p.take("."):
			adjacent = true
		case p.at+1 < len(p.tokens) && p.peek() == "(" && p.tokens[p.at+1].text[0] == '#':
			one, err := p.predicate()
			if err != nil {
				return err
			}
			out.predicates = append(out.predicates, one)
		default:
			c, err := p.term()
			if err != nil {
				return err
			}
			c.adjacent, adjacent = adjacent, false
			behind.children = append(behind.children, c)
		}
	}
	if len(behind.children) > 0 {
		out.behind = behind
	}
	return nil
}

// term reads one term with its field, captures and quantifier.
func (p *parser) term() (*term, error) {
	t := &term{least: 1}
	text := p.next()
	if field, ok := strings.CutSuffix(text, ":"); ok && field != "" {
		t.field, text = field, p.next()
	}
	var err error
	switch {
	case text == "(":
		err = p.inside(t)
	case text == "[":
		err = p.choices(t)
	case text == "_":
		t.any = true
	case strings.HasPrefix(text, `"`):
		t.kind, err = strconv.Unquote(text)
	default:
		err = fmt.Errorf("unexpected %q", text)
	}
	if err != nil {
		return nil, err
	}
	p.quantifier(t)
	for strings.HasPrefix(p.peek(), "@") {
		t.captures = append(t.captures, p.next()[1:])
	}
	return t, nil
}

// choices reads the alternatives up to the closing bracket.
func (p *parser) choices(t *term) error {
	for !p.take("]") {
		c, err := p.term()
		if err != nil {
			return err
		}
		t.choices = append(t.choices, c)
	}
	return nil
}

// quantifier reads ?, * or +, if one of them follows.
func (p *parser) quantifier(t *term) {
	switch p.peek() {
	case "?":
		t.least = 0
	case "*":
		t.least, t.many = 0, true
	case "+":
		t.many = true
	default:
		return
	}
	p.next()
}

// inside reads a named node behind its opening parenthesis.
func (p *parser) inside(t *term) error {
	t.named, t.kind = true, p.next()
	t.any = t.kind == "_"
	if !t.any && !unicode.IsLetter(rune((t.kind + " ")[0])) {
		return fmt.Errorf("unexpected %q for a kind of node", t.kind)
	}
	adjacent := false
	for {
		switch text := p.peek(); {
		case text == "":
			return fmt.Errorf("(%s is not closed", t.kind)
		case p.take(")"):
			t.end = adjacent
			return nil
		case p.take("."):
			adjacent = true
		case strings.HasPrefix(text, "!") && len(text) > 1:
			t.without = append(t.without, p.next()[1:])
		default:
			c, err := p.term()
			if err != nil {
				return err
			}
			c.adjacent, adjacent = adjacent, false
			t.children = append(t.children, c)
		}
	}
}

// predicate reads a predicate behind a pattern. An unknown name is an error.
func (p *parser) predicate() (out predicate, err error) {
	p.next()
	name := strings.TrimSuffix(strings.TrimPrefix(p.next(), "#"), "?")
	what, negated := strings.CutPrefix(name, "not-")
	out.negated = negated
	out.capture = strings.TrimPrefix(p.next(), "@")
	for !p.take(")") {
		text := p.next()
		if other, ok := strings.CutPrefix(text, "@"); ok {
			out.other = other
			continue
		}
		word, err := strconv.Unquote(text)
		if err != nil {
			return out, fmt.Errorf("#%s?: %q is no string", name, text)
		}
		out.words = append(out.words, word)
	}
	switch what {
	case "eq", "any-of":
		return out, nil
	case "has-ancestor":
		out.around = true
		return out, nil
	case "match":
		if len(out.words) != 1 {
			return out, fmt.Errorf("#%s? takes one expression", name)
		}
		out.re, err = regexp.Compile(out.words[0])
		return out, err
	default:
		return out, fmt.Errorf("unknown predicate #%s?", name)
	}
}

package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// lists are the lines that hold words only.
var lists = []string{"suite", "test", "hook", "mark", "fails", "skip", "rows", "negation", "inert", "label", "narrower", "alike"}

// parse reads the file of one framework.
func parse(name, text string) (*Framework, error) {
	p := &parser{fw: &Framework{
		Name: name, words: map[string][]string{},
		stronger: map[[3]string]bool{}, equal: map[[3]string]bool{}, unrelated: map[[3]string]bool{},
	}}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(" "+line, " #")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if err := p.line(words); err != nil {
			return nil, fmt.Errorf("catalogue: %s.txt:%d: %w", name, i+1, err)
		}
	}
	p.rest()
	for _, i := range p.fw.implied {
		for _, n := range []string{i.Old, i.New} {
			if !slices.ContainsFunc(p.fw.Entries, func(e *Entry) bool { return e.Name == n }) {
				return nil, fmt.Errorf("catalogue: %s.txt: %q is implied or implies, but has no entry", name, n)
			}
		}
	}
	if len(p.fw.Languages) == 0 {
		return nil, fmt.Errorf("catalogue: %s.txt: no line \"language\"", name)
	}
	return p.fw, nil
}

type parser struct {
	fw        *Framework
	receivers []string
	relation  string
	others    [][2]string // relation and name of "NAME | *"
}

func (p *parser) line(words []string) error {
	head, rest := words[0], words[1:]
	switch {
	case head == "language":
		for _, l := range rest {
			p.fw.Languages = append(p.fw.Languages, syntax.Language(l))
		}
	case head == "when":
		p.fw.When = append(p.fw.When, rest...)
	case head == "import":
		p.fw.Imports = append(p.fw.Imports, rest...)
	case slices.Contains(lists, head):
		p.fw.words[head] = append(p.fw.words[head], rest...)
	case head == "on":
		p.receivers = rest
	case head == "relation":
		if len(rest) != 1 {
			return fmt.Errorf("relation wants one name")
		}
		p.relation = rest[0]
	case head == "implied" && len(rest) == 4 && rest[1] == "by":
		p.fw.implied = append(p.fw.implied, Implication{rest[0], rest[2], rest[3]})
	case head == "unfold" && len(rest) == 3:
		p.fw.implied = append(p.fw.implied, Implication{rest[0], rest[2], rest[1]})
	case head == "order":
		return p.order(rest)
	case len(p.receivers) == 0 || p.relation == "":
		return fmt.Errorf("%q stands before \"on\" and \"relation\"", head)
	default:
		e := &Entry{Framework: p.fw.Name, Relation: p.relation, Name: head, Receivers: p.receivers, Roles: rest}
		p.fw.Entries = append(p.fw.Entries, e)
	}
	return nil
}

// order reads "A > B = C" and "A | B C".
func (p *parser) order(words []string) error {
	if i := slices.Index(words, "|"); i >= 0 {
		return p.incomparable(words[:i], words[i+1:])
	}
	for i := 0; i+2 < len(words); i += 2 {
		k := [3]string{p.relation, words[i], words[i+2]}
		switch words[i+1] {
		case ">":
			p.fw.stronger[k] = true
		case "=":
			p.fw.equal[k], p.fw.equal[[3]string{k[0], k[2], k[1]}] = true, true
		default:
			return fmt.Errorf("order: want >, = or | instead of %q", words[i+1])
		}
		if err := p.known(words[i], words[i+2]); err != nil {
			return err
		}
	}
	return nil
}

// incomparable declares each name on the left incomparable with each on the
// right; "*" stands for all that are not related in another way.
func (p *parser) incomparable(left, right []string) error {
	if slices.Equal(right, []string{"*"}) {
		for _, name := range left {
			p.others = append(p.others, [2]string{p.relation, name})
		}
		return p.known(left...)
	}
	for _, a := range left {
		for _, b := range right {
			p.pair(a, b)
		}
	}
	return p.known(append(slices.Clone(left), right...)...)
}

// rest declares the pairs that "*" stands for.
func (p *parser) rest() {
	for _, o := range p.others {
		p.relation = o[0]
		for _, name := range p.names() {
			if name != o[1] && !p.fw.atLeast(o[0], name, o[1]) && !p.fw.atLeast(o[0], o[1], name) {
				p.pair(o[1], name)
			}
		}
	}
}

func (p *parser) pair(a, b string) {
	p.fw.unrelated[[3]string{p.relation, a, b}] = true
	p.fw.unrelated[[3]string{p.relation, b, a}] = true
}

// names are the names of the current relation.
func (p *parser) names() []string {
	var out []string
	for _, e := range p.fw.Entries {
		if e.Relation == p.relation {
			out = append(out, e.Name)
		}
	}
	return out
}

func (p *parser) known(names ...string) error {
	have := p.names()
	for _, n := range names {
		if !slices.Contains(have, n) {
			return fmt.Errorf("order names %q, which relation %s has no entry for", n, p.relation)
		}
	}
	return nil
}

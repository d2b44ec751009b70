package runner

import (
	"fmt"
	"regexp"
	"strings"
)

// globPattern makes a regular expression of a glob as JavaScript's runners
// know it: **, *, ?, [a-z], {a,b}, and ?(a|b), +(a|b), *(a|b), @(a|b). A leading
// "./" or "<rootDir>/" means the root.
func globPattern(glob string) (*regexp.Regexp, error) {
	glob = strings.TrimPrefix(strings.TrimPrefix(glob, "<rootDir>/"), "./")
	g := globber{in: []rune(glob)}
	g.out.WriteString(`^`)
	if err := g.convert(); err != nil {
		return nil, fmt.Errorf("glob %q: %w", glob, err)
	}
	g.out.WriteString(`$`)
	re, err := regexp.Compile(g.out.String())
	if err != nil {
		return nil, fmt.Errorf("glob %q: %w", glob, err)
	}
	return re, nil
}

type globber struct {
	in    []rune
	at    int
	out   strings.Builder
	close []string // what ends the open groups
}

func (g *globber) next(i int) rune {
	if g.at+i < len(g.in) {
		return g.in[g.at+i]
	}
	return 0
}

func (g *globber) convert() error {
	const longest = 1000
	if len(g.in) > longest {
		return fmt.Errorf("it is longer than %d characters", longest)
	}
	for g.at < len(g.in) {
		r := g.in[g.at]
		switch {
		case strings.ContainsRune("?+*@", r) && g.next(1) == '(':
			g.group(r)
		case r == '!' && g.next(1) == '(':
			return fmt.Errorf("negation is not read")
		case r == '*' && g.next(1) == '*':
			g.stars()
		case r == '*':
			g.out.WriteString(`[^/]*`)
			g.at++
		case r == '?':
			g.out.WriteString(`[^/]`)
			g.at++
		case r == '[':
			g.class()
		case r == '{':
			g.out.WriteString(`(?:`)
			g.close = append(g.close, `)`)
			g.at++
		case (r == '}' || r == ')') && len(g.close) > 0:
			g.out.WriteString(g.close[len(g.close)-1])
			g.close = g.close[:len(g.close)-1]
			g.at++
		case (r == ',' || r == '|') && len(g.close) > 0:
			g.out.WriteByte('|')
			g.at++
		default:
			g.out.WriteString(regexp.QuoteMeta(string(r)))
			g.at++
		}
	}
	return nil
}

func (g *globber) group(kind rune) {
	end := map[rune]string{'?': `)?`, '+': `)+`, '*': `)*`, '@': `)`}[kind]
	g.out.WriteString(`(?:`)
	g.close = append(g.close, end)
	g.at += 2
}

// stars converts ** with the slash after it.
func (g *globber) stars() {
	g.at += 2
	if g.next(0) == '/' {
		g.at++
		g.out.WriteString(`(?:.*/)?`)
		return
	}
	g.out.WriteString(`.*`)
}

func (g *globber) class() {
	end := g.at + 1
	for end < len(g.in) && g.in[end] != ']' {
		end++
	}
	if end == len(g.in) {
		g.out.WriteString(`\[`)
		g.at++
		return
	}
	body := string(g.in[g.at+1 : end])
	if strings.HasPrefix(body, "!") {
		body = "^" + body[1:]
	}
	g.out.WriteString("[" + strings.ReplaceAll(body, `\`, `\\`) + "]")
	g.at = end + 1
}

// patternSet matches a path against patterns of which some may not be known.
type patternSet struct {
	patterns []*regexp.Regexp
	unknown  bool // a pattern could not be read
}

func globSet(globs []string) patternSet {
	var s patternSet
	for _, g := range globs {
		re, err := globPattern(g)
		if err != nil {
			s.unknown = true
			continue
		}
		s.patterns = append(s.patterns, re)
	}
	return s
}

// regexSet reads JavaScript's regular expressions as far as they are Go's.
func regexSet(exprs []string) patternSet {
	var s patternSet
	for _, e := range exprs {
		re, err := regexp.Compile(strings.ReplaceAll(strings.ReplaceAll(e, "<rootDir>", "^/root"), `\/`, `/`))
		if err != nil {
			s.unknown = true
			continue
		}
		s.patterns = append(s.patterns, re)
	}
	return s
}

func (s patternSet) match(p string) bool {
	for _, re := range s.patterns {
		if re.MatchString(p) {
			return true
		}
	}
	return false
}

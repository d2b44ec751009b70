package question

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
)

// echoed is a value of the tests that new code holds.
type echoed struct {
	key    literal.Key
	line   int
	enough bool // to be asked about alone
}

// minEcho is how many rare values a file shares with the tests before it is asked about, unless it is a list of
// five: one alone is an error's text or a limit in next to all cases (docs/integrity-evaluation.md).
const minEcho = 2

// echo asks about a file in which rare values of the tests stand anew, or pairs
// of any value and what the tests expect for it.
func (a *Asker) echo(s source) {
	var rare []echoed
	s.Root.Walk(func(n *code.Node) bool {
		switch {
		case informs(s.File, n):
			return false
		case n.Is(code.Literal, code.List) && s.isNew(n.Line):
			k := literal.Of(n)
			if _, known := a.tests.At(k); known && literal.Rare(k) && !bytes.Contains(a.before, []byte(n.Src.Text())) {
				rare = append(rare, echoed{k, n.Line, strings.Count(string(k), ",") >= 4})
				return false
			}
		}
		return true
	})
	a.askEcho(s.File.Path, s.lines, rare)
	if len(distinct(rare)) < minEcho {
		a.askEcho(s.File.Path, s.lines, a.pairs(s))
	}
}

// informs reports whether what a node holds is said to people or to the language, and is no value that the
// program computes with: the text of an error or log, an import, an annotation, a text that documents.
func informs(f *code.File, n *code.Node) bool {
	switch {
	case n.Is(code.Import, code.Raise, code.Template):
		return true
	case n.Is(code.Literal):
		return n.Up.Is(code.Block, code.Func, code.Class) || n.Up.Is(code.Other) && n.Up.Src.Is("expression_statement")
	case n.Is(code.Call):
		name := f.Callee(n)
		return tellsPeople.MatchString(name[strings.LastIndexByte(name, '.')+1:]) ||
			tellsPeople.MatchString(strings.SplitN(name, ".", 2)[0])
	}
	return false
}

// tellsPeople are names of functions, and of what they belong to, whose texts
// are read by people: errors, logs, output, help, patterns.
var tellsPeople = lazyregexp.New(`(?i)(?:error|errorf|exception|panic|fail|log|logger|logging|warn|warning|debug|info|print|printf|` +
	`println|console|deprecate|usage|describe|` +
	`raise|abort|reject|bail|anyhow|expect|assert|require_once|unreachable|todo|option|add_argument|help)!?$`)

func distinct(found []echoed) []echoed {
	var out []echoed
	for _, e := range found {
		if !slices.ContainsFunc(out, func(o echoed) bool { return o.key == e.key }) {
			out = append(out, e)
		}
	}
	return out
}

func (a *Asker) askEcho(file string, lines literal.Lines, found []echoed) {
	found = distinct(found)
	if len(found) < minEcho && !slices.ContainsFunc(found, func(e echoed) bool { return e.enough }) {
		return
	}
	var evidence []string
	for _, e := range found[:min(4, len(found))] {
		at, _ := a.tests.At(e.key)
		evidence = append(evidence,
			fmt.Sprintf("- %s:%d: %s", at.Path, at.Line, literal.Shorten(at.Text, 160)),
			fmt.Sprintf("+ %s:%d: %s", file, e.line, literal.Shorten(lines.At(e.line), 160)))
	}
	a.ask(Echo, "", file, found[0].line, lines.At(found[0].line), fmt.Sprintf(
		"%d values of the approved tests appear anew in this file. Does the code compute what the tests expect, or does it repeat it?",
		len(found)),
		strings.Join(evidence, "\n"))
}

// pairs are the places where new code puts an input of a test beside what the
// test expects for it: in a branch, a case, a table.
func (a *Asker) pairs(s source) []echoed {
	var out []echoed
	for _, l := range literal.Listings(s.File) {
		for _, pair := range l.Pairs {
			answer := literal.Of(pair.Answer)
			if _, known := a.tests.At(answer); !known || !s.isNew(pair.Answer.Line) || !literal.Tells(answer) ||
				!a.asks(pair.Input, answer) {
				continue
			}
			keys := pair.Keys()
			enough := literal.Rare(answer) || len(keys) > 1 || slices.ContainsFunc(keys, literal.Rare) ||
				strings.Count(string(answer), ",") >= 4
			out = append(out, echoed{answer, pair.Answer.Line, enough})
		}
	}
	return out
}

// asks reports whether a test puts a value, or a text of that length, beside an answer.
func (a *Asker) asks(in *code.Node, answer literal.Key) bool {
	keys := []literal.Key{answer}
	for _, n := range literal.Leaves(in) {
		if k := literal.OfValue(n.Value); literal.Tells(k) && k != answer {
			keys = append(keys, k)
		}
	}
	if len(keys) > 1 && a.tests.Together(keys...) {
		return true
	}
	if !in.Is(code.Literal) || in.Value.Type != code.Number {
		return false
	}
	if literal.Rare(literal.Of(in)) { // of what the input is turned into, as a digest
		return true
	}
	n, err := strconv.Atoi(in.Value.Text)
	return err == nil && n > 2 && a.tests.Sized(n, answer)
}

// Values in files of data: quoted texts, numbers, and what stands between the usual separators.
var (
	quotedText = lazyregexp.New(`"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'`)
	bareNumber = lazyregexp.New(`-?\b\d+(?:\.\d+)?\b`)
	separators = lazyregexp.New(`[,;:|\t=]\s*`)
)

// Data asks about a changed file that is not parsed: data that the program
// reads, or code in a language without a grammar here.
func (a *Asker) Data(c workaround.Changed) {
	lines := literal.LinesOf(c.After)
	var found []echoed
	for i, text := range lines {
		if c.Before != nil && !c.Added[i+1] || len(text) > maxLine {
			continue
		}
		for _, k := range values(text) {
			if _, ok := a.tests.At(k); ok && literal.Rare(k) && !bytes.Contains(a.before, []byte(k[2:])) {
				found = append(found, echoed{k, i + 1, false})
			}
		}
	}
	a.askEcho(c.Path, lines, found)
}

// IsData reports whether a file may hold values that a program reads while it
// runs: no documents, no manifests of packages.
func IsData(file string) bool {
	return dataName.MatchString(file) && !manifest.MatchString(file)
}

var (
	dataName = lazyregexp.New(`(?i)\.(?:json|jsonl|ya?ml|toml|csv|tsv|txt|dat|xml|properties|ini|sql|env|db|inc|tmpl|resx|plist|ron|` +
		`edn)$`)
	manifest = lazyregexp.New(`(?i)(?:^|/)(?:\.[^/]*/.*|\.[^/]*|package(?:-lock)?\.json|tsconfig[^/]*\.json|composer\.json|` +
		`pyproject\.toml|Cargo\.toml|Pipfile|pom\.xml|` +
		`[^/]*requirements[^/]*\.txt|CMakeLists\.txt|CHANGE[^/]*|LICENSE[^/]*|README[^/]*|docs?/.*)$`)
)

// maxLine is the longest line of data that is read, in bytes.
const maxLine = 20_000

func values(text string) []literal.Key {
	var out []literal.Key
	for _, m := range quotedText.FindAllStringSubmatch(text, -1) {
		out = append(out, literal.Key("s:"+m[1]+m[2]))
	}
	for _, m := range bareNumber.FindAllString(text, -1) {
		if v, ok := code.ParseNumber(m); ok {
			out = append(out, literal.OfValue(v))
		}
	}
	for _, m := range separators.Split(text, -1) {
		out = append(out, literal.Key("s:"+strings.Trim(strings.TrimSpace(m), `"'`)))
	}
	return out
}

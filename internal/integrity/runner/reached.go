package runner

import (
	"iter"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// entries is what the files say by which runs begin: which targets of a Makefile they may ask for. It goes by words, so
// that it finds too many rather than too few: a name in a matrix, in a variable or in a loop is one, too.
type entries struct {
	words map[string]bool
	all   bool // the name of a target is computed
}

// Begin says by which files runs may begin. From then on only those targets of a
// Makefile count in Calls that such a file may ask for; before, all do.
func (f *Tree) Begin(entries iter.Seq2[string, []byte]) { f.entries = entries }

// AnyTarget is a text that may ask for any target.
const AnyTarget = "make $(ANY)"

// Begins reports whether runs may begin by a file although nothing that is known to run tests names it.
func Begins(p string) bool {
	f := formatOf(p)
	return f != "" && f != "make" && f != "lock" && f != "shell"
}

// enter notes a file by which runs may begin: of a source, only if it starts make.
func (e *entries) enter(p string, src []byte) {
	if f := formatOf(p); f == "make" || f == "lock" || isSource(p) && !quotesMake.Match(src) {
		return
	}
	var text []string
	for _, l := range lines(src) {
		if !strings.HasPrefix(strings.TrimSpace(l), "#") {
			text = append(text, l)
		}
	}
	e.add(strings.Join(text, "\n"))
}

var (
	// startsMake is a call of make whose targets are computed, or come from a list or a pattern of names.
	startsMake = lazyregexp.New(`\b(?:g?make|MAKE|just)\b[^\n;|&]*[$*?{` + "`" + `]|\bxargs\b[^\n;|&]*\b(?:g?make|MAKE|just)\b`)
	// quotesMake is a call of make in a text of a source.
	quotesMake = lazyregexp.New("(?:[\"'`]|[;&|]\\s*|\\b(?:sudo|exec|time|nice|env|then|do)\\s+(?:\\S+\\s+)?)(?:g?make|just)[\\s\"'`]")
	// parallel is a number of jobs, as it is often computed, and make by its variable.
	parallel = lazyregexp.New(`-j *"?\$(?:\(\w+\)|\{?\w+\}?)"?|\$[({]MAKE[)}]`)
)

func (e *entries) add(text string) {
	text = parallel.ReplaceAllString(strings.ReplaceAll(text, "\\\n", " "), " MAKE ")
	e.all = e.all || startsMake.MatchString(text)
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !targetRune(r) }) {
		e.words[strings.TrimRight(w, ".")] = true
	}
}

func targetRune(r rune) bool {
	return r == '_' || r == '-' || r == '.' || r == '/' || r == '+' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// What makes targets where the file is read: another file, or a text that is
// made. variableRule is a rule whose target is a variable; its recipe follows it.
var (
	makesRules   = lazyregexp.New(`(?:^|> )(?:(?:[-s]?include|import|mod|load|define|\.SECONDEXPANSION)\b|\$)|^\.DEFAULT_GOAL.*\$`)
	variableRule = lazyregexp.New(`^\$[({]\w+[)}]\s*::?(?:[^=:]|$)`)
)

// asked are the names of the targets that an entry may ask for, and of those that these need or call; nil if
// all may be. What cannot be read is asked for: names that are computed, patterns, what an included file says.
// So is a target that a pipeline may newly be given without a question, and the first one, which a call without
// a name means.
func (m makeData) asked(files *Tree) map[string]bool {
	if files == nil || files.entries == nil {
		return nil
	}
	e := entries{words: map[string]bool{}}
	for p, src := range files.entries {
		e.enter(p, src)
	}
	e.special(m.special)
	out := map[string]bool{}
	for n := -1; n != len(out); {
		n = len(out)
		for _, t := range m.targets {
			if t.name == ".PHONY" || out[t.name] || len(out) > 0 && !e.names(t.name) {
				continue
			}
			for _, o := range m.targets { // of double colons there are several
				if o.name == t.name {
					e.needs(m, o)
				}
			}
			out[t.name] = true
		}
	}
	if e.all {
		return nil
	}
	return out
}

// special notes what settings of make itself ask for.
func (e *entries) special(list []value) {
	rule := 0 // the last line of one whose target is a variable
	for _, s := range list {
		switch {
		case variableRule.MatchString(s.text), rule > 0 && s.line == rule+1:
			rule = s.line
			e.add(s.text)
		case makesRules.MatchString(s.text):
			e.all = true
		case strings.HasPrefix(s.text, ".DEFAULT"):
			e.add(s.text)
		}
	}
}

func (e *entries) names(target string) bool {
	unread := strings.ContainsFunc(target, func(r rune) bool { return !targetRune(r) })
	return e.words[target] || unread || quietGoal(target) || plainGoal.MatchString(target)
}

// needs notes what a target asks for. A prerequisite that is not known when the file is read may be any target.
func (e *entries) needs(m makeData, t target) {
	prereqs := strings.Join(t.prereqs, " ")
	e.all = e.all || strings.Contains(strings.ReplaceAll(prereqs, "$(CURDIR)", ""), "$")
	e.add(prereqs)
	for _, l := range t.recipe {
		text, _ := m.expand(l.text)
		e.add(text)
	}
}

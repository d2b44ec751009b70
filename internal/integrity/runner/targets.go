package runner

// What a Makefile or Justfile says of targets that nothing asks for cannot change how tests run: a
// recipe runs only if its target is asked for. All else counts, line by line. Nothing is expanded:
// where a name that is asked for is computed, each line of the file counts.

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// targetLine is a line of a Makefile or Justfile with the targets of its rule: none of what counts
// whatever is asked for, such as variables, conditions and includes.
type targetLine struct {
	value
	of   []string
	head bool // it says what a target needs
}

var (
	// ruleHead is a rule of targets that are named as they stand, with what it needs.
	ruleHead = lazyregexp.New(
		`^(?:\.PHONY|[^\s.:=$%#(){}'"][^\s:=$%#(){}'"]*(?:[ \t]+[^\s:=$%#(){}'"]+)*)[ \t]*::?(?:[^:=][^=]*)?$`,
	)
	// directive begins a line of its own kind, whatever else it looks like.
	directive = lazyregexp.New(`^(?:[-s]?include|-?load|vpath|(?:un)?export|override|private|(?:un)?define|` +
		`ifn?def|ifn?eq|else|import|mod|set|alias)[ \t]`)
	// defines begins a text of several lines.
	defines = lazyregexp.New(`^\s*(?:(?:override|export|private)\s+)*define\b`)
	// spread is what lets texts of Justfiles go over several lines.
	spread = lazyregexp.New("'''|\"\"\"|```")
	// computed is a part of a rule that a function of make makes: its names are not written down.
	computed = lazyregexp.New(`\$[({][\w-]+[ \t]`)
	// computedGoal is a call of make or just for a goal whose name is not written down.
	computedGoal = lazyregexp.New(`(?:\$[({]MAKE[)}]|\b(?:make|just)\b)[^\n]*\$`)
)

// targetLines reads a file of targets. Of what it is not sure to understand each line counts.
func targetLines(p string, src []byte) []targetLine {
	indent, text, odd := "\t", lines(src), strings.Contains(string(src), ".RECIPEPREFIX")
	if strings.Contains(strings.ToLower(path.Base(p)), "justfile") {
		indent, odd = " \t", spread.Match(src)
	}
	var out []targetLine
	var rule []string
	for i, defining := 0, false; i < len(text); i++ {
		l := targetLine{value: value{strings.TrimRight(text[i], " \t\r"), i + 1}}
		for goesOn(text[i]) && i+1 < len(text) {
			i++
			l.text += "\n" + strings.TrimRight(text[i], " \t\r")
		}
		head, _, _ := strings.Cut(l.text, "#")
		word, _, _ := strings.Cut(strings.TrimSpace(l.text), " ")
		defining = defining && word != "endef" || defines.MatchString(l.text)
		switch {
		case l.text == "", l.text[0] == '#' && !strings.Contains(l.text, "\n"):
			continue
		case odd || defining:
			rule = nil
		case strings.ContainsRune(indent, rune(l.text[0])):
			l.of = rule
		case ruleHead.MatchString(head) && !directive.MatchString(head):
			targets, needs, _ := strings.Cut(head, ":")
			if rule = strings.Fields(targets); rule[0] != ".PHONY" {
				l.of, l.head = rule, true
				break
			}
			for _, name := range strings.Fields(needs) { // a name more or less is of that target
				out = append(out,
					targetLine{value: value{".PHONY: " + name, l.line}, of: []string{name}})
			}
			rule = nil
			continue
		default:
			rule = nil
		}
		out = append(out, l)
	}
	return out
}

// goesOn reports whether a line goes on in the next one: a backslash behind another one is itself.
func goesOn(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// heldTargets are the lines of some versions of a file of targets that may matter to tests: those
// that always count, and the rules of what is a goal of tests by its name, of the first target, of
// what another file names that runs tests, and of all that these name in turn.
func (f *Tree) heldTargets(p string, versions ...[]byte) (held [][]value) {
	words, everything := map[string]bool{path.Base(p): true}, f.computesGoals(p)
	var all []targetLine
	for _, src := range versions {
		read := targetLines(p, src)
		if i := slices.IndexFunc(read, func(l targetLine) bool { return l.head }); i >= 0 {
			words[read[i].of[0]] = true
		}
		all = append(all, read...)
	}
	// A name is asked for if a line that counts says it, or a part of it that ends in a separator;
	// if it is one of tests by its form; or if another file that runs tests says it.
	isAsked := func(name string) bool {
		name = strings.TrimLeft(name, "@")
		return words[name] || testGoal.MatchString(name) || isPutTogether(name, words) ||
			f.names(name, p)
	}
	counts := func(l targetLine) bool {
		return everything || len(l.of) == 0 || slices.ContainsFunc(l.of, isAsked)
	}
	// Each rule that is asked for may ask for others: until no word is new.
	for n := -1; n != len(words) && !everything; {
		n = len(words)
		for _, l := range slices.DeleteFunc(slices.Clone(all),
			func(l targetLine) bool { return !counts(l) }) {
			everything = everything || l.head && computed.MatchString(l.text) ||
				computedGoal.MatchString(l.text)
			for _, w := range wordsOf([]string{strings.ReplaceAll(l.text, "$", " ")}) {
				words[w], words[strings.TrimLeft(w, "@-+")] = true, true
			}
		}
	}
	for _, src := range versions {
		var kept []value
		for _, l := range targetLines(p, src) {
			if counts(l) {
				kept = append(kept, l.value)
			}
		}
		held = append(held, kept)
	}
	return held
}

// Hides reports whether a path that is new keeps tests from running: make takes what bears the name
// of a goal for its result, unless the goal is .PHONY or needs one that is. read returns a file,
// nil if there is none.
func Hides(p string, read func(path string) []byte) bool {
	dir, goal := path.Split(p)
	return slices.ContainsFunc([]string{"GNUmakefile", "makefile", "Makefile"},
		func(file string) bool {
			src := read(dir + file)
			return bytes.Contains(src, []byte(goal)) && hasResult(targetLines(file, src), goal)
		})
}

// hasResult reports whether a Makefile has a goal of tests that is not run if a file has its name.
func hasResult(text []targetLine, goal string) bool {
	phony, rule, tests := phonyGoals(text), false, testGoal.MatchString(goal)
	isPhony := func(name string) bool { return phony[name] }
	for _, l := range text {
		if !slices.Contains(l.of, goal) {
			continue
		}
		rule = rule || l.head
		tests = tests || !strings.Contains(goal, ".") && testRun.MatchString(l.text)
		if head, _, _ := strings.Cut(l.text, "#"); l.head {
			_, needs, _ := strings.Cut(head, ":")
			if end := strings.IndexAny(needs, ";|"); end >= 0 {
				needs = needs[:end] // what is behind "|" only comes first
			}
			phony[goal] = phony[goal] || slices.ContainsFunc(strings.Fields(needs), isPhony)
		}
	}
	return rule && tests && !phony[goal]
}

// phonyGoals are the names that .PHONY needs in a Makefile, by themselves or in a variable.
func phonyGoals(text []targetLine) map[string]bool {
	phony := map[string]bool{}
	for _, l := range text {
		if name, ok := strings.CutPrefix(l.text, ".PHONY: "); ok && len(l.of) == 1 {
			phony[strings.NewReplacer("{", "(", "}", ")").Replace(name)] = true
		}
	}
	for _, l := range text {
		name, values, ok := strings.Cut(l.text, "=")
		if ok && len(l.of) == 0 && phony["$("+strings.TrimRight(name, " \t:+?")+")"] {
			for _, v := range strings.Fields(values) {
				phony[v] = true
			}
		}
	}
	return phony
}

// isPutTogether reports whether one of some words may begin or end a name, as "lint-" does.
func isPutTogether(name string, words map[string]bool) bool {
	for i, r := range name {
		if strings.ContainsRune("-_/.", r) && (words[name[:i+1]] || words[name[i:]]) {
			return true
		}
	}
	return false
}

package runner

import (
	"regexp"
	"strings"
)

// target is one rule of a Makefile or recipe of a Justfile.
type target struct {
	name    string
	line    int
	prereqs []string
	recipe  []value // its command lines
	guard   string  // the conditional around it
}

// makeData is what a Makefile says.
type makeData struct {
	targets []target
	vars    map[string]value
	special []value // settings of make itself
}

var (
	makeVar  = regexp.MustCompile(`^(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(\?|\+|:{1,3})?=\s*(.*)$`)
	makeRule = regexp.MustCompile(`^([^\s:#=][^:=#]*?)\s*::?([^=].*|)$`)
	makeRef  = regexp.MustCompile(`\$[({]([A-Za-z_][\w.-]*)[)}]`)
)

// parseMake reads a Makefile or Justfile. Recipe lines are those indented below
// a rule.
func parseMake(src []byte) makeData {
	m := makeData{vars: map[string]value{}}
	var open []int // targets that the next recipe lines belong to
	var conds []string
	for _, l := range joinedLines(lines(src)) {
		text := strings.TrimSpace(l.text)
		indented := strings.HasPrefix(l.text, "\t") || strings.HasPrefix(l.text, " ") && len(open) > 0
		switch {
		case text == "" || text[0] == '#':
		case strings.HasPrefix(text, "ifeq") || strings.HasPrefix(text, "ifneq") || strings.HasPrefix(text, "ifdef") || strings.HasPrefix(text, "ifndef"):
			conds = append(conds, text)
		case text == "endif" && len(conds) > 0:
			conds = conds[:len(conds)-1]
		case indented:
			for _, i := range open {
				m.targets[i].recipe = append(m.targets[i].recipe, value{text: text, line: l.line})
				if len(conds) > 0 {
					m.targets[i].guard = conds[len(conds)-1]
				}
			}
		default:
			open = m.top(text, l.line, conds)
		}
	}
	return m
}

// top reads a line that is not indented, and returns the targets it opens.
func (m *makeData) top(text string, line int, conds []string) []int {
	if v := makeVar.FindStringSubmatch(text); v != nil {
		if v[1] == "MAKEFLAGS" || v[1] == "SHELL" || v[1] == ".SHELLFLAGS" {
			m.special = append(m.special, value{text: text, line: line})
		}
		old, set := m.vars[v[1]]
		if v[2] == "+" && set {
			m.vars[v[1]] = value{text: old.text + " " + v[3], line: line}
		} else {
			m.vars[v[1]] = value{text: v[3], line: line}
		}
		return nil
	}
	if strings.HasPrefix(text, ".SHELLFLAGS") {
		m.special = append(m.special, value{text: text, line: line})
		return nil
	}
	r := makeRule.FindStringSubmatch(text)
	if r == nil {
		return nil
	}
	rest, command, hasCommand := strings.Cut(r[2], ";")
	var open []int
	for _, name := range strings.Fields(r[1]) {
		if name == ".IGNORE" {
			m.special = append(m.special, value{text: text, line: line})
		}
		t := target{name: strings.TrimPrefix(name, "@"), line: line, prereqs: strings.Fields(rest)}
		if len(conds) > 0 {
			t.guard = conds[len(conds)-1]
		}
		if hasCommand {
			t.recipe = []value{{text: strings.TrimSpace(command), line: line}}
		}
		m.targets = append(m.targets, t)
		open = append(open, len(m.targets)-1)
	}
	return open
}

// joinedLines puts lines together that a backslash continues.
func joinedLines(list []string) []value {
	var out []value
	joining := false
	for i, l := range list {
		if joining {
			out[len(out)-1].text += "\n" + l
		} else {
			out = append(out, value{text: l, line: i + 1})
		}
		joining = strings.HasSuffix(l, `\`)
	}
	return out
}

// expand fills in the file's own variables. The second result is the line of
// the last variable that was filled in, 0 if there was none.
func (m makeData) expand(text string) (string, int) {
	line := 0
	for range 8 { // variables in variables
		done := true
		text = makeRef.ReplaceAllStringFunc(text, func(ref string) string {
			v, ok := m.vars[ref[2:len(ref)-1]]
			if !ok || len(v.text) > 1000 {
				return ref
			}
			done = false
			line = max(line, v.line)
			return v.text
		})
		if done || len(text) > maxScript {
			break
		}
	}
	return strings.ReplaceAll(text, "$$", "$"), line
}

// script is what a target's recipe does about tests: each line in a shell of
// its own, until one fails.
func (m makeData) script(t target) script {
	var out script
	for _, l := range t.recipe {
		text, lost := strings.TrimSpace(l.text), ""
		for text != "" && strings.ContainsRune("@-+", rune(text[0])) {
			if text[0] == '-' {
				lost = "its failure is ignored by -"
			}
			text = strings.TrimSpace(text[1:])
		}
		expanded, varLine := m.expand(text)
		s, err := shell{}.read(expanded, l.line)
		if err != nil {
			s, _ = shell{}.read(makeRef.ReplaceAllString(expanded, "_$1_"), l.line) // an empty script then
		}
		for i := range s.runs {
			r := &s.runs[i]
			if lost != "" {
				r.lost, r.lostLine = lost, l.line
			}
			if t.guard != "" && r.guard == "" {
				r.guard, r.guardLine = t.guard, l.line
			}
			if varLine > 0 {
				r.varLine, r.raw = varLine, text
			}
		}
		out.runs = append(out.runs, s.runs...)
		out.tampers = append(out.tampers, s.tampers...)
	}
	return out
}

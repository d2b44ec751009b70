package runner

import (
	"regexp"
	"slices"
	"strings"
)

// makeData is what a Makefile says.
type makeData struct {
	targets []target
	vars    map[string]value
	special []value // settings of make itself, and what is not known
}

var (
	makeVar  = regexp.MustCompile(`^(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(\?|\+|:{1,3})?=\s*(.*)$`)
	makeRule = regexp.MustCompile(`^([^\s:#=][^:=#]*?)\s*::?([^=].*|)$`)
	makeRef  = regexp.MustCompile(`\$[({]([A-Za-z_][\w.-]*)[)}]`)
)

func parseMake(src []byte) makeData {
	m := makeData{vars: map[string]value{}}
	var open []int // targets that the next recipe lines belong to
	var conds []string
	var joined []value // lines with those that a backslash continues
	for i, l := range lines(src) {
		if n := len(joined); n > 0 && strings.HasSuffix(joined[n-1].text, `\`) {
			joined[n-1].text += "\n" + l
		} else {
			joined = append(joined, value{text: l, line: i + 1})
		}
	}
	for _, l := range joined {
		text := strings.TrimSpace(l.text)
		indented := strings.HasPrefix(l.text, "\t") || strings.HasPrefix(l.text, " ") && len(open) > 0
		switch {
		case text == "" || text[0] == '#':
		case strings.HasPrefix(text, "ifeq"), strings.HasPrefix(text, "ifneq"), strings.HasPrefix(text, "ifdef"), strings.HasPrefix(text, "ifndef"):
			conds = append(conds, text)
		case strings.HasPrefix(text, "else") && len(conds) > 0:
			conds = append(slices.Clone(conds[:len(conds)-1]), "not "+conds[len(conds)-1]+text[4:])
		case text == "endif" && len(conds) > 0:
			conds = slices.Clone(conds[:len(conds)-1])
		case indented:
			for _, i := range open {
				m.targets[i].recipe = append(m.targets[i].recipe, value{text: text, line: l.line})
				m.targets[i].guards = append(m.targets[i].guards, strings.Join(conds, " > "))
			}
		default:
			open = m.top(text, l.line, strings.Join(conds, " > "))
		}
	}
	return m
}

// top reads a line that is not indented, and returns the targets it opens.
func (m *makeData) top(text string, line int, guard string) []int {
	if v := makeVar.FindStringSubmatch(text); v != nil {
		exported := strings.HasPrefix(text, "export") && !inertEnv(value{text: v[1] + "=" + v[3]})
		if v[1] == "MAKEFLAGS" || v[1] == "SHELL" || strings.HasPrefix(v[1], ".") || guard != "" || exported {
			m.special = append(m.special, value{text: guard + text, line: line})
		}
		if old, set := m.vars[v[1]]; v[2] == "+" && set {
			v[3] = old.text + " " + v[3]
		}
		m.vars[v[1]] = value{text: v[3], line: line}
		return nil
	}
	r := makeRule.FindStringSubmatch(text)
	if r == nil || strings.HasPrefix(text, "$") || strings.HasPrefix(text, ".") && !strings.HasPrefix(text, ".PHONY") {
		m.special = append(m.special, value{text: guard + text, line: line})
		return nil
	}
	rest, command, hasCommand := strings.Cut(r[2], ";")
	var open []int
	for _, name := range strings.Fields(r[1]) {
		t := target{name: strings.TrimPrefix(name, "@"), line: line, prereqs: strings.Fields(strings.ReplaceAll(rest, "\\\n", " "))}
		if guard != "" {
			t.prereqs = append(t.prereqs, guard)
		}
		if hasCommand {
			t.recipe, t.guards = []value{{text: strings.TrimSpace(command), line: line}}, []string{guard}
		}
		m.targets = append(m.targets, t)
		open = append(open, len(m.targets)-1)
	}
	return open
}

func (m makeData) expand(text string) (string, int) {
	line := 0
	for range 8 { // variables in variables
		done := true
		text = makeRef.ReplaceAllStringFunc(text, func(ref string) string {
			v, ok := m.vars[ref[2:len(ref)-1]]
			if !ok || len(v.text) > 1000 || len(text) > maxScript {
				return ref
			}
			done = false
			line = max(line, v.line)
			return v.text
		})
		if done {
			break
		}
	}
	return strings.ReplaceAll(text, "$$", "$"), line
}

func (m makeData) script(t target) script {
	var out script
	for i, l := range t.recipe {
		text, lost := strings.TrimSpace(l.text), ""
		for text != "" && strings.ContainsRune("@-+", rune(text[0])) {
			if text[0] == '-' {
				lost = "its failure is ignored by -"
			}
			text = strings.TrimSpace(text[1:])
		}
		expanded, varLine := m.expand(text)
		s, err := readShell(expanded, l.line, shell{})
		if err != nil {
			s = readAny(makeRef.ReplaceAllString(expanded, "_${1}_"), l.line, shell{})
		}
		for i2 := range s {
			c := &s[i2]
			if lost != "" {
				c.lost, c.lostLine = lost, l.line
			}
			if g := t.guards[i]; g != "" {
				c.guard, c.guardLine = strings.TrimSuffix(g+" > "+c.guard, " > "), l.line
			}
			if varLine > 0 {
				c.varLine, c.raw = varLine, text
			}
		}
		out = append(out, s...)
	}
	return out
}

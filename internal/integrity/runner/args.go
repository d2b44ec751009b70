package runner

import (
	"slices"
	"strings"
)

type arg struct {
	name  string // "--ignore", "-k", "-Dtest"; "" of a plain argument
	value string
	line  int
}

func (a arg) String() string {
	switch {
	case a.name == "":
		return a.value
	case a.value == "":
		return a.name
	case strings.HasPrefix(a.name, "--"), strings.HasPrefix(a.name, "-D"):
		return a.name + "=" + a.value
	default:
		return a.name + " " + a.value
	}
}

// parse makes arguments of words.
func (t *tool) parse(words []value) []arg {
	var out []arg
	for i := 0; i < len(words); i++ {
		w := words[i]
		f, isVerb := t.flags[w.text]
		switch isVerb = isVerb && !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "/"); {
		case isVerb && f.allowance == "free", w.text == "--":
			continue
		case isVerb:
			out = append(out, arg{name: w.text, line: w.line})
			continue
		case len(w.text) < 2 || w.text[0] != '-':
			out = append(out, arg{value: w.text, line: w.line})
			continue
		}
		parsed := t.split(w)
		last := &parsed[len(parsed)-1]
		if f := t.flags[last.name]; f.value && last.value == "" && !strings.Contains(w.text, "=") && i+1 < len(words) {
			i++
			last.value = words[i].text
		}
		out = append(out, parsed...)
	}
	return out
}

// split takes a word with a dash apart: --flag=value, -kvalue, -vx, -Dkey=value.
func (t *tool) split(w value) []arg {
	name, val, hasValue := strings.Cut(w.text, "=")
	known := func(n string) bool { _, ok := t.flags[n]; return ok }
	if t.single && strings.HasPrefix(name, "--") && !known(name) {
		name = name[1:]
	}
	a := arg{name: t.canonical(name), value: val, line: w.line}
	if strings.HasPrefix(name, "--") || hasValue && (strings.HasPrefix(name, "-D") || strings.HasPrefix(name, "-P")) || known(a.name) ||
		t.single {
		return []arg{a}
	}
	var out []arg
	for i, letter := range w.text[1:] {
		short := t.canonical("-" + string(letter))
		rest := w.text[1+i+len(string(letter)):]
		if t.flags[short].value {
			return append(out, arg{name: short, value: strings.TrimPrefix(rest, "="), line: w.line})
		}
		if !known(short) && i == 0 {
			return []arg{{name: w.text, line: w.line}}
		}
		out = append(out, arg{name: short, line: w.line})
	}
	return out
}

func (t *tool) canonical(name string) string {
	if a := t.flags[name].alias; a != "" {
		return a
	}
	return name
}

func quietGoal(text string) bool {
	name, _, isVariable := strings.Cut(text, "=")
	if !isVariable {
		return testGoal.MatchString(text) && !strings.Contains(text, "update") ||
			slices.Contains([]string{"run", "build", "lint", "compile", "install", "deps", "clean", "package", "verify", "check"}, text)
	}
	return name == "V" || name == "VERBOSE" || name == "GOFLAGS" && inertEnv(value{text: text})
}

func (t *tool) laterPhase(is []value, goal string) bool {
	i := slices.Index(t.phases, goal)
	return slices.Contains([]string{"clean", "lint", "compile", "deps", "run", "assemble"}, goal) ||
		i >= 0 && slices.ContainsFunc(is, func(v value) bool {
			return slices.Index(t.phases, v.text) > i
		})
}

// trimDots makes Go's "./a/..." a folder.
func trimDots(s string) string {
	if s == "./..." || s == "..." {
		return "."
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, "./"), "/...")
}

// idle reports whether the arguments tell a build tool to leave its tests out.
func (t *tool) idle(args []arg) bool {
	return slices.ContainsFunc(args, func(a arg) bool {
		skips := (strings.HasPrefix(a.name, "-D") || strings.HasPrefix(a.name, "-P")) && strings.Contains(strings.ToLower(a.name), "skip")
		return skips && (a.value == "" || truthy(a.value)) || t.name == "gradle" && a.name == "--exclude-task" && a.value == "test"
	})
}

package runner

import (
	"strings"
)

// arg is one argument of a command line. A flag has a name; what is no flag,
// and no flag's value, has none.
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

// tool is a program that runs tests, and what its arguments mean.
type tool struct {
	name string
	// flags by their names. A flag that is not listed may be anything.
	flags map[string]flag
	// sameAs joins tools that run the same tests: gotestsum and go test.
	sameAs string
	// goals: plain arguments are what to do, not which tests to run.
	goals bool
	// single: long flags have one dash, as Go's do.
	single bool
}

// flag is what a flag does.
type flag struct {
	effect effect
	value  bool   // takes a value
	alias  string // the flag's other name
}

func (t *tool) family() string {
	if t.sameAs != "" {
		return t.sameAs
	}
	return t.name
}

// parse makes arguments of words.
func (t *tool) parse(words []value) []arg {
	var out []arg
	for i := 0; i < len(words); i++ {
		w := words[i]
		if f := t.flags[w.text]; f.effect == harmless {
			if !strings.HasPrefix(w.text, "-") {
				continue // a subcommand
			}
		}
		if len(w.text) < 2 || w.text[0] != '-' || w.code {
			out = append(out, arg{value: w.text, line: w.line})
			continue
		}
		if w.text == "--" {
			continue
		}
		parsed := t.split(w)
		lastFlag := &parsed[len(parsed)-1]
		if f := t.flags[lastFlag.name]; f.value && lastFlag.value == "" && !strings.Contains(w.text, "=") && i+1 < len(words) {
			i++
			lastFlag.value = words[i].text
		}
		out = append(out, parsed...)
	}
	return out
}

// split takes a word with a dash apart: --flag=value, -kvalue, -vx, -Dkey=value.
func (t *tool) split(w value) []arg {
	name, val, hasValue := strings.Cut(w.text, "=")
	if t.single && strings.HasPrefix(name, "--") && !t.flags[name].known() {
		name = name[1:]
	}
	a := arg{name: t.canonical(name), value: val, line: w.line}
	if strings.HasPrefix(name, "--") || hasValue && (strings.HasPrefix(name, "-D") || strings.HasPrefix(name, "-P")) || t.flags[a.name].known() || t.single {
		return []arg{a}
	}
	var out []arg
	for i, letter := range w.text[1:] {
		short := t.canonical("-" + string(letter))
		f := t.flags[short]
		rest := w.text[1+i+len(string(letter)):]
		if f.value {
			return append(out, arg{name: short, value: strings.TrimPrefix(rest, "="), line: w.line})
		}
		if !f.known() && i == 0 {
			return []arg{{name: w.text, line: w.line}}
		}
		out = append(out, arg{name: short, line: w.line})
	}
	return out
}

// known reports whether the tool's table has the flag.
func (f flag) known() bool { return f != flag{} }

func (t *tool) canonical(name string) string {
	if a := t.flags[name].alias; a != "" {
		return a
	}
	return name
}

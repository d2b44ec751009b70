package runner

import (
	"slices"
	"strings"
	"sync"
)

// tool is a program that runs tests, and what its arguments mean.
type tool struct {
	name  string
	names []string
	// flags by their names. One that is not listed may be anything: any difference of it counts.
	flags map[string]flag
	// like joins tools that run the same tests: gotestsum and go test.
	like string
	// goals: plain arguments are what to do, not which tests to run.
	goals bool
	// single: long flags have one dash, as Go's do.
	single bool
	// verbs are the subcommands that run tests; none: it always does.
	verbs, phases []string
}

// flag is what a flag may do without harm: free to come and go, strict to come,
// higher to rise, positive to be any number above zero.
type flag struct {
	allowance string
	value     bool   // takes a value
	alias     string // the flag's other name
}

var tools = sync.OnceValue(func() (out []*tool) {
	first := 0 // of those that the lines are about
	for _, line := range listed("tools") {
		words := strings.Fields(line)
		word, rest := words[0], words[1:]
		switch word {
		case "tool":
			first = len(out)
			out = append(out, &tool{names: rest, name: rest[0], like: rest[0], flags: map[string]flag{}})
		case "tools":
			first = len(out)
			for _, n := range rest {
				out = append(out, &tool{names: []string{n}, name: n, like: n, flags: map[string]flag{}})
			}
		default:
			for _, t := range out[first:] {
				t.say(word, rest)
			}
		}
	}
	return finished(out)
})

// say obeys a line of the list.
func (t *tool) say(word string, rest []string) {
	switch word {
	case "like":
		t.like = strings.Join(rest, " ")
	case "goals":
		t.goals = true
	case "single":
		t.single = true
	case "verbs":
		t.verbs = rest
	case "phases":
		t.phases = rest
	default:
		t.add(word, rest)
	}
}

// finished completes what the list says in short.
func finished(list []*tool) []*tool {
	all := func(t *tool, from ...*tool) {
		for _, o := range from {
			for name, f := range o.flags {
				if _, ok := t.flags[name]; !ok && (t.name != "npm" || f.alias == "" && strings.HasPrefix(name, "--")) {
					t.flags[name] = f
				}
			}
		}
	}
	plain := list[len(list)-1]
	for _, t := range list {
		switch {
		case t.name == "npm": // what a script is given after --
			all(t, find(list, "jest"), find(list, "vitest"), find(list, "mocha"))
		case len(t.flags) == 0:
			all(t, plain)
		}
	}
	return list
}

func find(list []*tool, name string) *tool {
	if i := slices.IndexFunc(list, func(t *tool) bool { return slices.Contains(t.names, name) }); i >= 0 {
		return list[i]
	}
	return nil
}

// toolNamed is the test runner of a program's name, nil if it is none.
func toolNamed(name string) *tool { return find(tools(), name) }

func (t *tool) add(allowance string, words []string) {
	for _, word := range words {
		word, valued := strings.CutSuffix(word, "=")
		names := strings.Split(word, "|")
		last := names[len(names)-1]
		for _, n := range names {
			alias := ""
			if n != last {
				alias = last
			}
			t.flags[n] = flag{allowance, valued, alias}
		}
	}
}

// merged is the tool of whose flags the other's are known, too.
func (t *tool) merged(o *tool) *tool {
	if len(o.flags) > len(t.flags) {
		return o
	}
	return t
}

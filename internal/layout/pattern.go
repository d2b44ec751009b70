package layout

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// pattern is one compiled path pattern.
type pattern struct {
	text   string
	prefix string // every path that matches begins with it
	names  []string
	states []workflow.State // of the groups without a name, in their order
	// re is compiled when a path first begins with prefix: few patterns ever see one.
	re func() *regexp.Regexp
}

// maxPattern limits a pattern, in bytes, whose names may be filled in.
const maxPattern = 8 << 10

// capture is a name in braces, with the form that it has after a colon; braces with a comma are
// alternatives.
var capture = lazyregexp.New(`^\{([a-z][a-z_]{0,30})(?::([^{}\[\]?\\/]*))?\}`)

// formRE translates the form of a capture, in which # is a digit and * any text; without one it is
// any segment.
func formRE(form string) string {
	if form == "" {
		return "[^/]+"
	}
	return strings.NewReplacer("#", `\d`, `\*`, "[^/]*").Replace(regexp.QuoteMeta(form))
}

// compile translates a pattern. Errors say what is wrong with it, as the end of
// a sentence that begins with the pattern.
func compile(text string, folders Folders) (pattern, error) {
	p := pattern{text: text, prefix: text[:len(text)-len(strings.TrimLeftFunc(text, literal))]}
	if !utf8.ValidString(text) || len(text) > maxPattern {
		return p, errors.New("is not a valid pattern")
	}
	var re strings.Builder
	for rest := text; rest != ""; {
		var m []string
		if rest[0] == '{' {
			m = capture.FindStringSubmatch(rest)
		}
		switch {
		case m == nil:
			out, n, err := glob(rest)
			if err != nil {
				return p, err
			}
			re.WriteString(out)
			rest = rest[n:]
			continue
		case slices.Contains(p.names, m[1]):
			return p, fmt.Errorf("names {%s} twice", m[1])
		case m[1] == "state":
			group, states, err := stateGroup(folders)
			if err != nil {
				return p, err
			}
			re.WriteString(group)
			p.states = states
		default:
			re.WriteString("(?P<" + m[1] + ">" + formRE(m[2]) + ")")
		}
		p.names = append(p.names, m[1])
		rest = rest[len(m[0]):]
	}
	p.re = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile("^" + re.String() + "$") },
	)
	return p, nil
}

// matches reports whether a path fits.
func (p pattern) matches(path string) bool {
	return strings.HasPrefix(path, p.prefix) && p.re().MatchString(path)
}

// folder is the innermost literal folder that holds all that matches.
func (p pattern) folder() string {
	return strings.TrimSuffix(p.prefix[:strings.LastIndexByte(p.prefix, '/')+1], "/")
}

func literal(r rune) bool { return !strings.ContainsRune(`*?[{\`, r) }

// glob translates what a glob begins with, and says how much of it that was.
func glob(s string) (re string, n int, err error) {
	switch {
	case strings.HasPrefix(s, "**/"):
		return `(?:[^/]+/)*`, 3, nil
	case strings.HasPrefix(s, "**"):
		return `.*`, 2, nil
	case s[0] == '*':
		return `[^/]*`, 1, nil
	case s[0] == '?':
		return `[^/]`, 1, nil
	case s[0] == '{':
		inner, _, ok := strings.Cut(s[1:], "}")
		if !ok || !strings.Contains(inner, ",") || strings.ContainsAny(inner, "{*?[") {
			return "", 0, errors.New(
				"has a brace that neither names a capture nor lists alternatives",
			)
		}
		var parts []string
		for _, part := range strings.Split(inner, ",") {
			parts = append(parts, regexp.QuoteMeta(part))
		}
		return "(?:" + strings.Join(parts, "|") + ")", len(inner) + 2, nil
	case strings.ContainsRune(`[]\}`, rune(s[0])):
		return "", 0, fmt.Errorf("has %q, which patterns of layouts do not know", s[0])
	}
	rest := strings.TrimLeftFunc(s, func(r rune) bool { return literal(r) && r != '}' && r != ']' })
	n = len(s) - len(rest)
	return regexp.QuoteMeta(s[:n]), n, nil
}

// stateGroup matches the folder of any state, the longest first: of folders
// that begin alike the more special one counts. Each has a group of its own.
func stateGroup(f Folders) (string, []workflow.State, error) {
	type folder struct {
		state workflow.State
		text  string
	}
	var all []folder
	for _, s := range States() {
		for _, text := range f.Of(s) {
			all = append(all, folder{s, text})
		}
	}
	if len(all) == 0 {
		return "", nil, errors.New(`names {state}, but "state" has no "folders"`)
	}
	slices.SortStableFunc(all, func(a, b folder) int { return len(b.text) - len(a.text) })
	var groups []string
	var states []workflow.State
	for _, f := range all {
		re, err := folderRE(f.text)
		if err != nil {
			return "", nil, err
		}
		groups, states = append(groups, "("+re+")"), append(states, f.state)
	}
	return "(?P<state>" + strings.Join(groups, "|") + ")", states, nil
}

// folderRE is the expression for a folder of a state, which may be a glob.
func folderRE(folder string) (string, error) {
	re := ""
	if !utf8.ValidString(folder) {
		return "", errors.New(`names {state}, but a folder of "state" is no valid text`)
	}
	for folder != "" {
		out, n, err := glob(folder)
		if err != nil {
			return "", err
		}
		re += out
		folder = folder[n:]
	}
	return re, nil
}

// States are the states of a spec in the order of its life.
func States() []workflow.State {
	return []workflow.State{workflow.Proposed, workflow.Todo, workflow.Doing, workflow.Done}
}

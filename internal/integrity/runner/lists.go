package runner

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/lazyregexp"
)

// The closed lists are data: which files there are, which differences of their settings, of
// arguments and of commands are harmless. Each file in data says how it is read. A mistake in one
// shows in any test.
//
//go:embed data/*.txt
var data embed.FS

// listed are the lines of a list, without comments.
func listed(name string) []string {
	src, err := data.ReadFile("data/" + name + ".txt")
	if err != nil {
		panic(err) // it is embedded
	}
	var out []string
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// format is how a file is read; "" is not read by its name.
type format string

// fileKind is a row of the list of files.
type fileKind struct {
	format
	rules  string // the section of settings.txt
	family string
	ifRuns bool
}

// pattern is a glob of the list, with what a match begins and ends with.
type pattern struct {
	glob, prefix, suffix string
	row                  int
}

// fileList is the list of files.
type fileList struct {
	rows     []fileKind
	names    map[string]int // globs that are plain texts
	patterns []pattern
}

var files = sync.OnceValue(func() fileList {
	l := fileList{names: map[string]int{}}
	for row, line := range listed("files") {
		f := strings.Fields(line)
		family, ifRuns := strings.CutSuffix(f[2], "?")
		l.rows = append(l.rows, fileKind{format(f[0]), f[1], family, ifRuns})
		for _, g := range expand(strings.Join(f[3:], " ")) {
			first, last := strings.IndexAny(g, "*?["), strings.LastIndexAny(g, "*?]")
			if _, known := l.names[g]; first >= 0 {
				l.patterns = append(l.patterns, pattern{g, g[:first], g[last+1:], row})
			} else if !known {
				l.names[g] = row
			}
		}
	}
	return l
})

// expand makes globs without braces of a list.
func expand(globs string) (out []string) {
	for _, g := range strings.Fields(globs) {
		end := strings.IndexByte(g, '}')
		if end < 0 {
			out = append(out, g)
			continue
		}
		start := strings.LastIndexByte(g[:end], '{')
		for _, part := range strings.Split(g[start+1:end], ",") {
			out = append(out, expand(g[:start]+part+g[end+1:])...)
		}
	}
	return out
}

// kindOfFile tells how a file is read and compared by its path.
func kindOfFile(p string) fileKind {
	lower := strings.ToLower(p)
	files := files()
	base, row := path.Base(lower), len(files.rows)
	for _, name := range []string{base, lower, "/" + lower} {
		if r, ok := files.names[name]; ok {
			row = min(row, r)
		}
	}
	for _, g := range files.patterns {
		name := base
		if strings.Contains(g.glob, "/") {
			name = lower
		}
		if g.glob[0] == '/' {
			name = "/" + lower
		}
		if g.row < row && strings.HasPrefix(name, g.prefix) && strings.HasSuffix(name, g.suffix) &&
			matches(g.glob, name) {
			row = g.row
		}
	}
	if row == len(files.rows) {
		return fileKind{}
	}
	return files.rows[row]
}

// matches reports whether a path or key matches a glob.
func matches(glob, p string) bool {
	ok, err := doublestar.Match(glob, p)
	return ok && err == nil
}

// formatOf is how a file is read: "" of one that nothing is known of.
func formatOf(p string) format {
	switch f := kindOfFile(p).format; f {
	case "none", "named", "prose":
		return ""
	default:
		return f
	}
}

// Configures tells for tests of which family a file is that runs tests or
// configures what does, "*" of any, and whether it counts only if it runs tests.
func Configures(p string) (family string, ifRuns bool) {
	k := kindOfFile(p)
	return strings.TrimPrefix(k.family, "-"), k.ifRuns
}

// IsConfig reports whether a file's name is that of a runner's configuration, or of a build file or
// script that may run tests. CI workflows are not: see IsWorkflow.
func IsConfig(p string) bool { return formatOf(p) != "" && !IsWorkflow(p) }

// IsWorkflow reports whether a file is a CI pipeline by its path:
// .github/workflows/*, composite actions, .gitlab-ci.yml and the like.
func IsWorkflow(p string) bool {
	rules := kindOfFile(p).rules
	return rules == "github" || rules == "ci" || strings.EqualFold(path.Base(p), "Jenkinsfile")
}

// isDocument reports whether a file steers no tests by itself.
func isDocument(p string) bool {
	return slices.Contains([]format{"none", "prose"}, kindOfFile(p).format)
}

// IsProse reports whether a file is a text for people.
func IsProse(p string) bool { return kindOfFile(p).format == "prose" }

// hasTargets reports whether a file is one of rules for targets, of which only some may run tests.
func hasTargets(p string) bool { return kindOfFile(p).rules == "targets" }

// IsLock reports whether a file lists packages with their versions and places.
func IsLock(p string) bool { return formatOf(p) == "lock" }

// rule says which allowance holds for the settings that its key matches.
type rule struct {
	key       string // a doublestar glob over option.key
	allowance string
	arg       string // of known: the list; of args: whose command line it is
	defaults  []string
}

var ruleLists = sync.OnceValue(func() map[string][]rule {
	out := map[string][]rule{}
	section, prefix := "", ""
	for _, line := range listed("settings") {
		head, defaults, _ := strings.Cut(line, " = ")
		words := strings.Fields(head)
		switch {
		case line[0] == '[':
			section, prefix = strings.Trim(line, "[]"), ""
		case words[0] == "in":
			prefix = strings.TrimPrefix(line[2:], " ")
		case words[0] == "as":
			for _, r := range out[words[1]] {
				r.key = words[2] + r.key
				out[section] = append(out[section], r)
			}
		default:
			name, arg, _ := strings.Cut(words[0], ":")
			for _, k := range words[1:] {
				out[section] = append(out[section],
					rule{prefix + k, name, arg, strings.Fields(defaults)})
			}
		}
	}
	return out
})

// rulesOf are the rules for the settings of a file.
func rulesOf(p string) []rule { return ruleLists()[kindOfFile(p).rules] }

// ruleFor is the first rule about a key.
func ruleFor(rules []rule, key string) (rule, bool) {
	for _, r := range rules {
		if matches(r.key, key) {
			return r, true
		}
	}
	return rule{}, false
}

// patterns are regular expressions for whole texts, by the name of their list. Lines of one name
// are alternatives.
func patterns(file string) map[string]*lazyregexp.Regexp {
	texts := map[string][]string{}
	for _, line := range listed(file) {
		name, text, _ := strings.Cut(line, "\t")
		texts[name] = append(texts[name], text)
	}
	out := map[string]*lazyregexp.Regexp{}
	for name, list := range texts {
		out[name] = lazyregexp.New(`^(?:` + strings.Join(list, "|") + `)$`)
	}
	return out
}

// expression is a regular expression of the list of those.
func expression(name string) *lazyregexp.Regexp {
	for _, line := range listed("expressions") {
		if text, ok := strings.CutPrefix(line, name+"\t"); ok {
			return lazyregexp.New(text)
		}
	}
	panic("no expression " + name) // they are embedded
}

var knownValues = patterns("values")

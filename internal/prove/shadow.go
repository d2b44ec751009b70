package prove

import (
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
)

// shadows lists the new sources that bear the name of a module of the standard library, or of a
// declared dependency, where the interpreter finds them first. They stay: whether the code needs
// them is a question.
func (l *layouter) shadows() []string {
	var out []string
	declared := map[string]bool{}
	for _, p := range slices.Sorted(maps.Keys(l.head)) {
		if _, old := l.base[p]; old || l.kindOf(p) != code {
			continue
		}
		language := conventions.Language(p)
		if libraries()[language] == nil {
			continue
		}
		if len(declared) == 0 {
			declared = l.dependencies()
		}
		for _, root := range searched {
			rest, ok := strings.CutPrefix(p, root)
			module, _, _ := strings.Cut(strings.TrimSuffix(rest, path.Ext(rest)), "/")
			if ok && (libraries()[language][module] || declared[language+" "+normal(module)]) && !l.hadModule(root+module) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// hadModule reports whether the merge base has a module of that name already.
func (l *layouter) hadModule(module string) bool {
	for p := range l.base {
		if strings.HasPrefix(p, module+"/") || strings.HasPrefix(p, module+".") && !strings.Contains(p[len(module):], "/") {
			return true
		}
	}
	return false
}

// Names of packages as files declare them: a requirement at the start of a line or string, a gem.
var (
	requirement = lazyregexp.New(`(?m)^\s*["']?([A-Za-z][\w.-]*)\s*(?:["']|[=<>!~;\[,]|$)`)
	gem         = lazyregexp.New(`(?m)^\s*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[\s(]+["']([\w-]+)["']`)
	quoted      = lazyregexp.New(`["']([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[=<>!~;][^"']*)?["']`)
)

// dependencies are the packages that the merge base declares, each after its language.
func (l *layouter) dependencies() map[string]bool {
	out := map[string]bool{"": true} // it was looked for
	for p, e := range l.base {
		language, expressions := "", []*lazyregexp.Regexp(nil)
		switch name := strings.ToLower(path.Base(p)); {
		case strings.Contains(name, "requirements") && path.Ext(name) == ".txt", name == "setup.cfg":
			language, expressions = "Python", []*lazyregexp.Regexp{requirement}
		case name == "pyproject.toml", name == "setup.py":
			language, expressions = "Python", []*lazyregexp.Regexp{quoted}
		case name == "gemfile", name == "gems.rb", path.Ext(name) == ".gemspec":
			language, expressions = "Ruby", []*lazyregexp.Regexp{gem}
		}
		if language == "" || !isRegular(e.Mode) {
			continue
		}
		src, err := l.Content(e.Blob)
		if err != nil {
			continue
		}
		for _, re := range expressions {
			for _, m := range re.FindAllSubmatch(src, -1) {
				out[language+" "+normal(string(m[1]))] = true
			}
		}
	}
	return out
}

// normal is a package's name as a module's.
func normal(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

package prove

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

// shadows lists the sources that may run in the place of what tests mean: those that the command
// names; new ones with the name of a module of the standard library, or of a declared dependency,
// or of another module, where the interpreter finds them first; and those that declare beside tests
// what the language or a framework provides. They stay where code or an approved test asks for
// them: whether the code needs them is a question.
func (l *layouter) shadows() []string {
	var out []string
	declared := map[string]bool{}
	for _, p := range slices.Sorted(maps.Keys(l.head)) {
		language := conventions.Language(p)
		if l.base[p].Blob == l.head[p].Blob || l.kindOf(p) != code {
			continue
		}
		if l.named[p] || l.standsBefore(p) {
			out = append(out, p)
			continue
		}
		if libraries()[language] == nil {
			continue
		}
		if imports := asking[language] != nil; !imports {
			if l.redeclares(p, language) {
				out = append(out, p)
			}
			continue
		}
		if _, old := l.base[p]; old {
			continue
		}
		if len(declared) == 0 {
			declared = l.dependencies()
		}
		for _, root := range runner.SourceRoots() {
			rest, ok := strings.CutPrefix(p, root)
			module, _, _ := strings.Cut(strings.TrimSuffix(rest, path.Ext(rest)), "/")
			if ok && !l.hadModule(root+module) &&
				(libraries()[language][module] || declared[language+" "+normal(module)] ||
					l.hidden(root, module)) {
				if libraries()[language][module] && !l.asked(language, module) {
					l.unasked[p] = true
					break
				}
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// standsBefore reports whether a new script has the name of one of the merge base's up to the
// extension: which of the two a module's name means is up to who loads it.
func (l *layouter) standsBefore(p string) bool {
	if _, old := l.base[p]; old || conventions.Family(p) != "script" {
		return false
	}
	stem := strings.TrimSuffix(p, path.Ext(p))
	return slices.ContainsFunc(conventions.ScriptExtensions(), func(ext string) bool {
		_, old := l.base[stem+ext]
		_, stays := l.head[stem+ext]
		return old && stays
	})
}

// redeclares reports whether a source declares a name that its language or a test framework
// provides, and did not on the merge base.
func (l *layouter) redeclares(p, language string) bool {
	had := l.declares(p, l.base[p])
	return slices.ContainsFunc(l.declares(p, l.head[p]), func(name string) bool {
		return libraries()[language][name] && !slices.Contains(had, name)
	})
}

// declares are the names that a source declares for its package; none of one that cannot be read.
func (l *layouter) declares(p string, e change.Entry) (out []string) {
	language, ok := syntax.LanguageOf(p)
	if !ok || !change.IsFile(e.Mode) {
		return nil
	}
	src, err := l.Content(e.Blob)
	if err != nil {
		return nil
	}
	tree, err := syntax.Parse(l.ctx, language, src)
	if err != nil {
		return nil
	}
	for m := range query.For(language, "declares").Matches(tree.Root()) {
		if name := m.Node("name"); name.Up("block", "class_body").IsZero() {
			out = append(out, name.Text())
		}
	}
	return out
}

// hidden reports whether the merge base has a module of that name in another of the folders.
func (l *layouter) hidden(root, module string) bool {
	return slices.ContainsFunc(
		runner.SourceRoots(),
		func(other string) bool { return other != root && l.hadModule(other+module) },
	)
}

// hadModule reports whether the merge base has a module of that name already.
func (l *layouter) hadModule(module string) bool {
	for p := range l.base {
		if strings.HasPrefix(p, module+"/") ||
			strings.HasPrefix(p, module+".") && !strings.Contains(p[len(module):], "/") {
			return true
		}
	}
	return false
}

// Names of packages as files declare them: a requirement at the start of a line or string, a gem.
var (
	requirement = lazyregexp.New(`(?m)^\s*["']?([A-Za-z][\w.-]*)\s*(?:["']|[=<>!~;\[,]|$)`)
	gem         = lazyregexp.New(
		`(?m)^\s*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[\s(]+["']([\w-]+)["']`,
	)
	quoted = lazyregexp.New(
		`["']([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[=<>!~;][^"']*)?["']`,
	)
)

// dependencies are the packages that the merge base declares, each after its language and a blank.
// The head's own declarations do not count: it could name what it brings.
func (l *layouter) dependencies() map[string]bool {
	out := map[string]bool{"": true} // it was looked for
	for p, e := range l.base {
		language, expressions := "", []*lazyregexp.Regexp(nil)
		switch name := strings.ToLower(path.Base(p)); {
		case strings.Contains(name, "requirements") && path.Ext(name) == ".txt",
			name == "setup.cfg":
			language, expressions = "Python", []*lazyregexp.Regexp{requirement}
		case name == "pyproject.toml", name == "setup.py":
			language, expressions = "Python", []*lazyregexp.Regexp{quoted}
		case name == "gemfile", name == "gems.rb", path.Ext(name) == ".gemspec":
			language, expressions = "Ruby", []*lazyregexp.Regexp{gem}
		}
		if language == "" || !change.IsFile(e.Mode) {
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

// normal is a package's name as a module's, as far as the two are related: many packages have
// modules of other names, which nobody can tell from a manifest.
func normal(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

// asking are the statements by which sources ask for modules, by language.
var asking = map[string]*lazyregexp.Regexp{
	"Python": lazyregexp.New(`(?m)^[ \t]*(?:from|import)[ \t]+([^#\n]+)`),
	"Ruby":   lazyregexp.New(`(?m)^[ \t]*(?:require|load|autoload)\b([^#\n]+)`),
}

// askedFor are the words of the statements by which files of a language ask for modules. blobs are
// the files' by their paths; one that cannot be read asks for none.
func (l *layouter) askedFor(language string, blobs map[string]string) map[string]bool {
	out := map[string]bool{}
	between := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for p, blob := range blobs {
		if conventions.Language(p) != language {
			continue
		}
		src, err := l.Content(blob)
		if err != nil {
			continue
		}
		for _, m := range asking[language].FindAllSubmatch(src, -1) {
			for _, word := range strings.FieldsFunc(string(m[1]), between) {
				out[word] = true
			}
		}
	}
	return out
}

// asked reports whether code of the head, or an approved file, asks for a module of a language.
func (l *layouter) asked(language, module string) bool {
	blobs := map[string]string{}
	for p, e := range l.head {
		if change.IsFile(e.Mode) && l.kindOf(p) == code {
			blobs[p] = e.Blob
		}
	}
	for _, f := range l.Approved {
		blobs[f.Path] = f.Blob
	}
	return l.askedFor(language, blobs)[module]
}

package ticks

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// index finds what tasks name among the files of the head, and those that the change takes away.
type index struct {
	s          *check.Subject
	paths      []string
	byBase     map[string][]string // by their names without extension
	extensions map[string]bool
	known      map[string]bool // answers of defines
	read       int64
	ids        []requirements.Requirement // criteria that have ids of their own
	cited      []bool                     // of each, once it was asked for
}

func newIndex(s *check.Subject) (*index, error) {
	x := &index{
		s:          s,
		byBase:     map[string][]string{},
		extensions: map[string]bool{},
		known:      map[string]bool{},
	}
	list, _ := criteria(s)
	x.ids = slices.DeleteFunc(list, func(r requirements.Requirement) bool {
		return r.Kind != requirements.Identified || strings.IndexFunc(r.ID, unicode.IsLetter) != 0
	})
	entries, err := s.Set.HeadTree.List("")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		x.add(e.Path)
	}
	for _, f := range s.Set.Files {
		if f.Status == change.Deleted {
			x.add(f.Path)
		}
		if f.OldPath != "" {
			x.add(f.OldPath)
		}
	}
	return x, nil
}

func (x *index) add(p string) {
	x.paths = append(x.paths, p)
	x.byBase[bare(p)] = append(x.byBase[bare(p)], p)
	x.extensions[path.Ext(p)] = true
}

// bare is a file's name without its extension.
func bare(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

var (
	codeSpan = lazyregexp.New("`([^`\n]+)`")
	place    = lazyregexp.New(`(?:[:#]L?\d.*|::.*)$`) // of a line or a member in a file
	pathLike = lazyregexp.New(`^[\w@.()\[\]$+~*-]+(?:/[\w@.()\[\]$+~*-]+)*$`)
	function = lazyregexp.New(
		`^(?:[A-Za-z_$][\w$]*(?:\.|::|#))*(?:[A-Za-z_$][\w$]*\([\w$,.:\s]*\)|[Tt]est_?[A-Z0-9a-z_]{3,})$`,
	)
	lastName  = lazyregexp.New(`[A-Za-z_$][\w$]*$`)
	extension = lazyregexp.New(`^\.[A-Za-z][A-Za-z0-9]{0,9}$`)
	product   = lazyregexp.New(`^\p{Lu}\w*\.js$`)
	arguments = lazyregexp.New(`\(.*$`)
	unfilled  = lazyregexp.New(
		`\[[^\]]*\]|<[^>]*>|\{[^}]*\}|\$\{[^}]*\}`,
	) // a place in a name that stands for any text
)

// missing are the names in a task of which none is there; nil where one is, or the task names
// nothing. Paths count before functions: a file that is called for is not made up for by a name.
func (x *index) missing(task string) []string {
	paths, symbols := x.names(task)
	names, holds := paths, x.exists
	if len(paths) == 0 {
		names, holds = symbols, x.defines
	}
	var out []string
	for _, name := range names {
		if holds(name) {
			return nil
		}
		out = append(out, "`"+name+"`")
	}
	return out[:min(len(out), 3)]
}

// unmet says of a task that is ticked what is not there, "" if all is.
func (x *index) unmet(task string) string {
	if missing := x.missing(task); len(missing) > 0 {
		return strings.Join(missing, " and ") + " is not there"
	}
	if paths, symbols := x.names(task); len(paths)+len(symbols) > 0 {
		return ""
	}
	text := unfilled.ReplaceAllString(task, "") // without labels, as [US1]
	var ids []string
	for i, named := range requirements.Traces(x.ids, []requirements.Source{{Text: []byte(text)}}) {
		switch {
		case len(named.Code) == 0:
		case x.isCited(i):
			return ""
		default:
			ids = append(ids, "`"+x.ids[i].ID+"`")
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return "no source names " + strings.Join(ids[:min(len(ids), 3)], " or ")
}

// isCited reports whether a source of the head names a criterion.
func (x *index) isCited(i int) bool {
	if x.cited != nil {
		return x.cited[i]
	}
	x.cited = make([]bool, len(x.ids))
	read := 0
	for _, p := range x.paths {
		if conventions.Language(p) == "" {
			continue
		}
		text, _ := x.s.Read(p)
		source := requirements.Source{Path: p, Text: text, Test: x.s.IsTest(p)}
		read += len(text)
		for at, trace := range requirements.Traces(x.ids, []requirements.Source{source}) {
			x.cited[at] = x.cited[at] || read > maxRead || len(trace.Code)+len(trace.Tests) > 0
		}
		if read > maxRead {
			break
		}
	}
	return x.cited[i]
}

// ticked are the tasks of a document whose ticks count. Of those that were ticked before the change
// only the ones that name files do, if it is known which files were there in the meantime.
func (x *index) ticked(c workflow.Claim, text string) []layout.Task {
	news := layout.TickedOff(before(x.s, c), text)
	if !c.All || c.Before == "" {
		return news
	}
	all := slices.DeleteFunc(layout.TickedOff("", text), func(t layout.Task) bool {
		paths, _ := x.names(t.Text)
		return len(paths) == 0 && !slices.Contains(news, t)
	})
	isMissing := func(t layout.Task) bool { return len(x.missing(t.Text)) > 0 }
	if !slices.ContainsFunc(all, isMissing) {
		return all
	}
	if x.s.Former == nil {
		return news
	}
	former, err := x.s.Former(x.s.Context(), c.Before)
	if err != nil {
		return news
	}
	for _, p := range former {
		if !slices.Contains(x.byBase[bare(p)], p) {
			x.add(p)
		}
	}
	return all
}

// names are the paths and the functions that a task names.
func (x *index) names(task string) (paths, symbols []string) {
	rest := codeSpan.ReplaceAllStringFunc(task, func(span string) string {
		switch word := strings.Trim(span, "` "); {
		case x.isPath(word, true):
			paths = append(paths, word)
		case function.MatchString(word):
			symbols = append(symbols, word)
		}
		return " "
	})
	for _, word := range strings.Fields(rest) {
		if word = strings.Trim(word, `.,;:"'()<>*→`); strings.HasPrefix(word, "[") {
			word = strings.Trim(word, "[]") // a reference, as [src/a.py:12]
		}
		if x.isPath(word, false) {
			paths = append(paths, word)
		}
	}
	return paths, symbols
}

// isPath reports whether a word names a file that is kept: one with a folder, and with an extension
// that files of the project have or that is a language's. In a code span any extension will do, and
// a name without a folder, unless it is that of a product, as Node.js, of a text for people, or
// nothing but extensions.
func (x *index) isPath(word string, code bool) bool {
	p := place.ReplaceAllString(strings.TrimPrefix(word, "./"), "")
	ext := path.Ext(p)
	form := extension.MatchString(ext) && ext != p && pathLike.MatchString(p)
	if !form || strings.Contains(word, "://") || strings.HasPrefix(word, "/") ||
		strings.Contains(path.Dir(p), "@") {
		return false
	}
	isKnown := x.extensions[ext] || conventions.Language(p) != ""
	switch {
	case detect.Foreign(p) != "":
		return false
	case strings.Contains(p, "/"):
		return isKnown || code
	case len(x.byBase[bare(p)]) > 0:
		return code && isKnown
	default:
		return code && isKnown && !product.MatchString(p) && !check.Report(p) &&
			!strings.HasPrefix(p, ".")
	}
}

// exists reports whether a file of the name is there: below any folder, and written in whatever
// language.
func (x *index) exists(word string) bool {
	p := path.Clean(place.ReplaceAllString(word, ""))
	if open := unfilled.ReplaceAllString(p, "*"); strings.Contains(open, "*") &&
		len(x.byBase[bare(p)]) == 0 {
		p = open
	}
	if strings.Contains(p, "*") {
		for _, have := range x.paths {
			if glob.Match(p, have) || glob.Match("**/"+p, have) {
				return true
			}
		}
		return false
	}
	stem := strings.TrimSuffix(p, path.Ext(p))
	for _, have := range x.byBase[bare(p)] {
		if path.Ext(have) != path.Ext(p) && (!isCode(have) || !isCode(p)) {
			continue
		}
		other := strings.TrimSuffix(have, path.Ext(have))
		if other == stem || strings.HasSuffix(other, "/"+stem) ||
			strings.Contains(other, "/") && strings.HasSuffix(stem, "/"+other) {
			return true
		}
	}
	return false
}

func isCode(p string) bool {
	_, known := syntax.LanguageOf(p)
	return known
}

// maxRead is how much of the head is searched for functions, and for ids, in one run, in bytes;
// past that none is missing.
const maxRead = 32 << 20

// defines reports whether a source of the head has the last part of a name as a word: a changed
// one, else any.
func (x *index) defines(name string) bool {
	word := lastName.FindString(arguments.ReplaceAllString(name, ""))
	if known, ok := x.known[word]; ok {
		return known
	}
	re := regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`)
	has := func(p string) bool {
		if conventions.Language(p) == "" {
			return false
		}
		data, ok := x.s.Read(p)
		x.read += int64(len(data))
		return ok && bytes.Contains(data, []byte(word)) && re.Match(data)
	}
	found := x.read > maxRead
	for _, f := range x.s.Set.Files {
		found = found || f.Status != change.Deleted && has(f.Path)
	}
	for i := 0; i < len(x.paths) && !found; i++ {
		found = x.read > maxRead || has(x.paths[i])
	}
	x.known[word] = found
	return found
}

// before is a document as it was in the merge base, "" if it is new.
func before(s *check.Subject, c workflow.Claim) string {
	if c.Before == "" || s.Set.MergeBaseTree == nil {
		return ""
	}
	data, _ := s.Set.MergeBaseTree.ReadFile(c.Before) // what cannot be read says nothing
	return string(data)
}

// criteria are those of the feature's spec, and how many are left out.
func criteria(s *check.Subject) ([]requirements.Requirement, int) {
	data, _ := s.Read(s.Artifact.SpecPath) // without a spec there are none
	return requirements.FromMarkdown(s.Artifact.SpecPath, data)
}

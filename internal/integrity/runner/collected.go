package runner

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
)

// Collection tells whether the runner of a test that moved finds it where it is now. It does not know what each
// setting of each runner means: it demands that nothing in the configuration tells the new place from the old
// one. It is safe for concurrent use.
type Collection struct{ was, is side }

// side is one of two trees, with the configuration files of each folder.
type side struct {
	tree    change.Tree
	folders func() map[string][]change.Entry
}

// NewCollection is for tests that moved between two trees.
func NewCollection(was, is change.Tree) Collection { return Collection{sideOf(was), sideOf(is)} }

func sideOf(tree change.Tree) side {
	return side{tree, sync.OnceValue(func() map[string][]change.Entry {
		out := map[string][]change.Entry{}
		entries, err := tree.List("")
		if err != nil {
			return nil
		}
		for _, e := range entries {
			f, rules := formatOf(e.Path), kindOfFile(e.Path).rules
			if (collects(f) || f == "blocks" || Autoloaded(e.Path)) && rules != "requirements" && rules != "versions" && e.Size <= maxFile {
				out[path.Dir(e.Path)] = append(out[path.Dir(e.Path)], e)
			}
		}
		return out
	})}
}

// collects reports whether files of a format can say what is collected.
func collects(f format) bool {
	return slices.Contains([]format{"ini", "toml", "package", "json", "script", "yaml", "xml", "lines"}, f)
}

// unlike are the files that one list has and the other lacks, those beside a test by their names and contents.
func unlike(list, other []change.Entry, p string) (out []string) {
	for _, e := range list {
		switch {
		case slices.ContainsFunc(other, func(o change.Entry) bool { return o.Path == e.Path }):
		case path.Dir(e.Path) == path.Dir(p):
			out = append(out, path.Base(e.Path)+" "+e.Blob)
		default:
			out = append(out, e.Path)
		}
	}
	return out
}

// autoloaded are the files in the folders above a path that runners load by themselves, but for Go's, which are tests.
func (s side) autoloaded(p string) (out []change.Entry) {
	for dir := range conventions.Above(p) {
		for _, e := range s.folders()[dir] {
			if Autoloaded(e.Path) && !strings.HasSuffix(e.Path, ".go") {
				out = append(out, e)
			}
		}
	}
	return out
}

// sameLoaded reports whether runners load for a test what they loaded for it
// elsewhere. A new __init__.py is judged as what it adds.
func (c Collection) sameLoaded(from, to string) bool {
	was, is := c.was.autoloaded(from), slices.DeleteFunc(c.is.autoloaded(to), func(e change.Entry) bool {
		return path.Base(e.Path) == "__init__.py" && !slices.ContainsFunc(c.was.folders()[path.Dir(e.Path)],
			func(b change.Entry) bool { return b.Path == e.Path })
	})
	return slices.Equal(unlike(is, was, to), unlike(was, is, from))
}

// above are the configuration files in the folders above a path.
func (s side) above(p string) (out []string) {
	for dir := range conventions.Above(p) {
		for _, e := range s.folders()[dir] {
			if f := formatOf(e.Path); collects(f) || f == "blocks" {
				out = append(out, e.Path)
			}
		}
	}
	return out
}

// Moved reports whether what collects a test at one path of the old tree collects it at another of the new one.
// The names that runners take by default must say the same of both, and so must each setting of the files above
// them: those of the head alone, or each together with what it was.
func (c Collection) Moved(ctx context.Context, from, to string) bool {
	above := c.is.above(to)
	if c.is.folders() == nil || !sameDefaults(from, to) || !slices.Equal(above, c.was.above(from)) ||
		!c.sameLoaded(from, to) {
		return false
	}
	var all criteria
	for _, p := range above {
		is, err := c.is.criteria(ctx, p)
		if err != nil {
			return false
		}
		all = append(all, is...)
		if is.same(is, from, to) {
			continue
		}
		if was, err := c.was.criteria(ctx, p); err != nil || !was.same(is, from, to) {
			return false
		}
	}
	return path.Dir(from) == path.Dir(to) || !all.flat()
}

// defaults are what runners take or leave out without being told, by family.
var defaults = func() map[string][]*lazyregexp.Regexp {
	out := map[string][]*lazyregexp.Regexp{}
	for _, line := range listed("collected") {
		family, text, _ := strings.Cut(line, "\t")
		out[family] = append(out[family], lazyregexp.New(text))
	}
	return out
}()

var installed = lazyregexp.New(`(?:^|/)(?:node_modules|vendor|\.venv)/`)

func sameDefaults(from, to string) bool {
	family := conventions.Family(from)
	if family != conventions.Family(to) || path.Ext(from) != path.Ext(to) || conventions.Language(from) == "" || installed.MatchString(to) {
		return false
	}
	for _, re := range defaults[family] {
		a, b := re.FindString(from), re.FindString(to)
		if (a == "") != (b == "") || strings.HasPrefix(re.String(), "^") && a != b {
			return false
		}
	}
	if family == "script" && !defaults[family][0].MatchString(to) { // its folder says that it is a test
		return path.Dir(from) == path.Dir(to)
	}
	return true
}

// criterion is a value of the configuration that may be a path or a pattern.
type criterion struct {
	key, text string
	dir       string // of the file
	regex     *regexp.Regexp
}

type criteria []criterion

// criteria are all values of a file that are not free to differ, as a whole and
// word by word. One that may be a pattern and cannot be read is an error.
func (s side) criteria(ctx context.Context, p string) (criteria, error) {
	src, err := s.tree.ReadFile(p)
	if err != nil {
		return nil, err
	}
	o, err := readOptions(ctx, formatOf(p), p, src)
	if err != nil {
		return nil, err
	}
	var out criteria
	for _, x := range o {
		if r, ok := ruleFor(rulesOf(p), x.key); ok && r.allowance == "free" {
			continue
		}
		for _, v := range x.values {
			one := criterion{key: x.key, text: plainPattern(v.text), dir: path.Dir(p)}
			if mayBeRegex.MatchString(x.key) {
				if one.regex, err = regexp.Compile(strings.ReplaceAll(strings.ReplaceAll(v.text, "<rootDir>", "^"), `\/`,
					`/`)); err != nil {
					return nil, err
				}
			}
			out = append(out, one)
			for _, w := range strings.FieldsFunc(v.text, func(r rune) bool { return strings.ContainsRune(" \t\n,;=\"'`()[]", r) }) {
				out = append(out, criterion{key: x.key, text: plainPattern(w), dir: path.Dir(p)})
			}
		}
	}
	return out, nil
}

// mayBeRegex are keys of settings whose values may be regular expressions.
var mayBeRegex = lazyregexp.New(`regex|pattern|ignore|match`)

// extended are groups of JavaScript's globs: ?(a|b), +(a|b), *(a|b), @(a|b).
var extended = lazyregexp.New(`([?+*@])\(([^()]*)\)`)

// plainPattern is a path or glob as it is written, below the root.
func plainPattern(g string) string {
	g = strings.ReplaceAll(strings.Trim(g, `"'`), `\`, "/")
	g = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(g, "!"), "<rootDir>"), "/")
	return extended.ReplaceAllStringFunc(strings.TrimSuffix(strings.TrimPrefix(g, "./"), "/"), func(m string) string {
		inner := strings.ReplaceAll(m[2:len(m)-1], "|", ",")
		if m[0] == '?' || m[0] == '*' {
			inner = "," + inner
		}
		return "{" + inner + "}"
	})
}

// same reports whether each criterion says of one path what its counterpart says of another.
func (s criteria) same(now criteria, from, to string) bool {
	return slices.EqualFunc(s, now, func(a, b criterion) bool { return a.key == b.key && a.says(from) == b.says(to) })
}

// flat reports whether they are those of Mocha, which by default looks into no folder below that of the tests.
func (s criteria) flat() bool {
	has := func(text string) bool {
		return slices.ContainsFunc(s, func(t criterion) bool { return strings.Contains(t.text, text) })
	}
	return has("mocha") && !has("**") && !has("recursive")
}

// says is what a criterion matches of a path: the path, one of the folders above
// it, a name in it, or as a regular expression.
func (t criterion) says(p string) (out [4]bool) {
	rel := under(t.dir, p)
	for dir := range conventions.Above(p + "/x") {
		out[0] = out[0] || matches(t.text, dir) || matches(t.text, under(t.dir, dir))
		out[1] = out[1] || matches(t.text, path.Base(dir))
	}
	out[2] = matches(t.text, rel)
	out[3] = t.regex != nil && t.regex.MatchString("/"+rel)
	return out
}

// under is a path relative to a folder above it.
func under(dir, p string) string {
	if dir == "." || dir == "" {
		return p
	}
	return strings.TrimPrefix(p, dir+"/")
}

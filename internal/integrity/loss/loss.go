// Package loss finds what a change takes away from tests that nobody approved: tests that are
// removed or skipped, and assertions that are removed or weakened. What stands elsewhere, has
// something new in its place, or is about what is gone, is no loss. Nothing else is looked for: of
// what was told before, six of seven findings were wrong.
package loss

import (
	"context"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// File is a file of tests in two versions, nil where it is not there. A moved one has both paths.
type File struct {
	Path, Now     string
	Before, After []byte
}

// most bounds what is told of one file.
const most = 20

// told are the kinds of findings that are losses.
var told = []violation.Kind{
	violation.TestDeleted, violation.TestUncollected, violation.TestSkipped, violation.TestFocused,
	violation.AssertionRemoved,
	violation.AssertionWeakened, violation.HelperWeakened,
}

// Find lists losses by file and line. isGone reports whether a text speaks of what the change takes
// away itself.
func Find(ctx context.Context, files []File,
	isGone func(text string) bool,
) (out []workflow.Finding, err error) {
	f := &finder{isGone: isGone}
	found := make([][]lost, len(files))
	for i, file := range files {
		found[i] = f.read(ctx, file)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	for i, file := range files {
		n := len(out)
		for _, l := range found[i] {
			if len(out)-n < most && !slices.Contains(out[n:], l.Finding) && f.isLoss(l, file) {
				out = append(out, l.Finding)
			}
		}
	}
	return out, nil
}

// finder holds what the change adds to tests.
type finder struct {
	isGone func(string) bool
	added  []map[string]int // words that a unit has more than before
	values map[string]bool  // literals among them
	fresh  []fresh
}

// fresh is a test that a file has and did not have.
type fresh struct {
	file  string
	isNew bool // the file
	taken bool
}

// lost is what a test may have lost.
type lost struct {
	testdiff.Described
	text     string // what is gone
	old, now string // the unit, in normal form
}

// read notes what a file has more, and finds what it has less. What cannot be parsed whole has
// neither.
func (f *finder) read(ctx context.Context, file File) (out []lost) {
	var old, now *kernel.Tree
	var found []testdiff.Described
	pair := testdiff.Pair{
		Path:      file.Path,
		AfterPath: file.Now,
		Before:    file.Before,
		After:     file.After,
	}
	before, was := parse(ctx, file.Path, file.Before)
	after, is := parse(ctx, file.Now, file.After)
	switch {
	case !was || !is:
		return nil
	case before == nil:
		now = kernel.Read(after)
	case after == nil:
		old = kernel.Read(before)
		found = testdiff.Gone(pair, old)
	default:
		r := kernel.Compare(before, after, kernel.Options{Path: file.Path})
		old, now, found = r.Old, r.New, testdiff.Describe(pair, r)
	}
	olds, nows := units(old), units(now)
	for name, u := range nows {
		was, known := olds[name]
		if !known && u.Role == kernel.Test {
			f.fresh = append(f.fresh, fresh{file: file.Now, isNew: before == nil})
		}
		f.note(u.Node.Normalized(), was.Node.Normalized())
	}
	for _, d := range found {
		renamed := d.Kind == string(violation.TestUncollected) && d.New != nil &&
			now.Collected(d.New.Up)
		if d.Category == violation.Modification && d.New == nil &&
			assertion.MatchString(d.Old.Normalized()) {
			d.Finding = testdiff.AssertionRemoved(
				d,
			) // of a library that the catalogue does not know
		}
		if slices.Contains(told, violation.Kind(d.Kind)) && !renamed {
			l := lost{
				Described: d,
				text:      d.Old.Normalized(),
				old:       d.Unit.Node.Normalized(),
				now:       nows[d.Unit.Name].Node.Normalized(),
			}
			if l.Kind == string(violation.TestDeleted) {
				l.text = l.old
			}
			out = append(out, l)
		}
	}
	return out
}

// parse parses a source; ok is false of one that cannot be parsed whole.
func parse(ctx context.Context, path string, src []byte) (tree *syntax.Tree, ok bool) {
	language, ok := syntax.LanguageOf(path)
	if ok = ok && kernel.Reads(language); !ok || src == nil {
		return nil, ok
	}
	tree, err := syntax.Parse(ctx, language, src)
	return tree, err == nil && !tree.HasError()
}

// units are those of a file by name.
func units(t *kernel.Tree) map[string]kernel.Unit {
	out := map[string]kernel.Unit{}
	if t == nil {
		return out
	}
	t.Root.Walk(func(n *kernel.Node) bool {
		if u, ok := t.Unit(n); ok && out[u.Name].Node == nil {
			out[u.Name] = u
		}
		return true
	})
	return out
}

// note takes what a unit has more than before.
func (f *finder) note(now, was string) {
	left, more := words(was), map[string]int{}
	for w, n := range words(now) {
		if n > left[w] {
			more[w] = n - left[w]
		}
	}
	f.added = append(f.added, more)
	if f.values == nil {
		f.values = map[string]bool{}
	}
	had := literals(was)
	for _, l := range literals(now) {
		f.values[l] = f.values[l] || !slices.Contains(had, l)
	}
}

// isLoss reports whether a finding is a loss that has nothing in its place.
func (f *finder) isLoss(l lost, file File) bool {
	switch violation.Kind(l.Kind) {
	case violation.TestUncollected, violation.TestFocused:
		return true
	case violation.TestSkipped:
		return l.Unit.Role != kernel.Module && head(l.New) != head(l.Old) && !onCondition(l)
	case violation.TestDeleted:
		return asserting.MatchString(l.text) && !f.isGone(l.text) && !f.moved(l.text) &&
			!f.replaced(file)
	case violation.AssertionWeakened:
		return l.New != nil && l.Old != nil && !saysMore(l.now, l.old+" "+l.New.Normalized()) &&
			!restates(l.New.Normalized(), l.text)
	default:
		return !saysMore(l.now, l.old) && !f.isGone(l.text) && !f.moved(l.text)
	}
}

// onCondition reports whether what skips a test does so under a condition.
func onCondition(l lost) bool {
	for at := l.New.Up; at != nil && at != l.Unit.Node; at = at.Up {
		if branch.MatchString(at.Kind) {
			return true
		}
	}
	return conditional.MatchString(head(l.New))
}

// head is the name of a call or mark.
func head(n *kernel.Node) string {
	name, _, _ := strings.Cut(n.Normalized(), "(")
	return name
}

var (
	// conditional is the name of what skips under a condition, branch the kind of a node whose body
	// need not run once.
	conditional = lazyregexp.New(`(?i)if\b|[a-z]if|if[A-Z_]|unless|importor|cfg`)
	branch      = lazyregexp.New(`^(?:if|unless|try|for|switch|case|when|rescue|catch|except)`)
)

// replaced takes a new test of the file, or of a new file in its folder, for one that is lost.
func (f *finder) replaced(file File) bool {
	folder := file.Path[:strings.LastIndexByte(file.Path, '/')+1]
	i := slices.IndexFunc(f.fresh, func(n fresh) bool {
		return !n.taken && (n.file == file.Now || n.isNew && strings.HasPrefix(n.file, folder))
	})
	if i >= 0 {
		f.fresh[i].taken = true
	}
	return i >= 0
}

// moved reports whether most of a text's words came to one unit, or most of its literals to any: it
// is asked for there.
func (f *finder) moved(text string) bool {
	const least = 8 // characters: a few digits stand anywhere
	there, all := 0, 0
	for _, l := range literals(text) {
		if all += len(l); f.values[l] {
			there += len(l)
		}
	}
	of := words(text)
	return there >= least && 3*there >= 2*all ||
		slices.ContainsFunc(f.added, func(more map[string]int) bool {
			there, all := 0, 0
			for w, n := range of {
				there, all = there+min(n, more[w]), all+n
			}
			return 5*there >= 4*all
		})
}

// restates reports whether a text names all that another does in literals, and has other words
// besides one name: it says the same in another form.
func restates(text, other string) bool {
	left, all := literals(text), literals(other)
	for _, l := range all {
		i := slices.Index(left, l)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	changed, is, was := 0, words(text), words(other)
	for _, w := range word.FindAllString(text+" "+other, -1) {
		changed += max(is[w]-was[w], was[w]-is[w])
		is[w] = was[w]
	}
	return len(all) > 0 && changed > 2 // another name in the place of one
}

// saysMore reports whether a text has words that another has not, or not so often.
func saysMore(text, than string) bool {
	left := words(than)
	for w, n := range words(text) {
		if n > left[w] && w != "pass" {
			return true
		}
	}
	return false
}

// words counts names and numbers.
func words(text string) map[string]int {
	out := map[string]int{}
	for _, w := range word.FindAllString(text, -1) {
		out[w]++
	}
	return out
}

// literals are the texts and numbers in a text.
func literals(text string) []string { return literal.FindAllString(text, -1) }

var (
	// assertion is a statement that fails a test by itself, whatever its library.
	assertion = lazyregexp.New(
		`(?:^|\W)(?:[aA]ssert|[eE]xpect|[vV]erify|[sS]hould|[mM]ust|[rR]efute|require|and[eE]xpect|is_expected)` +
			`(?:[A-Z_]\w*)?(?: ?[!.({]| \w)`,
	)
	// asserting is what a test that fails by itself has.
	asserting = lazyregexp.New(
		`(?i)assert|expect|should|must|verify|check|require|raise|panic|\bt \. (?:error|fatal|fail)`,
	)

	word    = lazyregexp.New(`[\p{L}\p{N}_$]+`)
	literal = lazyregexp.New("\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|\\b\\d[\\w.]*")
)

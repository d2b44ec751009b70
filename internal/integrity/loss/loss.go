// Package loss finds what a change takes away from tests that nobody approved: tests that are
// removed or skipped, and assertions that are removed or weakened. What stands elsewhere, has
// something new in its place, or is about what is gone, is no loss. Nothing else is looked for: of
// what was told before, six of seven findings were wrong.
package loss

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// File is a file of tests in two versions, nil where it is not there. A moved one has both paths.
type File struct {
	Path, Now     string
	Before, After []byte
}

// Loss is one thing that tests lost.
type Loss struct {
	Kind    violation.Kind
	Role    kernel.Role // of what lost it
	Name    string
	Was, Is violation.Place // Line 0: nothing
}

// versions are the units of a file.
type versions struct {
	File
	old, now []*unit
}

// Find lists losses by file and line. isGone reports whether a text speaks of what the change takes
// away itself.
func Find(ctx context.Context, files []File, isGone func(text string) bool) ([]Loss, error) {
	all := make([]versions, len(files))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		group.Go(func() error {
			was, ok := read(ctx, f.Path, f.Before)
			now, too := read(ctx, f.Now, f.After)
			if ok && too {
				all[i] = versions{f, was, now}
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("compare tests with the merge base: %w", err)
	}
	f := &finder{isGone: isGone, texts: map[string]bool{}, there: map[string]bool{}, values: map[string]bool{}, bodies: map[string]bool{}}
	for _, v := range all {
		f.news(v)
	}
	var out []Loss
	for _, v := range all {
		f.file(v)
		out = append(out, f.out[:min(most, len(f.out))]...)
		f.out = nil
	}
	return out, nil
}

// most bounds what is told of one file.
const most = 20

// finder holds what the change adds to tests, and what they lost.
type finder struct {
	isGone func(string) bool
	texts  map[string]bool // new statements
	there  map[string]bool // all statements
	values map[string]bool // literals in them
	bodies map[string]bool // of new tests
	fresh  []fresh         // new tests that nothing lost is paired with
	out    []Loss
}

// fresh is a test that a file has and did not have.
type fresh struct {
	file  string
	isNew bool // the file
	taken bool
}

// named finds a unit again.
func named(units []*unit, u *unit) *unit {
	if i := slices.IndexFunc(units, func(o *unit) bool { return o.name == u.name && o.runs() == u.runs() }); i >= 0 {
		return units[i]
	}
	return nil
}

// runs reports whether a runner collects a unit.
func (u *unit) runs() bool { return u.role == kernel.Test || u.role == kernel.Suite }

// news notes what a file has that it did not have.
func (f *finder) news(v versions) {
	for _, u := range v.now {
		was := named(v.old, u)
		if was == nil && u.role == kernel.Test {
			f.fresh = append(f.fresh, fresh{file: v.Now, isNew: v.Before == nil})
			f.bodies[u.body] = true
		}
		for _, s := range u.statements {
			f.there[s.text] = true
			if was == nil || !was.has(s.text) {
				f.texts[s.text] = true
			}
		}
		for _, l := range u.literals {
			if was == nil || !slices.Contains(was.literals, l) {
				f.values[l] = true
			}
		}
	}
}

// file finds what one file lost.
func (f *finder) file(v versions) {
	var lost []*unit
	for _, u := range v.old {
		switch now := named(v.now, u); {
		case now != nil:
			f.unit(u, now)
		case u.role == kernel.Test:
			lost = append(lost, u)
		}
	}
	for _, u := range lost {
		if twin := f.twin(v, u); twin != nil {
			f.out = append(f.out, Loss{violation.TestUncollected, u.role, u.name, u.at, twin.at})
		} else if f.isLost(u) && !f.replaced(v) {
			f.out = append(f.out, Loss{violation.TestDeleted, u.role, u.name, u.at, violation.Place{}})
		}
	}
}

// twin is a definition that does what a test did, and that nothing runs; nil if there is none.
func (f *finder) twin(v versions, u *unit) *unit {
	for _, o := range v.now {
		if !o.runs() && u.body != "" && o.body == u.body && named(v.old, o) == nil && !f.called(o.name) {
			return o
		}
	}
	return nil
}

// called reports whether a new statement speaks of a name.
func (f *finder) called(name string) bool {
	name = name[strings.LastIndexByte(name, ' ')+1:]
	for text := range f.texts {
		if slices.Contains(strings.Fields(text), name) {
			return true
		}
	}
	return false
}

// isLost reports whether what a test demands is demanded nowhere now, and could be.
func (f *finder) isLost(u *unit) bool {
	moved := slices.ContainsFunc(u.statements, func(s statement) bool { return s.asserts && f.texts[s.text] })
	missing := slices.ContainsFunc(u.statements, func(s statement) bool { return s.asserts && !f.there[s.text] })
	return missing && !moved && !f.bodies[u.body] && !f.isGone(u.text) && !f.asked(u.literals)
}

// replaced takes a new test of the file, or of a new file in its folder, for one that is lost.
func (f *finder) replaced(v versions) bool {
	i := slices.IndexFunc(f.fresh, func(n fresh) bool {
		folder := path.Dir(v.Path)
		near := n.isNew && (folder == "." || strings.HasPrefix(n.file, folder+"/"))
		return !n.taken && (n.file == v.Now || near)
	})
	if i >= 0 {
		f.fresh[i].taken = true
	}
	return i >= 0
}

// asked reports whether most of some literals stand in what is new: another form asks for them.
func (f *finder) asked(values []string) bool {
	const least = 8 // characters: a few digits stand anywhere
	there, all := 0, 0
	for _, l := range values {
		if all += len(l); f.values[l] {
			there += len(l)
		}
	}
	return there >= least && 3*there >= 2*all
}

// unit finds what a unit lost that is still there.
func (f *finder) unit(old, now *unit) {
	switch {
	case now.skip.Line > 0 && old.skip.Line == 0:
		f.out = append(f.out, Loss{violation.TestSkipped, now.role, now.name, violation.Place{}, now.skip})
		return
	case now.focus.Line > 0 && old.focus.Line == 0:
		f.out = append(f.out, Loss{violation.TestFocused, now.role, now.name, violation.Place{}, now.focus})
		return
	}
	weaker, lost := paired(old, now)
	f.out = append(f.out, weaker...)
	for _, s := range lost {
		if !f.texts[s.text] && !f.isGone(s.text) && !f.asked(literals(s.text)) {
			f.out = append(f.out, Loss{violation.AssertionRemoved, old.role, old.name, s.at, violation.Place{}})
		}
	}
}

// paired are the assertions of a unit that became weaker, and those that have nothing in their
// place; none where the unit says something else now.
func paired(old, now *unit) (weaker []Loss, lost []statement) {
	for _, s := range old.statements {
		if s.asserts && !now.has(s.text) {
			lost = append(lost, s)
		}
	}
	told := old.text
	for _, s := range now.statements {
		if old.has(s.text) {
			continue
		}
		switch i := slices.IndexFunc(lost, func(l statement) bool { return s.claim.weaker(l.claim) }); {
		case i >= 0:
			weaker = append(weaker, Loss{violation.AssertionWeakened, old.role, old.name, lost[i].at, s.at})
			lost = slices.Delete(lost, i, i+1)
			told += " " + s.text
		case s.asserts:
			return nil, nil
		}
	}
	if saysMore(now.text, told) {
		return nil, nil
	}
	return weaker, lost
}

// saysMore reports whether a text has words that another has not, or not so often.
func saysMore(text, than string) bool {
	left := map[string]int{"pass": 1}
	for _, w := range strings.Fields(than) {
		left[w]++
	}
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		left[w]--
		return left[w] < 0 && strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// literals are the texts and numbers in a statement.
func literals(text string) (out []string) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			if end := strings.IndexByte(text[i+1:], c); end > 0 {
				out = append(out, text[i:i+end+2])
				i += end + 1
			}
		case c >= '0' && c <= '9' && (i == 0 || text[i-1] == ' ' || text[i-1] == '-'):
			end := strings.IndexByte(text[i:]+" ", ' ')
			out = append(out, text[i:i+end])
			i += end - 1
		}
	}
	return out
}

// Violation puts a loss into words.
func (l Loss) Violation() workflow.Violation {
	what := string(l.Role) + " " + l.Name
	if l.Role == kernel.Setup {
		what = "fixture " + l.Name
	}
	return violation.Between(l.Kind, l.Was, l.Is, fmt.Sprintf(sentences[l.Kind], what))
}

var sentences = map[violation.Kind]string{
	violation.TestDeleted:       "Removed: %s",
	violation.TestUncollected:   "Test no longer runs: no runner finds %s",
	violation.TestSkipped:       "Test skipped: %s",
	violation.TestFocused:       "Test focused, so that others do not run: %s",
	violation.AssertionRemoved:  "Test assertion removed from %s",
	violation.AssertionWeakened: "Test assertion weakened in %s",
}

package detect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sort"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// body is what the changed functions of a source file come to.
type body int

const (
	realCode   body = iota // something is implemented, or nobody can tell
	stubs                  // all changed functions are stubs, and there is one
	signatures             // no code at all, but declarations of an interface
	constants              // no functions at all
)

// judge sets what the changed functions of a source file come to, and returns what is worth noting
// about it.
func (d *detector) judge(
	ctx, parsing context.Context,
	c *candidate,
	src []byte,
	old *oldSide,
) (string, error) {
	if noSkeleton.MatchString(c.Path) {
		return "", nil
	}
	lang, _ := syntax.LanguageOf(c.Path)
	tree, err := syntax.Parse(parsing, lang, src)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return "counts as implementation: the search for skeletons took too long", nil
	case err != nil:
		return "counts as implementation: " + err.Error(), nil
	case tree.HasError():
		return "counts as implementation: it has syntax errors, or syntax that is not known here", nil
	}
	before, err := old.content()
	if err != nil {
		return "", err
	}
	functions := syntax.Functions(tree)
	touched, outside := everything, false
	if !c.whole && before != nil && c.Blob != c.OldBlob {
		hunks := codeHunks(parsing, tree, before, src)
		touched, outside = touchedBy(hunks), len(hunks) > 0
	}
	var changed tally
	c.body, changed = bodyOf(functions, touched)
	switch {
	case changed == (tally{}) && outside && c.body == stubs:
		c.body = constants // of fields, types and imports nothing can be a stub
	case changed.real == 0 && changed.stub == 0:
	case c.Status == change.Added:
		c.tally, c.written = changed, written(functions)
	case changed.stub > changed.real && changed.real > 0:
		return fmt.Sprintf(
			"counts as implementation: besides %d stubs, %d of what was changed has code",
			changed.stub,
			changed.real,
		), nil
	}
	return "", nil
}

// noSkeleton matches what may be empty without being a stub: a step of a database,
// configuration, what stands in for something.
var noSkeleton = lazyregexp.New(
	`(?i)(?:^|/)(?:(?:migrations|migrate|versions)/(?:v?\d{3,}|[0-9a-f]{12})[_-]\w+\.\w+|` +
		`[\w.-]+\.config\.[cm]?[jt]s|(?:\.storybook|mocks)/.+)$`,
)

// written names, with their lines, the functions of a file that have code.
func written(functions []syntax.Function) []string {
	var out []string
	for _, f := range functions {
		if f.Kind == syntax.Statement || f.Kind == syntax.Defined && !f.Stub {
			out = append(
				out,
				fmt.Sprintf(
					"%s (line %d)",
					cmp.Or(f.Name, "code outside of functions"),
					f.StartLine,
				),
			)
		}
	}
	return out
}

// hollow is how many stubs there must be in the new files of a feature for one function with code,
// so that all of them are a skeleton: interfaces, error classes and the wiring belong to it.
const hollow = 3

// foundSkeletons makes skeletons of new files that are mostly stubs, and of the new files beside
// them where little in all of them has code. What has code is named.
func (d *detector) foundSkeletons() {
	sum := map[string]tally{}
	for _, c := range d.of(source) {
		t := sum[c.found.feature]
		t.stub, t.real = t.stub+c.tally.stub, t.real+c.tally.real
		if c.Status != change.Added && c.body == realCode {
			t.real = math.MaxInt / (hollow + 1) // it changes code that is there
		}
		sum[c.found.feature] = t
	}
	for _, c := range d.of(source) {
		all := sum[c.found.feature]
		if c.body != realCode || c.tally.real == 0 || len(c.bugs) > 0 ||
			c.tally.stub <= c.tally.real && all.stub < hollow*all.real {
			continue
		}
		c.body = stubs
		d.notes.add(
			true,
			c.Path,
			"counts as a skeleton, as the new files are mostly stubs; what has code in it: %s",
			some(c.written),
		)
	}
}

func everything(syntax.Function) bool { return true }

// touchedBy tells whether hunks without context change anything in a function.
func touchedBy(hunks []change.Hunk) func(syntax.Function) bool {
	return func(f syntax.Function) bool {
		from := sort.Search(len(hunks), func(i int) bool {
			return hunks[i].NewStart+max(hunks[i].NewLines, 1)-1 >= f.StartLine
		})
		for _, h := range hunks[from:min(from+2, len(hunks))] {
			if h.NewLines > 0 && h.NewStart <= f.EndLine {
				return true
			}
			if h.NewLines == 0 && h.NewStart < f.EndLine { // lines were taken out after NewStart
				return true
			}
		}
		return false
	}
}

// bodyOf sums up a file's functions, and counts the changed ones.
func bodyOf(
	functions []syntax.Function,
	touched func(syntax.Function) bool,
) (b body, changed tally) {
	var all tally
	for _, f := range functions {
		all.count(f)
		if touched(f) {
			changed.count(f)
		}
	}
	switch {
	case changed.real > 0:
		return realCode, changed
	case changed.stub > 0:
		return stubs, changed
	case all.real > 0:
		return realCode, changed
	case changed.declared > 0:
		return signatures, changed
	case changed == (tally{}) && all.stub > 0:
		return stubs, changed
	default:
		return constants, changed
	}
}

// tally counts functions, and statements at the top level, by kind.
type tally struct{ real, stub, declared int }

// count counts a function by whether it does something.
func (t *tally) count(f syntax.Function) {
	switch {
	case f.Stub:
		t.stub++
	case f.Kind == syntax.Statement || f.Kind == syntax.Defined:
		t.real++
	case f.Kind == syntax.Declared:
		t.declared++
	}
}

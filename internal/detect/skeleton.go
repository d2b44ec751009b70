package detect

import (
	"context"
	"errors"
	"sort"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/functions"
	"workflow-reviewer/internal/textdiff"
)

// body is what the changed functions of a source file come to.
type body int

const (
	realCode   body = iota // something is implemented, or nobody can tell
	stubs                  // all changed functions are stubs, and there is one
	signatures             // no code at all, but declarations of an interface
	constants              // no functions at all
)

// setBody sets what the changed functions of a source file come to, and returns what is worth
// noting about it.
func (d *detector) setBody(
	ctx, parsing context.Context,
	c *candidate,
	src, before []byte,
) (string, error) {
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
		return "counts as implementation: it has syntax errors, or syntax that is not known here",
			nil
	}
	touched := isAny
	if !c.whole && before != nil && c.Blob != c.OldBlob {
		touched = touchedBy(textdiff.Hunks(before, src, 0))
	}
	list := functions.Of(tree)
	c.body = bodyOf(list, touched)
	isUnread := before == nil && c.oldPath() != ""
	if c.body == realCode || !isUnread && !didMore(parsing, lang, before, list) {
		return "", nil
	}
	note := ""
	if c.body == stubs {
		note = "counts as implementation: functions that did something before are stubs, or gone"
	}
	c.body = realCode
	return note, nil
}

// didMore reports whether a source had more functions with code before than are listed now. One
// that cannot be parsed had.
func didMore(
	ctx context.Context,
	lang syntax.Language,
	before []byte,
	now []functions.Function,
) bool {
	tree, err := syntax.Parse(ctx, lang, before)
	if err != nil || tree.HasError() {
		return len(before) > 0
	}
	return tallyOf(functions.Of(tree), isAny).real > tallyOf(now, isAny).real
}

// touchedBy tells whether hunks without context change anything in a function.
func touchedBy(hunks []change.Hunk) func(functions.Function) bool {
	return func(f functions.Function) bool {
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

// bodyOf is what a file's functions come to, of which some were touched.
func bodyOf(list []functions.Function, touched func(functions.Function) bool) body {
	all, changed := tallyOf(list, isAny), tallyOf(list, touched)
	switch {
	case changed.real > 0, changed.stub == 0 && all.real > 0:
		return realCode
	case changed.stub > 0:
		return stubs
	case changed.declared > 0:
		return signatures
	default:
		return constants // of fields, types and imports nothing can be a stub
	}
}

// tally counts functions, and statements at the top level, by kind.
type tally struct{ real, stub, declared int }

// tallyOf counts functions by whether they do something.
func tallyOf(list []functions.Function, counts func(functions.Function) bool) (t tally) {
	for _, f := range list {
		switch {
		case !counts(f):
		case f.Stub:
			t.stub++
		case f.Kind == functions.Statement || f.Kind == functions.Defined:
			t.real++
		case f.Kind == functions.Declared:
			t.declared++
		}
	}
	return t
}

func isAny(functions.Function) bool { return true }

// Package prove runs approved tests against a head: it works out what of a work tree must be as it
// was approved and what must not be there, has package swap lay that out, runs the command, and
// says as evidence what came of it.
package prove

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/prove/swap"
)

// Input is what is known of the repository.
type Input struct {
	Set      change.Set
	Approved []approval.File // one for each path
	// Content reads a blob, wherever it is.
	Content func(blob string) ([]byte, error)
	// Role is what a path is for the tests of the repository, by its name.
	Role func(p string) detect.Role
	// Untracked are the files of the work tree that git neither tracks nor ignores.
	Untracked []string
	named     map[string]bool // paths that the command may name
}

// layout is how a work tree shall be while the command runs.
type layout struct {
	changes   []swap.Change
	restored  []string // paths whose approved content stands, sorted
	setAside  []string // paths that are not there or have the merge base's content, sorted
	shadowing []string
}

// target is what a path shall hold.
type target struct {
	mode, blob string
	data       []byte // in place of the blob's content
}

// layouter works a layout out.
type layouter struct {
	ctx context.Context
	Input
	approved map[string]approval.File
	head     map[string]change.Entry
	base     map[string]change.Entry // of the merge base
	want     map[string]target
	above    map[string]bool // the folders of approved tests and those above them
	unasked  map[string]bool // sources named like standard modules, that only runners ask for
	imported map[string]bool // by code of the merge base; nil: not looked for
	out      layout
}

// newLayouter reads which files head and merge base have. Contents are read as decisions ask for
// them, which is for few.
func newLayouter(ctx context.Context, in Input) (*layouter, error) {
	l := &layouter{
		ctx: ctx, Input: in, approved: map[string]approval.File{}, want: map[string]target{},
		above: map[string]bool{".": true}, unasked: map[string]bool{},
	}
	for _, f := range in.Approved {
		l.approved[f.Path] = f
		for dir := path.Dir(f.Path); f.Role == approval.Test && dir != "."; dir = path.Dir(dir) {
			l.above[dir] = true
		}
	}
	var err error
	if l.head, err = entries(in.Set.HeadTree); err == nil {
		l.base, err = entries(in.Set.MergeBaseTree)
	}
	return l, err
}

// entries are all files of a tree by their paths.
func entries(tree change.Tree) (map[string]change.Entry, error) {
	list, err := tree.List("")
	if err != nil {
		return nil, fmt.Errorf("list files of %q: %w", tree.Commit(), err)
	}
	out := make(map[string]change.Entry, len(list))
	for _, e := range list {
		out[e.Path] = e
	}
	return out, nil
}

// onHead has the approved tests with the head's code.
func onHead(ctx context.Context, in Input) (layout, error) {
	l, err := newLayouter(ctx, in)
	if err != nil {
		return layout{}, err
	}
	l.out.shadowing = l.shadows()
	return l.lay(l.head)
}

// onBase has the approved tests with the merge base's code.
func onBase(ctx context.Context, in Input) (layout, error) {
	l, err := newLayouter(ctx, in)
	if err != nil {
		return layout{}, err
	}
	return l.lay(l.base)
}

// lay decides over the files of one tree and the approved ones: first what the tree has and nobody
// approved, then what was approved, then what the merge base has and the tree lacks. The order
// matters to the last, which gives way to folders of the others.
func (l *layouter) lay(sources map[string]change.Entry) (layout, error) {
	for _, p := range slices.Sorted(maps.Keys(sources)) {
		if _, ok := l.approved[p]; ok {
			continue
		}
		if err := l.decide(sources[p]); err != nil {
			return layout{}, fmt.Errorf("%q: %w", p, err)
		}
	}
	for p, f := range l.approved {
		if err := l.approve(f, sources[p]); err != nil {
			return layout{}, fmt.Errorf("approved %q: %w", p, err)
		}
	}
	for p, e := range l.base {
		if _, ok := l.approved[p]; !ok && sources[p].Path == "" {
			if err := l.decideGone(e); err != nil {
				return layout{}, fmt.Errorf("%q: %w", p, err)
			}
		}
	}
	return l.finish()
}

// decideGone decides over a file of the merge base that the sources do not have: what serves tests
// or steers them is there again.
func (l *layouter) decideGone(base change.Entry) error {
	if !change.IsFile(base.Mode) || l.isFolder(base.Path) {
		return nil
	}
	back := target{mode: base.Mode, blob: base.Blob}
	switch k := l.kindOf(base.Path); {
	case k == aid, k == script && (l.servesRun(base.Path) || l.runsTests(base)):
	case k == mixed && slices.Contains([]string{"toml", "ini"}, mixedRow(base.Path).how):
		was, err := l.Content(base.Blob)
		if err != nil {
			return err
		}
		back.data = mix(base.Path, was, []byte{})
		if len(back.data) == 0 {
			return nil
		}
	default:
		return nil
	}
	l.want[base.Path] = back
	l.out.setAside = append(l.out.setAside, base.Path)
	return nil
}

// isFolder reports whether a path is a folder in the layout.
func (l *layouter) isFolder(p string) bool {
	for q := range l.want {
		if strings.HasPrefix(q, p+"/") {
			return true
		}
	}
	return false
}

// approve decides over an approved file, which stands as is in the sources; the zero Entry if it
// does not.
func (l *layouter) approve(f approval.File, is change.Entry) error {
	if is.Path == "" && l.holdsInline(f.Path) {
		return l.approveMoved(f)
	}
	t := target{mode: f.Mode, blob: f.Blob}
	if is.Path != "" && is.Blob != f.Blob && change.IsFile(is.Mode) && change.IsFile(f.Mode) && l.parts(f) {
		was, err := l.Content(f.Blob)
		if err != nil {
			return err
		}
		if t, err = l.combine(is, was); err != nil {
			return err
		}
	}
	l.want[f.Path] = t
	if is.Path == "" || is.Blob != f.Blob || is.Mode != f.Mode {
		l.out.restored = append(l.out.restored, f.Path)
	}
	return nil
}

// approveMoved decides over a source with approved tests in it that the head has elsewhere: the
// approved file would bring its former code back, and its tests are in no module of the head's.
func (l *layouter) approveMoved(f approval.File) error {
	i := slices.IndexFunc(
		l.Set.Files,
		func(n change.File) bool { return n.OldPath == f.Path && n.Status == change.Renamed },
	)
	if i < 0 {
		return errors.New("the head has no such source, into which the approved tests could be put")
	}
	was, err := l.Content(f.Blob)
	if err != nil {
		return err
	}
	to := l.Set.Files[i].Path
	l.want[to], err = l.combine(l.head[to], was)
	l.out.restored = append(l.out.restored, f.Path)
	return err
}

// parts reports whether only parts of an approved file are about tests.
func (l *layouter) parts(f approval.File) bool {
	return runner.IsLock(f.Path) || mixedRow(f.Path) != nil && l.Role(f.Path) < detect.Helper ||
		l.holdsInline(f.Path)
}

func (l *layouter) holdsInline(p string) bool {
	return path.Ext(p) == ".rs" && l.Role(p) == detect.Source
}

// combine is the file of the sources with the parts that steer or hold tests as they were.
func (l *layouter) combine(is change.Entry, was []byte) (target, error) {
	keep := target{mode: is.Mode, blob: is.Blob}
	if runner.IsLock(is.Path) {
		return keep, nil
	}
	now, err := l.Content(is.Blob)
	if err != nil {
		return keep, err
	}
	var data []byte
	if l.holdsInline(is.Path) {
		data, err = graft(l.ctx, was, now)
	} else {
		data = mix(is.Path, was, now)
	}
	if err != nil || bytes.Equal(data, now) {
		return keep, err
	}
	return target{mode: is.Mode, data: data}, nil
}

// kind is what a path is to a run of approved tests.
type kind int

const (
	code   kind = iota // what is tested
	tests              // holds tests
	aid                // serves tests or runners alone
	script             // may run tests
	mixed              // steers tests, and is needed by the code
	inline             // a source that may hold tests
)

// kindOf says how prove treats a file, by what it is for tests and for the code. Everything that is
// no test side is code.
func (l *layouter) kindOf(p string) kind {
	family, ifRuns := runner.Configures(p)
	switch role := l.Role(p); {
	case role == detect.Test && !l.importedByCode(p):
		return tests
	case role == detect.Helper, runner.Autoloaded(p), isPrivate(p), runner.TakesFrameworksPlace(p):
		return aid
	case runner.IsLock(p), runner.IsWorkflow(p):
		return code
	case mixedRow(p) != nil:
		return mixed
	case family != "" && ifRuns:
		return script
	case family != "":
		return aid
	case l.holdsInline(p):
		return inline
	default:
		return code
	}
}

// importedByCode reports whether a module of Python is code, although it is named like a test: it
// is in no folder of tests, and code of the merge base asks for it.
func (l *layouter) importedByCode(p string) bool {
	if path.Ext(p) != ".py" || conventions.TestFolder(conventions.Folders(p), ".py") != "" {
		return false
	}
	if l.imported == nil {
		code := map[string]string{}
		for p, e := range l.base {
			if l.Role(p) == detect.Source && change.IsFile(e.Mode) {
				code[p] = e.Blob
			}
		}
		l.imported = l.askedFor("Python", code)
	}
	return l.imported[strings.TrimSuffix(path.Base(p), ".py")]
}

// decide decides over a file of the sources that nobody approved.
func (l *layouter) decide(e change.Entry) error {
	t, err := l.choose(e, l.base[e.Path])
	if err != nil {
		return err
	}
	if t.mode != "" {
		l.want[e.Path] = t
	}
	if t.mode != e.Mode || t.blob != e.Blob {
		l.out.setAside = append(l.out.setAside, e.Path)
	}
	return nil
}

// choose is what stands for a file of the sources, the zero target if nothing does. What the change
// left alone is as the base vouches for it, but for tests, which are not to run.
func (l *layouter) choose(e, base change.Entry) (target, error) {
	keep, back := target{mode: e.Mode, blob: e.Blob}, target{mode: base.Mode, blob: base.Blob}
	if base.Mode == change.ModeSubmodule {
		back = target{}
	}
	isNew, k, row := base.Path == "", l.kindOf(e.Path), mixedRow(e.Path)
	switch {
	case e.Mode == change.ModeSubmodule, k == code && !l.unasked[e.Path]:
		return keep, nil // the code under test
	case k == tests, isNew && (l.splits(e.Path) || l.unasked[e.Path]):
		return target{}, nil // nothing but approved tests is to run
	case !isNew && base.Blob == e.Blob && change.SameKind(base.Mode, e.Mode):
		return keep, nil
	case k == aid, k == script && l.servesRun(e.Path):
		return back, nil // no part of it is the code's
	case k == script && !l.runsTests(e, base):
		return keep, nil
	case e.Mode == change.ModeSymlink && k != inline:
		return back, nil // it may lead to anything
	case !change.IsFile(e.Mode):
		return keep, nil
	}
	// What is left steers tests, or holds some, and is needed by the code as well.
	var was []byte
	if change.IsFile(base.Mode) {
		var err error
		if was, err = l.Content(base.Blob); err != nil {
			return target{}, err
		}
	}
	if was == nil && k != inline && (row == nil || !row.divides()) {
		return l.chooseNew(e, row)
	}
	return l.combine(e, was)
}

// chooseNew is what stands for a new file that may steer tests as a whole: beside or above approved
// ones it must be harmless.
func (l *layouter) chooseNew(e change.Entry, row *row) (target, error) {
	keep, how := target{mode: e.Mode, blob: e.Blob}, ""
	if row != nil {
		how = row.how
	}
	switch {
	case how == "rake" && !l.testsAskFor(rake):
		return target{}, nil
	case how == "build", !l.above[path.Dir(e.Path)]:
		return keep, nil
	case how == "make" && l.joins(row):
		return target{}, nil
	}
	now, err := l.Content(e.Blob)
	if err == nil && harmless(e.Path, nil, now) {
		return keep, nil
	}
	return target{}, err
}

// splits reports whether a file makes a module of its own of a folder with approved tests: a run of
// the module around it would pass them by.
func (l *layouter) splits(p string) bool {
	dir := path.Dir(p)
	return path.Base(p) == "go.mod" && dir != "." && l.above[dir]
}

var rake = lazyregexp.New(`(?i)\brake\b|\bload_tasks\b`)

// testsAskFor reports whether an approved test, or what serves one, holds a word.
func (l *layouter) testsAskFor(word *lazyregexp.Regexp) bool {
	return slices.ContainsFunc(l.Approved, func(f approval.File) bool {
		if f.Role == approval.Config {
			return false
		}
		src, err := l.Content(f.Blob)
		return err == nil && word.Match(src)
	})
}

// joins reports whether the merge base has a file of a row that a new one may be read in the place
// of, or by.
func (l *layouter) joins(row *row) bool {
	for q := range l.base {
		if matchesAny(row.globs, q) {
			return true
		}
	}
	return false
}

// runsTests reports whether a script runs tests, now or on the merge base.
func (l *layouter) runsTests(versions ...change.Entry) bool {
	return slices.ContainsFunc(versions, func(e change.Entry) bool {
		if e.Path == "" || !change.IsFile(e.Mode) {
			return false
		}
		src, err := l.Content(e.Blob)
		return err != nil || runner.RunsTests(e.Path, src, nil)
	})
}

// servesRun reports whether a script of the merge base that runs tests names another.
func (l *layouter) servesRun(p string) bool {
	for q, e := range l.base {
		if q == p || l.kindOf(q) != script || !l.runsTests(e) {
			continue
		}
		if src, err := l.Content(e.Blob); err == nil && bytes.Contains(src, []byte(path.Base(p))) {
			return true
		}
	}
	return false
}

// finish compares what is wanted with the head, which is in the work tree. The changes are those
// alone that differ from it, so that a run in which nothing differs touches no file.
func (l *layouter) finish() (layout, error) {
	for p, e := range l.head {
		if _, ok := l.want[p]; !ok && e.Mode != change.ModeSubmodule {
			l.out.changes = append(l.out.changes, swap.Change{Path: p})
		}
	}
	for p, t := range l.want {
		is, ok := l.head[p]
		if t.mode == change.ModeSubmodule ||
			ok && t.data == nil && is.Blob == t.blob && is.Mode == t.mode {
			continue
		}
		data := t.data
		if data == nil {
			var err error
			if data, err = l.Content(t.blob); err != nil {
				return layout{}, fmt.Errorf("%q: %w", p, err)
			}
		}
		file := &swap.File{Mode: t.mode, Data: data}
		l.out.changes = append(l.out.changes, swap.Change{Path: p, File: file})
	}
	for _, p := range l.Untracked {
		if _, wanted := l.want[p]; wanted {
			continue // moved away for what is wanted
		}
		if k := l.kindOf(p); (k == tests || k == aid) && !isInstalled(p) {
			l.out.setAside = append(l.out.setAside, p)
			l.out.changes = append(l.out.changes, swap.Change{Path: p})
		}
	}
	slices.Sort(l.out.restored)
	slices.Sort(l.out.setAside)
	return l.out, nil
}

// isInstalled reports whether an untracked file is in a folder of dependencies or of output, which
// the job has made.
func isInstalled(p string) bool { return detect.Foreign(path.Join(path.Dir(p), "x.py")) != "" }

// Choose is, for each path, the approved file of several sets: the base's own version counts, else
// the newest.
func Choose(sets []baseline.Baseline, base change.Tree) []approval.File {
	sets = slices.Clone(sets)
	slices.SortStableFunc(sets, func(a, b baseline.Baseline) int { return a.Revision - b.Revision })
	chosen := map[string]approval.File{}
	for _, b := range sets {
		for _, f := range b.Files {
			if was, ok := chosen[f.Path]; ok {
				if e, err := base.Stat(f.Path); err == nil && e.Blob == was.Blob {
					continue
				}
			}
			chosen[f.Path] = f
		}
	}
	return slices.SortedFunc(
		maps.Values(chosen),
		func(a, b approval.File) int { return strings.Compare(a.Path, b.Path) },
	)
}

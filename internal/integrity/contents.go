package integrity

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// readable reads both sides of an entry. ok is false where they cannot be
// compared by content: any difference is a violation then.
func (c *checker) readable(ctx context.Context, e *entry) (after []byte, ok bool, err error) {
	if e.head.Path != "" && (e.head.Blob == e.blob || !change.SameKind(e.head.Mode, e.Mode)) {
		c.violate(
			violation.Changed(
				violation.FileChanged,
				violation.Place{Path: e.path, Line: 1, Text: kindOf(e.Mode)},
				violation.Place{Path: e.path, Line: 1, Text: kindOf(e.head.Mode)},
				fmt.Sprintf("Approved file replaced: %s became %s", kindOf(e.Mode),
					kindOf(e.head.Mode)),
			),
		)
		return nil, false, nil
	}
	lost, err := c.readBefore(ctx, e)
	if err != nil {
		return nil, false, err
	}
	if e.head.Path != "" {
		after, err = c.Set.HeadTree.ReadFile(e.path)
		if err != nil && !unreadable(err) {
			return nil, false, fmt.Errorf("read %q of the head: %w", e.path, err)
		}
	}
	if e.before == nil || err != nil {
		c.byBytes(e, cmp.Or(err, lost).Error())
		return nil, false, nil
	}
	return after, true, nil
}

// byBytes reports a difference that cannot be looked into.
func (c *checker) byBytes(e *entry, why string) {
	c.out.NotAnalysed = append(c.out.NotAnalysed, e.path+": "+why)
	at := violation.Place{Path: e.path, Line: 1, Text: "blob " + change.Short(e.blob)}
	if e.head.Path == "" {
		c.violate(
			violation.Removed(violation.FileChanged, at,
				"Approved file removed: "+e.path+" is not in the head"),
		)
		return
	}
	is := at
	is.Text = "blob " + change.Short(e.head.Blob)
	c.violate(violation.Changed(violation.FileChanged, at, is,
		"Approved file changed: the head's content is not the approved one ("+why+")"))
}

// unreadable reports whether a file is there and cannot be compared by content; other errors are
// the tree's.
func unreadable(err error) bool {
	return errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrNotRegular)
}

// readBefore reads the approved content of an entry by its id, or says why it is none that can be
// compared.
func (c *checker) readBefore(ctx context.Context, e *entry) (lost, err error) {
	data, err := c.Blob(ctx, e.blob)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("approved content: %w", err), nil
	}
	e.before = append([]byte{}, data...)
	return nil, nil
}

var errNoBlobs = errors.New("there is no repository to read it from")

// kindOf is what a mode makes of a path, for messages.
func kindOf(mode string) string {
	switch mode {
	case change.ModeSymlink:
		return "a symbolic link"
	case change.ModeSubmodule:
		return "a submodule"
	case change.ModeExecutable:
		return "an executable file"
	default:
		return "a file"
	}
}

// firstDifference is a violation at the first line in which two texts differ.
func firstDifference(kind violation.Kind, p string, before, after []byte,
	description string,
) workflow.Finding {
	return testdiff.First(testdiff.Pair{Path: p, AfterPath: p, Before: before, After: after}, kind,
		description)
}

package integrity

import (
	"context"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/workflow"
)

// maxImplied is how many tests of features that the change has no artifact of are followed to what
// they load.
const maxImplied = 400

// imply adds what approved tests load or are run by and their record does not
// list: the change's own difference to the merge base counts there.
func (c *checker) imply(ctx context.Context) error {
	var sets []baseline.Baseline
	tests := 0
	for _, f := range c.features {
		if !f.Asked && tests > maxImplied {
			continue
		}
		sets = append(sets, f.Baseline)
		for _, file := range f.Files {
			if file.Role == approval.Test {
				tests++
			}
		}
	}
	if len(c.touched) == 0 {
		return nil
	}
	files, notices, err := Implied(ctx, c.Set.MergeBaseTree, sets, c.Protect)
	if err != nil {
		return err
	}
	c.out.Notices = append(c.out.Notices, notices...)
	for _, f := range files {
		if _, touched := c.touched[f.Path]; !touched || c.taken[f.Path] {
			continue
		}
		if err := c.implied(f); err != nil {
			return err
		}
	}
	return nil
}

// Implied are the files of a tree that the tests of approval records load or are run by, and that
// none of the records lists. Errors are those of the tree and the context.
func Implied(ctx context.Context, tree change.Tree, sets []baseline.Baseline,
	protect []string,
) (files []approval.File, notices []workflow.Finding, err error) {
	var tests []string
	listed := map[string]bool{}
	for _, b := range sets {
		if b.Source != baseline.BaseRecord && b.Source != baseline.BranchRecord {
			continue // collected just now
		}
		for _, f := range b.Files {
			listed[f.Path] = true
			if _, err := tree.Stat(f.Path); err == nil && f.Role == approval.Test {
				tests = append(tests, f.Path)
			}
		}
	}
	if len(tests) == 0 {
		return nil, nil, nil
	}
	files, notices, err = approval.Collect(ctx, tree,
		approval.Options{Tests: tests, Protect: protect})
	if err != nil {
		return nil, nil, fmt.Errorf("follow what approved tests load: %w", err)
	}
	isListed := func(f approval.File) bool { return listed[f.Path] }
	return slices.DeleteFunc(files, isListed), notices, nil
}

// implied compares one file that no record lists; it belongs to all features.
func (c *checker) implied(f approval.File) error {
	c.taken[f.Path] = true
	head, err := stat(c.Set.HeadTree, f.Path)
	if err != nil || c.isSame(f, head) {
		return err
	}
	for i := range c.features {
		if c.features[i].Known() {
			c.differs(i, f, head)
		}
	}
	text := fmt.Sprintf(
		"%s is loaded by approved tests, though no record lists it: compared with the merge base.",
		f.Path,
	)
	c.out.Notices = append(c.out.Notices, workflow.Finding{File: f.Path, Text: text})
	return nil
}

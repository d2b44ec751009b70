package integrity

import (
	"context"
	"fmt"

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
	var tests []string
	owners := map[string][]int{}
	for i, f := range c.features {
		if f.Source != baseline.BaseRecord && f.Source != baseline.BranchRecord ||
			!f.Asked && len(tests) > maxImplied {
			continue
		}
		for _, file := range f.Files {
			if _, err := c.Set.MergeBaseTree.Stat(file.Path); err == nil &&
				file.Role == approval.Test {
				tests = append(tests, file.Path)
				owners[file.Path] = append(owners[file.Path], i)
			}
		}
	}
	if len(tests) == 0 || len(c.touched) == 0 {
		return nil
	}
	files, notices, err := approval.Collect(ctx, c.Set.MergeBaseTree,
		approval.Options{Tests: tests, Protect: c.Protect})
	if err != nil {
		return fmt.Errorf("follow what approved tests load: %w", err)
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

// implied compares one file that no record lists; it belongs to all features.
func (c *checker) implied(f approval.File) error {
	c.taken[f.Path] = true
	head, err := stat(c.Set.HeadTree, f.Path)
	if err != nil || head.Blob == f.Blob && sameKind(head.Mode, f.Mode) {
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

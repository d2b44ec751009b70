package integrity

import (
	"errors"
	"io/fs"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/lazyregexp"
)

// What stands in a file that makes evidence, or has it read: this program by its name, or its
// command. What workflows and actions of the repository call, or are called by, may do so as well.
var (
	names = lazyregexp.New(
		`(?i)\bworkflow-reviewer\b|\bprove\b|\baction (?:review|gate|integrity)\b|\buses:\s*['"]?\./['"]?\s`,
	)
	proves = lazyregexp.New(`(?i)\bprove\b`)
	called = lazyregexp.New(`\buses['"]?\s*:\s*['"]?\./|\bworkflow_call\b|\bruns['"]?\s*:`)
)

// makesEvidence reports whether a file decides what evidence is worth, which evidence never
// answers: the versions of what is installed for the run, what make takes for the result of one,
// what runs prove or this action, and workflows that call others of the repository or are called.
// Where the merge base has nothing that is known to run prove, or the change touches all of it,
// that is any workflow.
func (c *checker) makesEvidence(p string) bool {
	switch {
	case runner.IsLock(p), p == c.result:
		return true
	case !runner.IsWorkflow(p):
		return runner.IsConfig(p) && c.holds(p, names)
	}
	return c.holds(p, names) || c.holds(p, called) || !c.provesUntouched()
}

// holds reports whether a path has a match on the merge base or in the head. What cannot be read
// may have one.
func (c *checker) holds(p string, text *lazyregexp.Regexp) bool {
	trees := []change.Tree{c.Set.MergeBaseTree, c.Set.HeadTree}
	return slices.ContainsFunc(trees, func(tree change.Tree) bool {
		src, err := tree.ReadFile(p)
		return err != nil && !errors.Is(err, fs.ErrNotExist) || text.Match(src)
	})
}

// provesUntouched reports whether a workflow of the merge base runs prove that the change leaves
// alone.
func (c *checker) provesUntouched() bool {
	list, err := c.Set.MergeBaseTree.List("")
	return err == nil && slices.ContainsFunc(list, func(e change.Entry) bool {
		_, touched := c.touched[e.Path]
		if touched || !runner.IsWorkflow(e.Path) {
			return false
		}
		src, err := c.Set.MergeBaseTree.ReadFile(e.Path)
		return err == nil && proves.Match(src)
	})
}

package integrity

import (
	"context"
	"errors"
	"slices"
	"strings"

	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// unapproved compares tests that nobody is known to have approved with the merge base: what is shown to demand
// less there is told, and blocks by policy alone.
func (c *checker) unapproved(_ context.Context) error {
	var files []approval.File
	for _, f := range c.Unapproved {
		if ofApproved := c.hasApproved() && c.steers(f.Path); !c.taken[f.Path] && !ofApproved { // see unlisted
			files = append(files, f)
		}
	}
	if len(files) == 0 || c.Only != "" {
		return nil
	}
	c.features = append(c.features, Feature{Compared: len(files), Baseline: baseline.Baseline{
		Source: baseline.MergeBase, Commit: c.Set.MergeBase, Files: files, Trust: "nobody is known to have approved them",
	}})
	for _, f := range files {
		c.taken[f.Path] = true
		head, err := stat(c.Set.HeadTree, f.Path)
		base, err2 := stat(c.Set.BaseTree, f.Path)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if head == base {
			continue // brought from the base
		}
		if err := c.file(len(c.features)-1, f); err != nil {
			return err
		}
	}
	return nil
}

// hasApproved reports whether there are approved tests at all.
func (c *checker) hasApproved() bool {
	return slices.ContainsFunc(c.Baselines, func(b baseline.Baseline) bool { return b.Known() })
}

// ofUnapproved reports whether a violation is about tests that nobody is known to have approved.
func (c *checker) ofUnapproved(v workflow.Violation, owners []int) bool {
	switch {
	case !c.MergeBase, glob.NamesAny(c.Protect, v.File):
		return false
	case len(owners) == 0:
		return !c.hasApproved()
	}
	return !slices.ContainsFunc(owners, func(i int) bool { return c.features[i].Source != baseline.MergeBase })
}

// tell makes a violation of tests that nobody is known to have approved a warning if the change shows that they
// demand less, a question if they may, and a notice otherwise, as where packages come from another place than
// the registry. It reports whether that is all.
func (c *checker) tell(v workflow.Violation) bool {
	if what, approved := strings.CutPrefix(v.Description, "Approved "); approved {
		v.Description = strings.ToUpper(what[:1]) + what[1:] // nobody is known to have
	}
	v = c.plainly(v)
	switch {
	case v.Type != violation.Weakening || runner.IsLock(v.File) && !c.Enforce:
		c.notice(v)
	case c.Enforce:
		return false
	case c.shown(v):
		c.out.Weakened = append(c.out.Weakened, v)
	default:
		c.notice(v)
		c.out.Suspected = append(c.out.Suspected, v)
	}
	return true
}

// ChangedLead begins the notice of a file of tests that nobody approved.
const ChangedLead = "not approved, and changed: "

// notice tells of changes in one line a file.
func (c *checker) notice(v workflow.Violation) {
	const most = 300
	k := slices.IndexFunc(c.out.Notices, func(n workflow.Notice) bool { return n.Path == v.File && strings.HasPrefix(n.Text, ChangedLead) })
	if k < 0 {
		c.out.Notices = append(c.out.Notices, workflow.Notice{Path: v.File, Text: ChangedLead + v.Description})
		return
	}
	n := &c.out.Notices[k]
	switch {
	case strings.Contains(n.Text, v.Description) || strings.HasSuffix(n.Text, " …"):
	case len(n.Text) > most:
		n.Text += " …"
	default:
		n.Text += "; " + v.Description
	}
}

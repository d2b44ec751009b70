package integrity

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// unapproved compares tests that nobody is known to have approved with the merge base: what is shown to demand
// less there is told, and blocks by policy alone.
func (c *checker) unapproved(ctx context.Context) error {
	var files []approval.File
	for _, f := range c.Unapproved {
		if !c.taken[f.Path] {
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
		if err := c.file(ctx, len(c.features)-1, f); err != nil {
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
	case !c.MergeBase, matchAny(c.Protect, v.File):
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

// plainly is a change that only is not known to be harmless as what it is by its words: a
// test that is skipped, or an assertion that has nothing in its place.
func (c *checker) plainly(v workflow.Violation) workflow.Violation {
	if v.Type != violation.Modification || c.Role(v.File) != detect.Test {
		return v
	}
	if violation.Kind(v.Kind) == violation.FileChanged { // of which only the first change is told
		v = c.byLines(v)
	}
	old, now, _ := strings.Cut("\n"+v.Evidence, "\n+")
	switch {
	case skipIdiom.MatchString(now) && !skips.MatchString(old):
		v.Kind, v.Type, v.Description = string(violation.TestSkipped), violation.Weakening, "Test skipped: "+v.Description
	case strings.HasPrefix(v.Description, "Line removed from ") && assertion.MatchString(strings.TrimLeft(old, "\n- ")):
		v.Kind, v.Type = string(violation.AssertionRemoved), violation.Weakening
	}
	return v
}

// byLines is a change of a file that could not be compared by its structure, told at the first new line that
// skips a test, or where no line that asserts is new at the first of those that are gone.
func (c *checker) byLines(v workflow.Violation) workflow.Violation {
	was, err := content(c.Set.MergeBaseTree, v.File)
	now, err2 := content(c.Set.HeadTree, v.File)
	if err != nil || err2 != nil {
		return v // told where it is compared
	}
	if n, text := newLine(was, now, skipIdiom); n > 0 {
		v.Line, v.Side, v.Evidence = n, violation.After, "+ "+text
	} else if n, text = newLine(now, was, assertion); n > 0 {
		if more, _ := newLine(was, now, assertion); more == 0 {
			v.Line, v.Side, v.Evidence, v.Description = n, violation.Before, "- "+text, "Line removed from tests"
		}
	}
	return v
}

// newLine is the first line of a text that matches and that another text does not have, 0 without.
func newLine(was, now []byte, pattern *lazyregexp.Regexp) (line int, text string) {
	old := map[string]bool{}
	for l := range bytes.Lines(was) {
		old[string(bytes.TrimSpace(l))] = true
	}
	for l := range bytes.Lines(now) {
		line++
		if text := bytes.TrimSpace(l); len(text) < maxEvidence && pattern.Match(text) && !old[string(text)] {
			return line, string(text)
		}
	}
	return 0, ""
}

// maxEvidence is the longest line that is looked at, in bytes.
const maxEvidence = 500

var (
	// skipIdiom is how tests are skipped where the catalogue does not know the runner, or the language is not parsed.
	skipIdiom = lazyregexp.New(`\b(?:test|it|describe|suite|context|Deno|QUnit|tap)\b[\w.]*\.(?:skip|fixme|todo|ignore|skipIf|runIf)\b|` +
		`\b(?:test|it|describe|context|specify|suite)\b.*[{,]\s*(?:skip|todo|ignore|pending):\s*(?:true\b|["'\x60])|` +
		`^\W*[+}]\s*,\s*skip:\s*(?:true|["'])|\bpytestmark\b.*\bskip|@(?:Ignore|Disabled)\b|\bmarkTest(?:Skipped|Incomplete)\(|` +
		`\)->(?:skip|todo)\(|\bXCTSkip|@(?:module|describe)?tag :?skip\b|\bGTEST_SKIP\(|\bTEST\w*\([^)]*\bDISABLED_\w`)
	// assertion is a line that fails a test by itself, whatever its library.
	assertion = lazyregexp.New(`(?:^|[^\w])(?:assert|Assert|expect|Expect|should|Should|verify|Verify)(?:[A-Z_]\w*|s|Type\w*)?!?\s*[.({]|` +
		`^\W*(?:await\s+)?(?:assert|expect|is_expected|verify|check)(?:[A-Z_]\w*)?!?[\s.(]|` +
		`\brequire\.[A-Z]\w*\(|\b(?:raise_for_status|EnsureSuccessStatusCode|Received|andExpect|statusCode|assert_\w+!?)\(`)
)

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

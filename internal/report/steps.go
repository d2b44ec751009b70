package report

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// PutBack names files that a commit has as they were approved, or that the change adds and that
// must go.
type PutBack struct {
	Commit string // "" for files that must go
	Paths  []string
}

// maxPutBack is how many files a command names; of more, the program writes them all.
const maxPutBack = 8

// command is what puts the files back, in the words of git alone; "" where a shell or git itself
// would take a path for more.
func (p PutBack) command() string {
	isSpecial := func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("'`\"$\\*?[]{}()<>|&;:!#~", r)
	}
	if len(p.Paths) > maxPutBack || strings.ContainsFunc(strings.Join(p.Paths, ""), isSpecial) {
		return ""
	}
	words := []string{"git", "rm", "--"}
	if p.Commit != "" {
		words = []string{"git", "checkout", p.Commit[:min(7, len(p.Commit))], "--"}
	}
	return strings.Join(append(words, p.Paths...), " ")
}

// steps are what turns a run that is not green into one that is, and who can do it: plain text with
// code spans, in the order in which to do them.
func (r Report) steps() []string {
	if r.Cancelled || r.Decision.ExitCode() == 0 {
		return nil
	}
	var out []string
	for step := range strings.Lines(fill("steps", r)) {
		if step = strings.TrimSpace(step); !slices.Contains(out, step) {
			out = append(out, step)
		}
	}
	return out
}

// actions are the remedies of failures, each once and three at most.
func (r Report) actions() []string {
	var out []string
	for _, f := range r.failed() {
		if !slices.Contains(out, f.Action) && f.Action != "" {
			out = append(out, f.Action)
		}
	}
	return out[:min(3, len(out))]
}

// failed is a failure of the run, or of one of its reviews, by its name.
type failed struct {
	Name string
	workflow.Failure
}

// Lines are the problems that a failure names.
func (f failed) Lines() []string { return strings.Split(strings.TrimSpace(f.Message), "\n") }

// First is the first of the problems, and how many more there are.
func (f failed) First() string {
	text := strings.TrimRight(markdown.Line(f.Lines()[0], 0), ".")
	if n := len(f.Lines()) - 1; n > 0 {
		text += ", and " + workflow.Count(n, "more problem")
	}
	return text
}

func (r Report) failed() []failed {
	var out []failed
	if r.Failure != nil {
		out = append(out, failed{"The run", *r.Failure})
	}
	for _, res := range r.Results {
		if res.Decision == workflow.Error && res.Failure != nil {
			out = append(out, failed{res.Artifact.Name(), *res.Failure})
		}
	}
	return out
}

// unsaved reports whether every review has its verdict, and only saving them failed.
func (r Report) unsaved() bool {
	didNotRun := func(res workflow.Result) bool { return res.Decision == workflow.Error }
	return r.Failure != nil && r.Failure.Class == workflow.FailedCommit && len(r.Results) > 0 &&
		!slices.ContainsFunc(r.Results, didNotRun)
}

// awaitsPerson reports whether only a person can decide on a review, as its rounds are used up.
func awaitsPerson(res workflow.Result) bool {
	return res.Decision == workflow.NeedsChanges && res.Unasked == workflow.ByLimit
}

// isBreach reports whether a violation is of approved tests, in contrast to an implementation that
// works around tests.
func isBreach(v workflow.Finding) bool { return v.Category != violation.Workaround }

func (r Report) breached() bool { return slices.ContainsFunc(r.AllViolations(), isBreach) }

// failing reports whether the code fails approved tests.
func (r Report) failing() bool {
	isAbout := func(f finding) bool { return isProof(f.Finding) }
	return slices.ContainsFunc(r.found, isAbout) ||
		slices.ContainsFunc(r.Results, failsApproved)
}

func isProof(i workflow.Finding) bool { return i.Kind == proof.Rule }

func failsApproved(res workflow.Result) bool {
	return res.Decision == workflow.NeedsChanges && res.Integrity != nil &&
		res.Integrity.Verdict == string(integrity.Failing)
}

// nothingNamed reports whether a review lists nothing that blocks.
func nothingNamed(res workflow.Result) bool {
	return len(res.Violations)+len(failing(res.Criteria))+len(notMet(res)) == 0 &&
		!slices.ContainsFunc(res.Issues, res.Blocks)
}

// awaitsLabel reports whether a review ended over changes of approved tests that a person must
// judge.
func (r Report) awaitsLabel() bool {
	return slices.ContainsFunc(r.refused(), func(res workflow.Result) bool {
		return res.Unasked == workflow.ByIntegrity && len(res.Violations) == 0 &&
			!failsApproved(res) && !slices.ContainsFunc(res.Issues, isProof)
	})
}

// putBack is the way back to approved tests, with the commands that do it.
func (r Report) putBack() string {
	step := "Put the approved tests back and change the code instead"
	if slices.ContainsFunc(r.Results, func(res workflow.Result) bool {
		return len(res.Violations) > 0 && res.Integrity != nil && res.Integrity.Unapproved
	}) {
		step = "Have the tests demand again what they demand in the merge base " +
			"(nobody approved them; the config enforces them)"
	}
	var commands []string
	for _, p := range r.PutBack {
		command := p.command()
		if command == "" {
			commands = []string{"`workflow-reviewer restore`"}
			break
		}
		commands = append(commands, "`"+command+"`")
	}
	if len(commands) == 0 {
		return step + "."
	}
	return step + ": " + strings.Join(commands, ", ") + "; commit and push."
}

// decidable reports whether a person may decide otherwise than a review of this run did.
func (r Report) decidable() bool {
	return r.isPull() && !r.Event.Fork && slices.ContainsFunc(r.refused(), mayBeOverruled)
}

// mayBeOverruled reports whether people may answer for a review: what was measured or violated
// nobody may.
func mayBeOverruled(res workflow.Result) bool {
	measured := slices.ContainsFunc(res.Checks,
		func(c workflow.Check) bool { return c.Gate && c.Outcome == workflow.Failed })
	return len(res.Violations) == 0 && !measured &&
		(res.Unasked == "" || res.Unasked == workflow.ByLimit)
}

func (r Report) isPull() bool { return r.Event.Number > 0 }

// blocking counts what the author can correct: findings, requirements and criteria. That approved
// tests fail has a step of its own.
func (r Report) blocking() []string {
	findings, requirements, criteria := r.blockers()
	findings = filter(findings, func(f finding) bool { return !isProof(f.Finding) })
	return counted(amount{len(findings), "finding"}, amount{len(requirements), "requirement"},
		amount{len(criteria), "criterion"})
}

// passing says what does not block beside what does, "" for nothing.
func (r Report) passing() string {
	_, other := r.splitFindings()
	return strings.Join(counted(
		amount{len(other), "other finding"}, amount{len(r.Weakened), "weakened unapproved test"},
		amount{len(r.warnings()), "warning"},
	), ", ")
}

// amount is a number of things of one kind.
type amount struct {
	n    int
	what string
}

// counted are those of which there are any.
func counted(all ...amount) (out []string) {
	for _, c := range all {
		if c.n > 0 {
			out = append(out, workflow.Count(c.n, c.what))
		}
	}
	return out
}

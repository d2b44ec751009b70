package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/proof"
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

// command is what puts the files back, in the words of git alone; "" where a shell would need more
// than that.
func (p PutBack) command() string {
	if len(p.Paths) > maxPutBack {
		return ""
	}
	words := []string{"git", "rm", "--"}
	if p.Commit != "" {
		words = []string{"git", "checkout", p.Commit[:min(7, len(p.Commit))], "--"}
	}
	for _, path := range p.Paths {
		plain := !strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || strings.ContainsRune("'`\"$\\*?[]{}()<>|&;!#~", r) })
		if !plain {
			return ""
		}
		words = append(words, path)
	}
	return strings.Join(words, " ")
}

// steps are what turns a run that is not green into one that is, and who can do it: plain text with code spans, in the
// order in which to do them.
func (r Report) steps() []string {
	if r.Cancelled || r.Decision.ExitCode() == 0 {
		return nil
	}
	var out []string
	add := func(when bool, step string) {
		if when && step != "" && !slices.Contains(out, step) {
			out = append(out, step)
		}
	}
	for _, f := range r.failed() {
		add(len(out) < maxActions, f.Action)
	}
	add(len(r.failed()) > 0 && r.isPull(), "Run again what did not run: comment "+r.command(workflow.CommandReview)+", or re-run the job.")
	r.integritySteps(add)
	add(len(r.blocking()) > 0, "Correct what blocks ("+strings.Join(r.blocking(), ", ")+"), commit and push.")
	for _, res := range r.Results {
		if res.Decision == workflow.NeedsChanges {
			add(true, r.reviewStep(res))
		}
	}
	add(r.decidable(), r.whoDecides())
	return out
}

// reviewStep is what a review that refused asks for beside corrections.
func (r Report) reviewStep(res workflow.Result) string {
	switch {
	case res.Unasked == workflow.ByLimit:
		return "The rounds are used up: a person decides. " + r.command(workflow.CommandReview) + " opens one round more."
	case res.MustBeReadBy == workflow.ByModel:
		return "Run with the engine `codex`: a model must read what only the built-in checks looked at."
	case res.MustBeReadBy != "":
		return "Have a person read it, who answers for the review by " + r.command(workflow.CommandOverride) + "."
	case res.Unasked == "" && r.nothingNamed(res):
		return "Read the review of " + res.Artifact.Name() + ": it refuses, and names no finding."
	}
	return ""
}

// nothingNamed reports whether a review lists nothing that blocks.
func (r Report) nothingNamed(res workflow.Result) bool {
	return len(res.Violations)+len(failing(res.Criteria)) == 0 && !slices.ContainsFunc(res.Issues, res.Blocks) &&
		!slices.ContainsFunc(res.Requirements, func(q workflow.Requirement) bool { return q.Status == workflow.NotMet })
}

// maxActions is how many remedies of failures are steps of their own.
const maxActions = 3

// integritySteps are those that a breach, a workaround, failing approved tests and open questions about them ask for.
func (r Report) integritySteps(add func(bool, string)) {
	add(r.breached(), r.putBack())
	label := fmt.Sprintf("If the new tests are meant, somebody with write permission sets the label `%s:tests`: they are reviewed and "+
		"approved anew. No comment allows the change.", cmp.Or(r.Label, "re-review"))
	add(r.breached() && r.isPull(), label)
	add(r.breached() && !r.isPull(), "If the new tests are meant, have them approved in the pull request.")
	add(len(r.AllViolations()) > 0 && !r.breached(), "Make the code do what the tests check, for any input. What is meant as it "+
		"stands can be excused in `.workflow/integrity-allow.json` of the base branch.")
	add(r.failing(), "Correct the code until the approved tests pass; they ran as they were approved. No comment overrides this.")
	add(slices.ContainsFunc(r.Results, awaitsLabel), fmt.Sprintf("Tests changed in a way that only a person can judge: put them back, "+
		"or somebody with write permission sets the label `%s:tests`.", cmp.Or(r.Label, "re-review")))
}

// awaitsLabel reports whether a review ended over changes of approved tests that a person must judge.
func awaitsLabel(res workflow.Result) bool {
	return res.Unasked == workflow.ByIntegrity && res.Decision == workflow.NeedsChanges && len(res.Violations) == 0 &&
		!failsApproved(res) && !slices.ContainsFunc(res.Issues, func(i workflow.Finding) bool { return i.Kind == proof.Rule })
}

// putBack is the way back to approved tests.
func (r Report) putBack() string {
	var commands []string
	for _, p := range r.PutBack {
		command := p.command()
		if command == "" {
			commands = []string{"`workflow-reviewer restore`"}
			break
		}
		commands = append(commands, "`"+command+"`")
	}
	if slices.ContainsFunc(r.Results, breaksUnapproved) {
		return sentence("Have the tests demand again what they demand in the merge base (nobody approved them; the config enforces them)",
			commands)
	}
	return sentence("Put the approved tests back and change the code instead", commands)
}

// sentence is a step with the commands that do it.
func sentence(step string, commands []string) string {
	if len(commands) == 0 {
		return step + "."
	}
	return step + ": " + strings.Join(commands, ", ") + "; commit and push."
}

// breaksUnapproved reports whether a review ended for tests that nobody approved.
func breaksUnapproved(res workflow.Result) bool {
	return len(res.Violations) > 0 && res.Integrity != nil && res.Integrity.Unapproved
}

// whoDecides says who may decide otherwise than a review did, and who may not.
func (r Report) whoDecides() string {
	who, not := "Somebody with write permission", ""
	if !r.AuthorDecides {
		who += " other than the author"
		if r.Event.Author != "" {
			not = " " + r.Event.Author + " cannot: authors decide nothing on their own pull request."
		}
	}
	return fmt.Sprintf("Not right? %s comments `%s <reason>` to set a finding aside, or `%s <reason>` to answer for a review.%s",
		who, r.Commands.Of(workflow.CommandDismiss)+" <id>", r.Commands.Of(workflow.CommandOverride)+" <type>:<feature>", not)
}

// decidable reports whether a person may decide otherwise than a review of this run did.
func (r Report) decidable() bool {
	return r.isPull() && !r.Event.Fork && slices.ContainsFunc(r.Results, func(res workflow.Result) bool {
		return res.Decision == workflow.NeedsChanges && mayBeOverruled(res)
	})
}

// mayBeOverruled reports whether people may answer for a review: what was measured or violated nobody may.
func mayBeOverruled(res workflow.Result) bool {
	measured := slices.ContainsFunc(res.Checks, func(c workflow.Check) bool { return c.Gate && c.Outcome == workflow.Failed })
	return len(res.Violations) == 0 && !measured && (res.Unasked == "" || res.Unasked == workflow.ByLimit)
}

func (r Report) isPull() bool { return r.Event.Number > 0 }

func (r Report) command(name string) string { return "`" + r.Commands.Of(name) + "`" }

// failed are the failures of the run and of its reviews.
func (r Report) failed() []workflow.Failure {
	var out []workflow.Failure
	if r.Failure != nil {
		out = append(out, *r.Failure)
	}
	for _, res := range r.Results {
		if res.Decision == workflow.Error && res.Failure != nil {
			out = append(out, *res.Failure)
		}
	}
	return out
}

// blocking counts what the author can correct: findings, requirements and criteria.
func (r Report) blocking() []string {
	findings, _ := r.parted()
	requirements, criteria := 0, 0
	for _, res := range r.Results {
		if res.Decision != workflow.NeedsChanges {
			continue
		}
		for _, q := range res.Requirements {
			if q.Status == workflow.NotMet {
				requirements++
			}
		}
		criteria += len(failing(res.Criteria))
	}
	if len(findings)+requirements > 0 {
		criteria = 0 // what they grade is among these
	}
	return counted(amount{len(findings), "finding"}, amount{requirements, "requirement"}, amount{criteria, "criterion"})
}

// amount is a number of things of one kind.
type amount struct {
	n    int
	what string
}

// counted are those of which there are any.
func counted(all ...amount) []string {
	var out []string
	for _, c := range all {
		if c.n > 0 {
			out = append(out, workflow.Count(c.n, c.what))
		}
	}
	return out
}

// passing says what does not block beside what does, "" for nothing.
func (r Report) passing() string {
	_, other := r.parted()
	return strings.Join(counted(
		amount{len(other), "other finding"}, amount{len(r.Weakened), "weakened unapproved test"}, amount{len(r.allWarnings()), "warning"},
	), ", ")
}

// parted are the findings that block and those that do not.
func (r Report) parted() (blocking, other []finding) {
	for _, f := range r.findings() {
		if r.tells(f.Finding) {
			continue
		}
		if f.result < 0 || f.of(r).Blocks(f.Finding) {
			blocking = append(blocking, f)
		} else {
			other = append(other, f)
		}
	}
	return blocking, other
}

// tells reports whether the list of weakened tests says what an issue does.
func (r Report) tells(i workflow.Finding) bool {
	return slices.ContainsFunc(r.Weakened, func(v workflow.Finding) bool {
		return i.Kind == "integrity/"+v.Kind && i.File == v.File && i.Line == v.Line
	})
}

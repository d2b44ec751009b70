package evidence

import "fmt"

// Demand is what approved files hold, counted by syntax.
type Demand struct {
	Tests   int // at least as many run or are skipped
	Skipped int // at most as many are skipped
}

// Outcome is what a run shows.
type Outcome int

// The outcomes. The zero value shows nothing.
const (
	Inconclusive Outcome = iota
	Failed
	Passed
)

// Judge says what a run of approved tests shows, and why if they did not pass. What fails on the
// merge base's sources as well does not count; where nothing tells whether it is the same that
// fails, the run is inconclusive.
func (e Evidence) Judge(d Demand) (Outcome, string) {
	if !e.Counted() {
		return e.judgeExit()
	}
	counting := e.Tests.Failed - (len(e.Failures) - len(e.Counting()))
	known := e.failsBefore()
	ran, skips := e.Tests.Run+e.Tests.Skipped, d.Skipped
	if e.Before != nil {
		skips = max(skips, e.Before.Tests.Skipped)
	}
	switch {
	case counting > 0:
		return Failed, fmt.Sprintf("%d of %d tests fail", counting, e.Tests.Run)
	case e.Exit != 0 && e.Tests.Failed == 0 && e.Before != nil && e.Before.Exit != 0:
		return Inconclusive, fmt.Sprintf("no test fails, but the command ends with status %d, "+
			"on the merge base with %d", e.Exit, e.Before.Exit)
	case e.Exit != 0 && !known:
		return Failed, fmt.Sprintf("the command ends with status %d", e.Exit)
	case e.Tests.Run == 0:
		return Failed, "no test ran"
	case e.Starved(d):
		return Inconclusive, fmt.Sprintf("what fails on the merge base as well keeps tests from "+
			"running: %d ran or were skipped, the approved files hold %d", ran, d.Tests)
	case ran < d.Tests:
		return Failed, fmt.Sprintf(
			"%d tests ran or were skipped, the approved files hold %d", ran, d.Tests,
		)
	case e.Tests.Skipped > skips:
		return Failed, fmt.Sprintf(
			"%d tests were skipped, the approved files skip %d",
			e.Tests.Skipped,
			skips,
		)
	default:
		return Passed, ""
	}
}

// failsBefore reports whether tests fail with the change and without it.
func (e Evidence) failsBefore() bool {
	return e.Before != nil && e.Before.Exit != 0 && e.Exit != 0 && e.Tests.Failed > 0
}

// Starved reports whether what fails with the change and without it keeps other tests from running.
func (e Evidence) Starved(d Demand) bool {
	return e.failsBefore() && e.Tests.Run+e.Tests.Skipped < d.Tests
}

// judgeExit is Judge where the exit status is all that is known.
func (e Evidence) judgeExit() (Outcome, string) {
	switch {
	case e.Exit == 0:
		return Passed, ""
	case e.Before != nil && e.Before.Exit != 0:
		return Inconclusive, fmt.Sprintf(
			"the command fails on the merge base, too (status %d), and no results tell tests apart",
			e.Before.Exit,
		)
	default:
		return Failed, fmt.Sprintf("the command ends with status %d", e.Exit)
	}
}

// FailsWithout reports, of red evidence, whether the head's new and changed tests fail without the
// change: then they demand it.
func (e Evidence) FailsWithout() bool { return e.Exit != 0 || e.Tests.Failed > 0 }

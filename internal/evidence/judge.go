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
	known := e.Before != nil && e.Before.Exit != 0 && e.Exit != 0 && e.Tests.Failed > 0
	ran, skips := e.Tests.Run+e.Tests.Skipped, d.Skipped
	if e.Before != nil {
		skips = max(skips, e.Before.Tests.Skipped)
	}
	least := d.Tests
	if known { // what breaks the run on both sides takes the same tests with it
		least = min(least, e.Before.Tests.Run+e.Before.Tests.Skipped)
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
	case ran < least:
		return Failed, fmt.Sprintf(
			"%d tests ran or were skipped, the approved files hold %d",
			ran,
			least,
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

package workflow

import "fmt"

// Decision is a verdict. The zero value is Error, the one that blocks, and a smaller value is a
// worse one.
type Decision int

// The decisions, worst first.
const (
	Error        Decision = iota // the review did not run to its end
	NeedsChanges                 // it ran and found something that blocks
	Approved
	None // nothing to review
)

// String is the decision as files, outputs and checks spell it.
func (d Decision) String() string {
	switch d {
	case NeedsChanges:
		return "NEEDS-CHANGES"
	case Approved:
		return "APPROVED"
	case None:
		return "NONE"
	default:
		return "ERROR"
	}
}

// MarshalText implements encoding.TextMarshaler.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler; it accepts exactly the spellings of String.
func (d *Decision) UnmarshalText(b []byte) error {
	for _, c := range []Decision{Error, NeedsChanges, Approved, None} {
		if string(b) == c.String() {
			*d = c
			return nil
		}
	}
	return fmt.Errorf("decision %q is not one of ERROR, NEEDS-CHANGES, APPROVED, NONE", b)
}

// ExitCode is the process's exit status for a decision.
func (d Decision) ExitCode() int {
	switch d {
	case Approved, None:
		return 0
	case NeedsChanges:
		return 1
	default:
		return 2
	}
}

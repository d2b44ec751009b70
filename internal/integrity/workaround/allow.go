package workaround

import (
	"time"

	"workflow-reviewer/internal/workflow"
)

// AllowPath is where the exceptions from the rules stand; they count only as
// the base commit has them.
const AllowPath = ".workflow/integrity-allow.json"

// Allowance is one exception.
type Allowance struct {
	Rule    string    // id of a rule
	Path    string    // glob
	Reason  string    // for people
	Expires time.Time // the last day on which it counts, UTC
}

// ParseAllow reads an allow file; its errors name the entry and what to do.
func ParseAllow(data []byte) ([]Allowance, error) { return nil, nil }

// Apply takes the excused ones out of the violations. Only workarounds can be
// excused. An allowance that would have excused one but has expired is named
// in a notice.
func Apply(violations []workflow.Violation, allowances []Allowance, today time.Time) (kept, excused []workflow.Violation, notices []workflow.Notice) {
	return violations, nil, nil
}

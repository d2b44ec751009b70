package trick

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/internal/workflow"
)

// AllowPath is where the exceptions from the rules stand; they count only as the base commit has
// them.
const AllowPath = ".workflow/integrity-allow.json"

// unread stands for a file that could not be read, in an allow file.
const unread = "unread"

// Limits of an allow file.
const (
	maxAllowFile  = 256 << 10
	maxAllowances = 500
)

// Allowance is one exception.
type Allowance struct {
	Rule    string    // id of a rule
	Path    string    // pattern of the files, ** for any folders
	Reason  string    // for people
	Expires time.Time // the last day on which it counts, UTC
}

// allowEntry is one exception in .workflow/integrity-allow.json.
type allowEntry struct {
	Rule   string `json:"rule"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Expiry string `json:"expiry"`
}

// ParseAllow reads an allow file:
//
//	[{"rule": "process-exit", "path": "tools/*.py", "reason": "…", "expiry": "2027-06-30"}]
//
// It is strict, and its errors name the entry and what to do: an exception that is not understood
// must not be taken for none, nor for a wider one.
func ParseAllow(data []byte) ([]Allowance, error) {
	if len(data) > maxAllowFile {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", AllowPath, len(data),
			maxAllowFile)
	}
	var entries []allowEntry
	keys := []string{"rule", "path", "reason", "expiry"}
	if err := strictjson.Decode(bom.UTF8(data), &entries, 2, keys); err != nil {
		return nil, fmt.Errorf("parse %s: %w; it is a list of entries with the keys %s", AllowPath,
			err, strings.Join(keys, ", "))
	}
	if len(entries) > maxAllowances {
		return nil, fmt.Errorf("%s has %d entries; at most %d are read", AllowPath, len(entries),
			maxAllowances)
	}
	return allowances(entries)
}

// allowances checks the entries. All that is wrong is told at once, each by the entry's number.
func allowances(entries []allowEntry) ([]Allowance, error) {
	var out []Allowance
	var errs []error
	for i, e := range entries {
		a := Allowance{Rule: e.Rule, Path: e.Path, Reason: strings.TrimSpace(e.Reason)}
		problem := a.problem()
		var err error
		a.Expires, err = time.Parse(time.DateOnly, e.Expiry)
		if err != nil && problem == "" {
			problem = fmt.Sprintf(
				"expiry is %q; write the last day on which it counts, as 2027-06-30",
				e.Expiry,
			)
		}
		if problem != "" {
			errs = append(errs, fmt.Errorf("%s: entry %d: %s", AllowPath, i+1, problem))
		}
		out = append(out, a)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

// problem says what is wrong with an allowance besides its date, "" if nothing.
func (a Allowance) problem() string {
	var ids []string
	for _, r := range Entries() {
		ids = append(ids, r.ID())
	}
	ids = append(ids, unread)
	switch {
	case !slices.Contains(ids, a.Rule):
		return fmt.Sprintf("rule is %q; the rules are %s", a.Rule, strings.Join(ids, ", "))
	case a.Path == "" || path.IsAbs(a.Path) || slices.Contains(strings.Split(a.Path, "/"), "..") ||
		!doublestar.ValidatePattern(a.Path):
		return fmt.Sprintf(
			"path is %q; write a pattern from the repository's root such as tools/*.py",
			a.Path,
		)
	case strings.Trim(a.Path, "*/.") == "":
		return fmt.Sprintf("path is %q, which is every file; name the file or folder", a.Path)
	case a.Reason == "":
		return "reason is missing; say why this is no workaround"
	}
	return ""
}

// covers reports whether the allowance is for a violation, whatever the date.
func (a Allowance) covers(v workflow.Finding) bool {
	ok, err := doublestar.Match(a.Path, v.File)
	return err == nil && ok && strings.ReplaceAll(a.Rule, "-", "_") == v.Kind
}

// Apply takes the excused ones out of the violations. Only workarounds can be excused. The notices
// say what was excused, and name allowances that would excuse something but have expired.
func Apply(violations []workflow.Finding, allowances []Allowance, today time.Time) (
	kept, excused []workflow.Finding, notices []workflow.Finding,
) {
	for _, v := range violations {
		a, expired := allowance(v, allowances, today)
		switch {
		case a == nil:
			kept = append(kept, v)
		case expired:
			kept = append(kept, v)
			notices = append(
				notices,
				workflow.Finding{Level: workflow.Warn, File: v.File, Text: fmt.Sprintf(
					"the exception from %s for %s in %s expired on %s; renew it on the base branch or remove what it excused",
					a.Rule,
					a.Path,
					AllowPath,
					a.Expires.Format(time.DateOnly),
				)},
			)
		default:
			excused = append(excused, v)
			notices = append(notices, workflow.Finding{File: v.File, Text: fmt.Sprintf(
				"%s:%d: %s is excused by %s until %s: %s",
				v.File,
				v.Line,
				a.Rule,
				AllowPath,
				a.Expires.Format(time.DateOnly),
				a.Reason,
			)})
		}
	}
	return kept, excused, notices
}

// allowance is the first that covers a violation, one that has not expired before those that have.
func allowance(v workflow.Finding, allowances []Allowance,
	today time.Time,
) (found *Allowance, expired bool) {
	if v.Category != violation.Workaround {
		return nil, false
	}
	for i, a := range allowances {
		if !a.covers(v) {
			continue
		}
		if today.UTC().Before(a.Expires.AddDate(0, 0, 1)) {
			return &allowances[i], false
		}
		if found == nil {
			found, expired = &allowances[i], true
		}
	}
	return found, expired
}

// Excuses is the reason that an allowance that has not expired gives for leaving
// a file out that a rule is about, "" if there is none.
func Excuses(allowances []Allowance, rule, file string, today time.Time) string {
	v := workflow.Finding{Category: violation.Workaround, Kind: rule, File: file}
	if a, expired := allowance(v, allowances, today); a != nil && !expired {
		return a.Reason
	}
	return ""
}

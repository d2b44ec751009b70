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

// covers reports whether the allowance is for a finding, whatever the date: for a workaround, or a
// question about what may be one.
func (a Allowance) covers(v workflow.Finding) bool {
	ok, err := doublestar.Match(a.Path, v.File)
	return err == nil && ok && strings.ReplaceAll(a.Rule, "-", "_") == v.Kind &&
		(v.Category == violation.Workaround || v.Level == workflow.Ask)
}

// Excuses reports whether an exception holds for a finding. The notice says which, or names one
// that would if it had not expired; it is nil where there is none.
func Excuses(all []Allowance, v workflow.Finding, today time.Time) (ok bool, n *workflow.Finding) {
	for _, a := range all {
		last := a.Expires.Format(time.DateOnly)
		of := fmt.Sprintf("%s in %s, by %s", a.Rule, v.File, AllowPath)
		switch {
		case !a.covers(v):
		case today.UTC().Before(a.Expires.AddDate(0, 0, 1)):
			text := fmt.Sprintf("excused until %s: %s: %s", last, of, a.Reason)
			return true, &workflow.Finding{File: v.File, Text: text}
		default:
			n = &workflow.Finding{Level: workflow.Warn, File: v.File, Text: fmt.Sprintf(
				"no longer excused: %s: the exception expired on %s; renew it on the base branch "+
					"or remove what it excused", of, last,
			)}
		}
	}
	return false, n
}

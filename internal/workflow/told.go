package workflow

import "strings"

// Told parts checks into those with something to tell – a finding, a number, what decides –, and lines that sum the
// others up: what found nothing, and what was not looked at and why.
func Told(checks []Check) (found []Check, rest []string) {
	var nothing, unlooked []string
	for _, c := range checks {
		switch {
		case c.Outcome == NotLooked:
			unlooked = append(unlooked, c.ID+" ("+c.Summary+")")
		case c.Outcome == Passed && !c.Gate && len(c.Figures) == 0:
			nothing = append(nothing, c.ID+" ("+strings.TrimPrefix(c.Summary, "nothing found in ")+")")
		default:
			found = append(found, c)
		}
	}
	if len(nothing) > 0 {
		rest = append(rest, "Nothing found: "+strings.Join(nothing, ", ")+".")
	}
	if len(unlooked) > 0 {
		rest = append(rest, "Not looked at: "+strings.Join(unlooked, ", ")+".")
	}
	return found, rest
}

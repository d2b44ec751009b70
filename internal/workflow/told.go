package workflow

import "strings"

// Told parts checks into those with something to tell – a finding, a number, what decides –, and
// lines that sum the others up: what found nothing, and what was not looked at and why. What does
// not apply is told by none.
func Told(checks []Check) (found []Check, rest []string) {
	var unlooked []string
	at := map[string]int{} // the line of what found nothing, by what that was looked for in
	for _, c := range checks {
		summary := strings.TrimSuffix(c.Summary, ".")
		line, told := at[summary]
		switch {
		case c.Outcome == NotLooked && c.Inapplicable:
		case c.Outcome == NotLooked:
			unlooked = append(unlooked, c.ID+" ("+summary+")")
		case c.Outcome != Passed || c.Gate || len(c.Figures) > 0:
			found = append(found, c)
		case told:
			rest[line] += ", " + c.ID
		default:
			at[summary] = len(rest)
			rest = append(rest, "Passed ("+summary+"): "+c.ID)
		}
	}
	if len(unlooked) > 0 {
		rest = append(rest, "Not looked at: "+strings.Join(unlooked, ", "))
	}
	for i := range rest {
		rest[i] += "."
	}
	return found, rest
}

package workflow

import "testing"

// TestARequirementIsToldOnce: by a High issue that names it, stands at its place or follows from it.
func TestARequirementIsToldOnce(t *testing.T) {
	named := Requirement{ID: "AC-1", File: "a.py", Line: 3}
	number := Requirement{ID: "1"}
	for name, c := range map[string]struct {
		of   Requirement
		by   Finding
		want bool
	}{
		"by its id":             {named, Finding{Level: Block, Text: "Without AC-1."}, true},
		"by its id, at the end": {named, Finding{Level: Block, Text: "AC-10 is, and not AC-1"}, true},
		"by a longer id":        {named, Finding{Level: Block, Text: "AC-10 and XAC-1 are not."}, false},
		"at its place":          {named, Finding{Level: Block, File: "a.py", Line: 3}, true},
		"by what is not High":   {named, Finding{Level: Warn, Text: "AC-1"}, false},
		"by a mere number":      {number, Finding{Level: Block, Text: "It has 1 argument."}, false},
		"as what follows":       {number, Finding{Level: Block, Kind: UnmetRule, Title: number.UnmetTitle() + "x"}, true},
		"as another's":          {number, Finding{Level: Block, Kind: UnmetRule, Title: "Requirement 12 is not met: x"}, false},
	} {
		if got := c.of.IsTold([]Finding{c.by}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

package formats

import (
	"regexp"
	"testing"
)

// TestTable: every format of the table has a name, a command, something to know it by, and an
// expression that compiles.
func TestTable(t *testing.T) {
	for kind, list := range formats() {
		for _, f := range list {
			if _, err := regexp.Compile(f.Holds); err != nil || f.Name == "" || f.Export == "" ||
				f.Begins+f.Holds+f.Suffix == "" {
				t.Errorf("%s: %+v: %v", kind, f, err)
			}
		}
	}
}

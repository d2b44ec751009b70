package coverage_test

import (
	"testing"

	"workflow-reviewer/internal/coverage"
)

// TestTotals: sums count where nothing is listed line by line, and never
// against what is.
func TestTotals(t *testing.T) {
	const class = `<packages><package><classes><class filename="a.py"><lines><line number="1" ` +
		`hits="0"/></lines></class></classes></package></packages>`
	for name, c := range map[string]struct {
		report          string
		lines, branches ratio
	}{
		"cobertura counts": {`<coverage lines-valid="10" lines-covered="7" branches-valid="4" branches-covered="1" ` +
			`line-rate="1"><packages/></coverage>`, ratio{7, 10}, ratio{1, 4}},
		"cobertura rates":     {`<coverage line-rate="0.655" branch-rate="0.5"/>`, ratio{6550, 10000}, ratio{5000, 10000}},
		"cobertura empty":     {`<coverage line-rate="1" branch-rate="1"><packages/></coverage>`, ratio{}, ratio{}},
		"cobertura no lines":  {`<coverage line-rate="1" lines-valid="0" lines-covered="0"><packages/></coverage>`, ratio{}, ratio{}},
		"cobertura lines win": {`<coverage line-rate="0.9">` + class + `</coverage>`, ratio{0, 1}, ratio{}},
		"lcov sums": {
			"SF:a\nLF:10\nLH:6\nBRF:4\nBRH:3\nend_of_record\nSF:b\nLF:10\nLH:6\nend_of_record\n",
			ratio{12, 20},
			ratio{3, 4},
		},
		"lcov lines win": {"SF:a\nDA:1,0\nLF:10\nLH:10\nend_of_record\n", ratio{0, 1}, ratio{}},
		"jacoco counters": {`<report><counter type="LINE" missed="3" covered="7"/><counter type="BRANCH" missed="1" ` +
			`covered="1"/></report>`, ratio{7, 10}, ratio{1, 2}},
		"jacoco inner counter": {`<report><package name="p"><counter type="LINE" missed="0" covered="9"/></package><counter type="LINE" ` +
			`missed="1" covered="9"/></report>`, ratio{9, 10}, ratio{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := parse(t, c.report); got.Lines != c.lines || got.Branches != c.branches {
				t.Errorf("lines %v, branches %v; want %v, %v", got.Lines, got.Branches, c.lines, c.branches)
			}
		})
	}
	for _, bad := range []string{
		`<coverage line-rate="2"><packages/></coverage>`, `<coverage line-rate="x"/>`,
		"SF:a\nLF:-1\nend_of_record\n", `<coverage lines-valid="1" lines-covered="2"><packages/></coverage>`,
	} {
		if _, err := coverage.Parse("r", []byte(bad)); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

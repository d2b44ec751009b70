package coverage

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"workflow-reviewer/internal/xmlscan"
)

// wholeReport stands for the files of a report that names none.
const wholeReport = "(whole report)"

// total takes over what a report says of a file as a whole, for what it does
// not list line by line: what is listed always counts.
func (f *FileCoverage) total(lines, branches Ratio) {
	for _, t := range []struct {
		into units
		sum  Ratio
	}{{f.lines, lines}, {f.branches, branches}} {
		if len(t.into) == 0 && t.sum.Measured() {
			t.into.add(fmt.Sprintf("total %d/%d", t.sum.Covered, t.sum.Total), t.sum)
		}
	}
}

// totals takes over what a report says of all its files.
func (b builder) totals(lines, branches Ratio) {
	listed := b.report()
	if listed.Lines.Measured() {
		lines = Ratio{}
	}
	if listed.Branches.Measured() {
		branches = Ratio{}
	}
	if lines.Measured() || branches.Measured() {
		b.file(wholeReport).total(lines, branches)
	}
}

// coberturaTotals reads the root's counts of a kind, "line" or "branch", or, where it has none, its
// rate. A rate of 1 without any count is what an empty report says, too, and measures nothing.
func coberturaTotals(root xmlscan.Element, kind, kinds string) (Ratio, error) {
	if root.Attr(kinds+"-valid") != "" {
		return ratio(root.Attr(kinds+"-covered"), root.Attr(kinds+"-valid"))
	}
	text := strings.TrimSpace(root.Attr(kind + "-rate"))
	if text == "" {
		return Ratio{}, nil
	}
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(rate) || rate < 0 || rate > 1 {
		return Ratio{}, fmt.Errorf("%s-rate %.40q is not between 0 and 1", kind, text)
	}
	if rate == 1 {
		return Ratio{}, nil
	}
	return Ratio{int(rate * 10_000), 10_000}, nil
}

// lcovTotals are the counts that close a record.
type lcovTotals map[string]int

// read takes a count; other keys are passed over.
func (t lcovTotals) read(key, value string) (err error) {
	switch key {
	case "LF", "LH", "BRF", "BRH":
		t[key], err = number(value)
	}
	return err
}

// close gives the counts to the record's file.
func (t lcovTotals) close(f *FileCoverage) {
	if f != nil {
		f.total(Ratio{min(t["LH"], t["LF"]), t["LF"]}, Ratio{min(t["BRH"], t["BRF"]), t["BRF"]})
	}
	clear(t)
}

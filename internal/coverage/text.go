package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/cover"
)

// parseGo reads a profile of go test -coverprofile. What counts are
// statements, as in go tool cover; such profiles know no branches.
func (b builder) parseGo(data []byte) error {
	profiles, err := cover.ParseProfilesFromReader(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("go cover profile: %w", err)
	}
	for _, p := range profiles {
		f := b.file(p.FileName)
		for _, block := range p.Blocks {
			n := block.NumStmt
			if n > 1<<20 {
				return fmt.Errorf("go cover profile: a block of %d statements", n)
			}
			r := Ratio{0, n}
			if block.Count > 0 {
				r.Covered = n
			}
			f.lines.add(
				fmt.Sprintf(
					"%d.%d,%d.%d", block.StartLine, block.StartCol, block.EndLine, block.EndCol,
				), r,
			)
		}
	}
	return nil
}

// parseLcov reads an lcov tracefile (geninfo(1)): DA lines for lines and BRDA lines for branches. A
// record that does not end is a file that was cut off.
func (b builder) parseLcov(data []byte) error {
	var f *FileCoverage
	n := 0
	for raw := range bytes.Lines(data) {
		n++
		key, value, _ := strings.Cut(strings.TrimSpace(string(raw)), ":")
		var err error
		switch key {
		case "SF":
			if f != nil {
				err = errors.New("SF before the end_of_record of the file above")
			}
			f = b.file(value)
		case "end_of_record":
			f = nil
		case "DA":
			err = f.lcovLine(value)
		case "BRDA":
			err = f.lcovBranch(value)
		}
		if err != nil {
			return fmt.Errorf("lcov line %d: %w", n, err)
		}
	}
	if f != nil {
		return errors.New("the lcov report ends before its end_of_record")
	}
	return nil
}

var errNoFile = errors.New("data outside of a file's record")

// lcovLine reads "line,hits[,checksum]".
func (f *FileCoverage) lcovLine(value string) error {
	fields := strings.Split(value, ",")
	if f == nil {
		return errNoFile
	}
	if len(fields) < 2 {
		return fmt.Errorf("DA:%.40q has no count", value)
	}
	return f.lcovHit(f.lines, fields[0], fields[0], fields[1])
}

// lcovBranch reads "line,[e]block,branch,taken"; taken is "-" where the line itself never ran.
func (f *FileCoverage) lcovBranch(value string) error {
	fields := strings.Split(value, ",")
	if f == nil {
		return errNoFile
	}
	if len(fields) < 4 {
		return fmt.Errorf("BRDA:%.40q has no count", value)
	}
	taken := fields[len(fields)-1]
	if taken == "-" {
		taken = "0"
	}
	return f.lcovHit(f.branches, strings.Join(fields[:len(fields)-1], ","), fields[0], taken)
}

// lcovHit records a hit count. A negative one, which compilers are known to write, is none.
func (*FileCoverage) lcovHit(into units, place, line, hits string) error {
	if _, err := lineNumber(line); err != nil {
		return err
	}
	count, err := strconv.ParseFloat(hits, 64)
	if err != nil && count == 0 { // out of range is a great many, not none
		return fmt.Errorf("%.40q is no count", hits)
	}
	into.add(place, hit(count > 0))
	return nil
}

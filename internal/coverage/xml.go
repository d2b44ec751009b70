package coverage

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/xmlscan"
)

// cobertura is coverage.xml of coverage.py, gcovr, coverlet, istanbul and others. Lines are listed
// by class and again by method; their numbers make them one.
type cobertura struct {
	Packages *struct {
		Classes []struct {
			File    string          `xml:"filename,attr"`
			Lines   []coberturaLine `xml:"lines>line"`
			Methods []coberturaLine `xml:"methods>method>lines>line"`
		} `xml:"package>classes>class"`
	} `xml:"packages"`
}

// coberturaLine is a line with its hits and, as "50% (1/2)", its branches.
type coberturaLine struct {
	Number     string `xml:"number,attr"`
	Hits       string `xml:"hits,attr"`
	Conditions string `xml:"condition-coverage,attr"`
}

// parseCobertura takes in a report of that format.
func (b builder) parseCobertura(data []byte) error {
	var report cobertura
	if err := xmlscan.Decode(data, &report); err != nil {
		return err
	}
	if report.Packages == nil {
		return errors.New("a <coverage> element without <packages> is no Cobertura report")
	}
	for _, class := range report.Packages.Classes {
		f := b.file(class.File)
		for _, line := range slices.Concat(class.Lines, class.Methods) {
			if err := f.coberturaLine(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// conditions matches the count in condition-coverage="50% (1/2)".
var conditions = regexp.MustCompile(`\((\d+)/(\d+)\)`)

// coberturaLine adds a line and its branches. Hits may be fractions, and may be too large for a
// float, which is many and not none.
func (f *FileCoverage) coberturaLine(line coberturaLine) error {
	number, err := lineNumber(line.Number)
	if err != nil {
		return err
	}
	hits, err := strconv.ParseFloat(line.Hits, 64)
	if err != nil && hits == 0 { // out of range is a great many, not none
		return fmt.Errorf("line %s: hits %q is no number", number, line.Hits)
	}
	f.lines.add(number, hit(hits > 0))
	m := conditions.FindStringSubmatch(line.Conditions)
	if m == nil {
		return nil
	}
	r, err := ratio(m[1], m[2])
	if err == nil {
		f.branches.add(number, r)
	}
	return err
}

// jacoco is jacoco.xml, whose groups nest. Instructions and branches are counted by line.
type jacoco struct {
	Counters []struct{} `xml:"counter"`
	Groups   []jacoco   `xml:"group"`
	Packages []struct {
		Name  string `xml:"name,attr"`
		Files []struct {
			Name  string       `xml:"name,attr"`
			Lines []jacocoLine `xml:"line"`
		} `xml:"sourcefile"`
	} `xml:"package"`
}

// jacocoLine is a line with its missed and covered instructions and branches.
type jacocoLine struct {
	Number       string `xml:"nr,attr"`
	Missed       string `xml:"mi,attr"`
	Covered      string `xml:"ci,attr"`
	MissedSides  string `xml:"mb,attr"`
	CoveredSides string `xml:"cb,attr"`
}

// parseJaCoCo takes in a report of that format.
func (b builder) parseJaCoCo(data []byte) error {
	var report jacoco
	if err := xmlscan.Decode(data, &report); err != nil {
		return err
	}
	if len(report.Counters)+len(report.Groups)+len(report.Packages) == 0 {
		return errors.New("a <report> element without <package> is no JaCoCo report")
	}
	if err := b.jacoco(report); err != nil {
		return err
	}
	if !b.report().Lines.Measured() {
		return errors.New("the JaCoCo report has no <line>: compile with debug information")
	}
	return nil
}

// jacoco takes in a report or one of its groups.
func (b builder) jacoco(report jacoco) error {
	for _, group := range report.Groups {
		if err := b.jacoco(group); err != nil {
			return err
		}
	}
	for _, p := range report.Packages {
		for _, file := range p.Files {
			f := b.file(strings.TrimPrefix(p.Name+"/"+file.Name, "/"))
			for _, line := range file.Lines {
				if err := f.jacocoLine(line); err != nil {
					return fmt.Errorf("line %.20q: %w", line.Number, err)
				}
			}
		}
	}
	return nil
}

// jacocoLine adds a line, which is covered if one of its instructions is, and its branches if it
// has any.
func (f *FileCoverage) jacocoLine(line jacocoLine) error {
	number, err := lineNumber(line.Number)
	instructions, errI := missedCovered(line.Missed, line.Covered)
	branches, errB := missedCovered(line.MissedSides, line.CoveredSides)
	if err := errors.Join(err, errI, errB); err != nil {
		return err
	}
	f.lines.add(number, hit(instructions.Covered > 0))
	if branches.Measured() {
		f.branches.add(number, branches)
	}
	return nil
}

// hit is one unit, covered or not.
func hit(covered bool) Ratio {
	if covered {
		return Ratio{1, 1}
	}
	return Ratio{0, 1}
}

// lineNumber checks a line number and returns it in its shortest spelling.
func lineNumber(text string) (string, error) {
	n, err := number(text)
	if err != nil {
		return "", fmt.Errorf("line number: %w", err)
	}
	return strconv.Itoa(n), nil
}

// missedCovered reads JaCoCo's pair of counts. Both are whole numbers; an absent one is an error of
// number.
func missedCovered(missed, covered string) (Ratio, error) {
	m, errM := number(missed)
	c, errC := number(covered)
	return Ratio{c, m + c}, errors.Join(errM, errC)
}

// ratio reads Cobertura's pair of counts. More covered than there are is an error.
func ratio(covered, total string) (Ratio, error) {
	c, errC := number(covered)
	t, errT := number(total)
	if err := errors.Join(errC, errT); err != nil {
		return Ratio{}, err
	}
	if c > t {
		return Ratio{}, fmt.Errorf("%d of %d conditions cannot be covered", c, t)
	}
	return Ratio{c, t}, nil
}

// number reads a count that can be summed without overflow.
func number(text string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%.40q is no count", text)
	}
	return int(n), nil
}

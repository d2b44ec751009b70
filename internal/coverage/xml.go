package coverage

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"workflow-reviewer/internal/xmlscan"
)

// parseCobertura reads coverage.xml of coverage.py, gcovr, coverlet, istanbul and others. Lines are
// listed by class and again by method; their numbers make them one.
func (b builder) parseCobertura(data []byte) error {
	v := &cobertura{builder: b}
	if err := xmlscan.Scan(data, v); err != nil {
		return err
	}
	if !v.packages {
		return errors.New("a <coverage> element without <packages> is no Cobertura report")
	}
	return nil
}

// cobertura reads a report of that format. File is nil outside of a class.
type cobertura struct {
	builder
	packages bool
	file     *FileCoverage
}

// Start takes the name of a class's file and the hits of its lines. A line outside of a class is an
// error, since nothing says which file it is of.
func (v *cobertura) Start(e xmlscan.Element) error {
	switch e.Name {
	case "packages":
		v.packages = true
	case "class":
		v.file = v.builder.file(e.Attr("filename"))
	case "line":
		if v.file == nil {
			return errors.New("<line> outside of a <class>")
		}
		return v.line(e)
	}
	return nil
}

// conditions matches the count in condition-coverage="50% (1/2)".
var conditions = regexp.MustCompile(`\((\d+)/(\d+)\)`)

// line adds a line and, if it says "50% (1/2)", its branches. Hits may be fractions, and may be too
// large for a float, which is many and not none.
func (v *cobertura) line(e xmlscan.Element) error {
	number, err := lineNumber(e.Attr("number"))
	if err != nil {
		return err
	}
	hits, err := strconv.ParseFloat(e.Attr("hits"), 64)
	if err != nil && hits == 0 { // out of range is a great many, not none
		return fmt.Errorf("line %s: hits %q is no number", number, e.Attr("hits"))
	}
	v.file.lines.add(number, hit(hits > 0))
	m := conditions.FindStringSubmatch(e.Attr("condition-coverage"))
	if m == nil {
		return nil
	}
	r, err := ratio(m[1], m[2])
	if err == nil {
		v.file.branches.add(number, r)
	}
	return err
}

func (*cobertura) Text(string) error { return nil }

// End closes the class that the following lines would be of.
func (v *cobertura) End(name string, _ int) error {
	if name == "class" {
		v.file = nil
	}
	return nil
}

// parseJaCoCo reads jacoco.xml by the lines of its source files; instructions and branches are
// counted there.
func (b builder) parseJaCoCo(data []byte) error {
	v := &jacoco{builder: b}
	if err := xmlscan.Scan(data, v); err != nil {
		return err
	}
	if !v.counters {
		return errors.New("a <report> element without <counter> is no JaCoCo report")
	}
	if !b.report().Lines.Measured() {
		return errors.New("the JaCoCo report has no <line>: compile with debug information")
	}
	return nil
}

// jacoco reads a report of that format. File is nil outside of a source file.
type jacoco struct {
	builder
	pkg      string
	file     *FileCoverage
	counters bool
}

// Start takes the name of the package and of its source file, and the figures of lines.
func (v *jacoco) Start(e xmlscan.Element) error {
	switch e.Name {
	case "package":
		v.pkg = e.Attr("name")
	case "sourcefile":
		v.file = v.builder.file(strings.TrimPrefix(v.pkg+"/"+e.Attr("name"), "/"))
	case "counter":
		v.counters = true
	case "line":
		if v.file == nil {
			return errors.New("<line> outside of a <sourcefile>")
		}
		return v.line(e)
	}
	return nil
}

// line adds a line, which is covered if one of its instructions is, and its branches if it has any.
func (v *jacoco) line(e xmlscan.Element) error {
	number, err := lineNumber(e.Attr("nr"))
	if err != nil {
		return err
	}
	instructions, err := missedCovered(e.Attr("mi"), e.Attr("ci"))
	if err != nil {
		return fmt.Errorf("line %s: %w", number, err)
	}
	v.file.lines.add(number, hit(instructions.Covered > 0))
	branches, err := missedCovered(e.Attr("mb"), e.Attr("cb"))
	if err != nil {
		return fmt.Errorf("line %s: %w", number, err)
	}
	if branches.Measured() {
		v.file.branches.add(number, branches)
	}
	return nil
}

func (*jacoco) Text(string) error { return nil }

// End closes the source file that the following lines would be of.
func (v *jacoco) End(name string, _ int) error {
	if name == "sourcefile" {
		v.file = nil
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

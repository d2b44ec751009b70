// Package coverage reads coverage reports: Cobertura and JaCoCo XML, lcov, and Go cover profiles.
// Parsing is pure. Reports are merged by file and line, so that two runs that cover the same line
// count it once.
package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/formats"
	"workflow-reviewer/internal/xmlscan"
)

// Ratio counts the covered units of a total; 0 ≤ Covered ≤ Total.
type Ratio struct {
	Covered int
	Total   int
}

// Measured reports whether there was anything to cover. What was not measured is neither 0 % nor
// 100 %.
func (r Ratio) Measured() bool { return r.Total > 0 }

// Percent is the share in percent with one decimal, rounded down so that a
// figure below a threshold never looks as if it met it; 0 if not measured.
func (r Ratio) Percent() float64 {
	if !r.Measured() {
		return 0
	}
	return math.Floor(float64(r.Covered)*1000/float64(r.Total)) / 10
}

// Below reports whether the ratio was measured and is under a threshold in percent.
func (r Ratio) Below(threshold float64) bool {
	return r.Measured() && float64(r.Covered)*100 < threshold*float64(r.Total)
}

// String is "71.2 %", or "not measured".
func (r Ratio) String() string {
	if !r.Measured() {
		return "not measured"
	}
	return fmt.Sprintf("%.1f %%", r.Percent())
}

func (r Ratio) add(o Ratio) Ratio { return Ratio{r.Covered + o.Covered, r.Total + o.Total} }

// Report merges one or more coverage reports.
type Report struct {
	Lines    Ratio          // Go profiles count statements instead of lines
	Branches Ratio          // not measured by Go profiles and some others
	Files    []FileCoverage // sorted by path
}

// FileCoverage is the coverage of one source file.
type FileCoverage struct {
	Path     string // as the report spells it, with forward slashes
	Lines    Ratio
	Branches Ratio

	lines, branches units
}

// units holds what can be covered, by its place in the file.
type units map[string]Ratio

// add records a unit. Seen twice, the better covered one counts.
func (u units) add(place string, r Ratio) {
	old := u[place]
	u[place] = Ratio{max(old.Covered, r.Covered), max(old.Total, r.Total)}
}

// sum adds up the covered and the measured units of a file. Files without units sum up to a Ratio
// that is not Measured.
func (u units) sum() Ratio {
	var s Ratio
	for _, r := range u {
		s = s.add(r)
	}
	return s
}

// Parse reads one report of any known format, told by its content. The name stands for the report
// in errors. A report that measured nothing is no error: its Lines are not Measured.
func Parse(name string, data []byte) (Report, error) {
	b := builder{}
	data = bom.UTF8(data)
	if err := b.parse(data); err != nil {
		if other := formats.Coverage(name, data); other != "" {
			err = fmt.Errorf("%w: %s", err, other)
		}
		return Report{}, fmt.Errorf("read coverage report %q: %w", name, err)
	}
	return b.report(), nil
}

// Merge joins reports by file.
func Merge(reports ...Report) Report {
	b := builder{}
	for _, r := range reports {
		for _, f := range r.Files {
			into := b.file(f.Path)
			for place, r := range f.lines {
				into.lines.add(place, r)
			}
			for place, r := range f.branches {
				into.branches.add(place, r)
			}
		}
	}
	return b.report()
}

// builder collects files by path.
type builder map[string]*FileCoverage

// parse reads one report of any known format into the builder, by its first bytes. It fails on an
// empty report, on one of more than xmlscan.MaxBytes and on one of no known format. The builder
// then holds what was read so far.
func (b builder) parse(data []byte) error {
	if len(data) > xmlscan.MaxBytes {
		return fmt.Errorf("report is larger than %d MiB", xmlscan.MaxBytes>>20)
	}
	text := bytes.TrimSpace(data)
	switch {
	case len(text) == 0:
		return errors.New("the report is empty")
	case text[0] == '<':
		return b.parseXML(data)
	case bytes.HasPrefix(text, []byte("mode: ")):
		return b.parseGo(text)
	case bytes.HasPrefix(text, []byte("TN:")), bytes.HasPrefix(text, []byte("SF:")):
		return b.parseLcov(text)
	default:
		return errors.New("neither Cobertura XML, JaCoCo XML, lcov, nor a Go cover profile")
	}
}

// parseXML tells the two formats in XML by their root element, whose name is all of the report that
// an error quotes.
func (b builder) parseXML(data []byte) error {
	switch root := xmlscan.Root(data); root {
	case "coverage":
		return b.parseCobertura(data)
	case "report":
		return b.parseJaCoCo(data)
	default:
		return fmt.Errorf("<%.40s> is neither Cobertura (<coverage>) nor JaCoCo (<report>)", root)
	}
}

// file returns the coverage of a file, which it adds if the builder has none. Backslashes in the
// path are slashes, and a leading "./" is dropped, so that reports of several tools meet.
func (b builder) file(path string) *FileCoverage {
	path = strings.TrimPrefix(strings.ReplaceAll(path, `\`, "/"), "./")
	f := b[path]
	if f == nil {
		f = &FileCoverage{Path: path, lines: units{}, branches: units{}}
		b[path] = f
	}
	return f
}

// report sums up what the builder holds, with the files in the order of their paths.
func (b builder) report() Report {
	var r Report
	for _, path := range slices.Sorted(maps.Keys(b)) {
		f := b[path]
		f.Lines, f.Branches = f.lines.sum(), f.branches.sum()
		r.Lines = r.Lines.add(f.Lines)
		r.Branches = r.Branches.add(f.Branches)
		r.Files = append(r.Files, *f)
	}
	return r
}

// Package sarif reads what other tools found, as the Static Analysis Results Interchange Format
// 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/). Everything in a file may be
// hostile.
package sarif

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/strictjson"
)

// MaxFile is the largest file that is read, in bytes.
const MaxFile = 32 << 20

const (
	maxDepth   = 64     // of nested values; tools nest properties, fixes and code flows
	maxResults = 50_000 // in one file
	maxName    = 100    // characters of a tool's or a rule's name
	maxText    = 1_000  // characters of a message
)

// Level is the gravity that a tool gives a result.
type Level string

// The levels of the format.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
	None    Level = "none"
)

// Result is one finding of a tool.
type Result struct {
	Tool     string // "gitleaks"
	Rule     string // in the tool's own words, "" if it names none
	Level    Level
	Security bool   // the rule says that it is about security
	File     string // path below the repository's root
	Line     int    // from 1, 0 for the file as a whole
	EndLine  int    // at least Line
	Message  string // on one line
}

// Log holds the results of one or more tools.
type Log struct {
	Tools  []string            // that ran, sorted
	ByFile map[string][]Result // in the tools' order
}

// Merge adds what another file says.
func (l *Log) Merge(other Log) {
	if l.ByFile == nil {
		l.ByFile = map[string][]Result{}
	}
	l.Tools = append(l.Tools, other.Tools...)
	slices.Sort(l.Tools)
	l.Tools = slices.Compact(l.Tools)
	for file, results := range other.ByFile {
		l.ByFile[file] = append(l.ByFile[file], results...)
	}
}

// Parse reads a file. Results that are suppressed, that were there before, or that passed are left
// out, and so are those without a place below the root: roots are the absolute paths by which a
// tool may have named that.
func Parse(data []byte, roots ...string) (Log, error) {
	log, err := decode(data)
	if err != nil {
		return Log{}, err
	}
	var out Log
	total := 0
	for _, r := range log.Runs {
		tool := oneLine(r.Tool.Driver.Name, maxName)
		if total += len(r.Results); total > maxResults {
			return Log{}, fmt.Errorf("it has more than %d results; "+
				"have the tool look at the change alone", maxResults)
		}
		if tool == "" {
			return Log{}, errors.New("a run names no tool")
		}
		found, err := r.read(tool, roots)
		if err != nil {
			return Log{}, err
		}
		out.Merge(Log{Tools: []string{tool}, ByFile: found})
	}
	return out, nil
}

// decode reads a file of at most MaxFile bytes. Keys that come twice are an error, since readers
// differ about them.
func decode(data []byte) (log document, err error) {
	if len(data) > MaxFile {
		return log, fmt.Errorf("it has %d bytes, at most %d MiB are read", len(data), MaxFile>>20)
	}
	data = bom.UTF8(data)
	err = strictjson.UniqueKeys(data, maxDepth, nil)
	if err != nil {
		return log, fmt.Errorf("it is no JSON that can be read: %w", err)
	}
	if err := strictjson.Unmarshal(data, &log); err != nil {
		return log, fmt.Errorf("it is no SARIF: %w", err)
	}
	if log.Version != "2.1.0" || log.Runs == nil {
		return log, errors.New("it is no SARIF 2.1.0: version or runs are missing or other ones")
	}
	return log, nil
}

// read lists the results that count, by file. Roots are the folders that stand for the repository's
// root.
func (r run) read(tool string, roots []string) (map[string][]Result, error) {
	out := map[string][]Result{}
	rules := r.rules()
	place := places{bases: r.Bases, roots: roots}
	for i, f := range r.Results {
		if f.leftOut() {
			continue
		}
		of := rules.of(f)
		level, err := f.level(of)
		if err != nil {
			return nil, fmt.Errorf("result %d of %s: %w", i+1, tool, err)
		}
		at := f.place()
		named := at.Artifact
		if k := named.Index; named.URI == "" && k != nil && *k >= 0 && *k < len(r.Artifacts) {
			named = r.Artifacts[*k].Location
		}
		file, inside := place.path(named)
		if !inside {
			continue
		}
		out[file] = append(out[file], Result{
			Tool: tool, Rule: oneLine(f.ruleID(of), maxName), Level: level,
			Security: of.security(), File: file,
			Line: max(at.Region.Start, 0), EndLine: max(at.Region.Start, at.Region.End, 0),
			Message: f.text(of),
		})
	}
	return out, nil
}

// leftOut reports whether a result says itself that nobody needs to see it: that it passed, that it
// was there before or is gone, or that all its suppressions were accepted (3.27.9, 3.27.23 and
// 3.27.24 of the format).
func (f finding) leftOut() bool {
	switch {
	case f.Baseline == "unchanged", f.Baseline == "absent", f.Kind == "pass",
		f.Kind == "notApplicable":
		return true
	}
	for _, s := range f.Suppressions {
		if s.Status != "" && s.Status != "accepted" {
			return false
		}
	}
	return len(f.Suppressions) > 0
}

// level returns the result's own level, else its rule's, else the format's default, which is a
// warning (3.27.10). Any other word is an error: it could hide what should block.
func (f finding) level(of rule) (Level, error) {
	level := f.Level
	if level == "" && f.Kind != "" && f.Kind != "fail" {
		level = None
	}
	if level == "" {
		level = of.Configuration.Level
	}
	switch level {
	case "":
		return Warning, nil
	case Error, Warning, Note, None:
		return level, nil
	}
	return "", fmt.Errorf("level %q is not one of error, warning, note, none",
		oneLine(string(level), maxName))
}

// ruleID is the first id that result or rule gives, "" if neither does.
func (f finding) ruleID(of rule) string {
	for _, id := range []string{f.RuleID, f.Rule.ID, of.ID} {
		if id != "" {
			return id
		}
	}
	return ""
}

// place is the first place of a result, zero if it has none. Tools list related places behind the
// one that they mean.
func (f finding) place() physical {
	if len(f.Locations) == 0 {
		return physical{}
	}
	return f.Locations[0].Physical
}

// text is the message: its own, or the rule's with the arguments in it.
func (f finding) text(of rule) string {
	text := f.Message.Text
	if text == "" {
		text = of.Messages[f.Message.ID].Text
	}
	if text == "" {
		text = of.Short.Text
	}
	text = oneLine(text, maxText)
	for i, a := range f.Message.Arguments[:min(len(f.Message.Arguments), 10)] {
		text = strings.ReplaceAll(text, fmt.Sprintf("{%d}", i), oneLine(a, maxName))
	}
	return oneLine(text, maxText)
}

// oneLine is a text without control characters and line ends, cut to n characters.
func oneLine(s string, n int) string {
	s = s[:min(len(s), 16*n)]
	words := strings.Fields(strings.ToValidUTF8(strings.Map(printable, s), ""))
	runes := []rune(strings.Join(words, " "))
	if len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return string(runes)
}

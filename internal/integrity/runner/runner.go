// Package runner compares what decides which tests run and whether their failure counts:
// configuration of test runners, scripts, CI steps, and the files that a runner loads by itself.
// Such a file is parsed into settings or commands; a difference is a violation unless a closed list
// proves it harmless. The lists are data, in the folder data, each with a head that explains it. It
// also tells which files a runner would collect.
//
// What is written there may be hostile: nothing is executed, sizes are
// bounded, and what cannot be understood is reported, never passed over.
package runner

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// Result is what a comparison came to.
type Result struct {
	Violations  []workflow.Finding
	Harmless    []string // one line each: what differs and why it does not matter
	NotAnalysed []string // "path: why"; any difference of the file counts then
}

// Surroundings is what a comparison may know of the rest of the change. The zero value forgives
// nothing.
type Surroundings struct {
	// Called says that it is recorded since what runs the tests names it.
	Called bool
	// Read knows the approved tree.
	Read *Tree
	// Unused reports that no approved file contains a name. nil: all are used.
	Unused func(name string) bool
}

// maxFile bounds what is read of one file.
const maxFile = 1 << 20

var errUnknown = errors.New("tools may read it, and nothing is known of it")

var errTooLarge = errors.New("it is larger than 1 MiB")

var errBreaks = errors.New(
	"it holds characters that some programs take for the end of a line: write line feeds",
)

// oddBreaks reports whether a file has characters that end a line to some readers
// alone: to pip all that Python's splitlines knows, to Groovy escapes as well.
func oddBreaks(p string, src []byte) bool {
	return syntax.OddBreak(src) >= 0 || bytes.ContainsAny(src, "\v\f\x1c\x1d\x1e") ||
		(strings.HasSuffix(p, ".gradle") || strings.HasSuffix(p, "Jenkinsfile")) &&
			bytes.Contains(src, []byte(`\u`))
}

// tooLarge reports whether a file is not read; any difference of it counts then.
func tooLarge(b []byte) bool { return len(b) > maxFile }

// Compare judges the difference between two versions of a configuration file, workflow or
// autoloaded file. A nil before is a new file, which is a change whatever it says if a runner reads
// it in place of another in its folder; a nil after is one that is gone. Lines of violations
// count in after, or in before for what is gone. Of a file that is neither, any difference is a
// violation.
func Compare(p string, before, after []byte, around ...Surroundings) Result {
	var s Surroundings
	if len(around) > 0 {
		s = around[0]
	}
	c := newComparison(p, before, after)
	c.around = s
	if before == nil && IsConfig(p) {
		if hidden := hides(p, after, s.Read); hidden != "" {
			c.report(violation.ConfigNarrowed, 0, 1,
				"Test configuration displaced: the new file is read in place of "+hidden)
			return c.finish()
		}
	}
	// Guards come first: what is too large, or ends its lines where only some readers see it, is
	// not parsed at all. What its format cannot read falls under the byte rule (unread), so that a
	// file can hide nothing by being broken.
	switch {
	case bytes.Equal(before, after) && (before == nil) == (after == nil):
		return c.result
	case (tooLarge(before) || tooLarge(after)) && formatOf(p) != "lock":
		c.unread(errTooLarge)
	case oddBreaks(p, before), oddBreaks(p, after):
		c.unread(errBreaks)
	default:
		if err := c.byFormat(before, after); err != nil {
			c.unread(err)
		} else if after != nil {
			c.packages(before, after)
		}
	}
	if len(c.result.Violations)+len(c.result.Harmless) == 0 {
		c.harmless("only layout, comments or order differ")
	}
	return c.finish()
}

// byFormat compares two versions of a file by what the path says it is. errUnknown has it compared
// by its bytes.
func (c *comparison) byFormat(before, after []byte) error {
	switch f := formatOf(c.path); f {
	case "", "opaque":
		if kindOfFile(c.path).format == "prose" && !c.around.Read.isRunWith(c.path) {
			c.harmless("a document that no test is run with")
			return nil
		}
		return errUnknown
	case "lock":
		c.lines(
			"Package replaced: not known to be a package of the registry is ",
			"",
			func(line string) bool {
				return !knownValues["places"].MatchString(
					registry.ReplaceAllString(line, ""),
				) // it names no place but a registry
			},
		)
		return nil
	case "attributes":
		c.lines(
			"Approved files may be checked out as something else: ",
			"",
			func(line string) bool {
				isExport := knownValues["exports"].MatchString(line) &&
					!c.around.Read.says([]byte("git archive"))
				return isExport || knownValues["attributes"].MatchString(line)
			},
		)
		return nil
	case "ignores":
		inImage := c.around.Read.hasConfig(containers.MatchString)
		c.lines(
			"Test collection changed: an image may be made without tests: ",
			"",
			func(line string) bool {
				return !inImage || isForeign(line) || knownValues["ignores"].MatchString(line)
			},
		)
		return nil
	case "package":
		return c.packageJSON(before, after)
	case "bytes", "text":
		loaded := path.Ext(c.path) == ".rake" && namesTests.Match(after) // by rake itself
		if before != nil && (after != nil || f == "bytes") || !kindOfFile(c.path).ifRuns || loaded {
			c.bytes(before, after)
		}
		return nil
	case "github":
		return c.workflow(before, after)
	case "go":
		c.lines("Modules replaced: ", "Modules changed: no longer ", ofModule.MatchString)
		return nil
	default:
		return c.settings(f, before, after)
	}
}

// containers are files of containers.
var containers = lazyregexp.New(
	`(?i)(?:^|/)(?:(?:docker|container)file[^/]*|[^/]*\.dockerfile|(?:docker-)?compose[^/]*\.ya?ml)$`,
)

// ofModule is a line of go.mod or go.work that says which version of a module there is, and takes
// no module's place.
var ofModule = expression("ofModule")

// RunsTests reports whether a workflow, build file or script runs tests. What cannot be read is
// taken to do so.
func RunsTests(p string, content []byte, read *Tree) bool {
	if content == nil || tooLarge(content) {
		return content != nil
	}
	switch formatOf(p) {
	case "github":
		w, err := parsePipeline(content, read)
		return err != nil || w.gates()
	case "package":
		o, err := parseJSON(content)
		return err != nil ||
			len(read.testScripts(path.Dir(p), o)) > 0 // what they call is there only with them
	case "bytes":
		return kindOfFile(p).rules == "ci" || speaksOfTests.Match(content)
	default:
		return false
	}
}

// speaksOfTests is a file that may run tests: rather too many than too few.
var speaksOfTests = lazyregexp.New(`(?i)test|spec|check|verify`)

// namesTests is code of rake that may be about tasks of tests.
var namesTests = lazyregexp.New(`(?i)(?:\b|_)(?:tests?|specs?|checks?|verify)(?:\b|_)|testtask|rspec`)

// ByBytes reports whether of a file that runs tests any difference but blank lines counts, so that
// it is compared only where a record holds it.
func ByBytes(p string) bool { return formatOf(p) == "bytes" }

// Loads lists what a runner's configuration loads around the tests, as the file writes it: paths
// such as "<rootDir>/jest.setup.ts" and names of modules. Of a file that cannot be read it is
// empty.
func Loads(p string, src []byte) []string {
	f := formatOf(p)
	if tooLarge(src) {
		return nil
	}
	var out []string
	if f == "bytes" {
		for _, m := range loadedPath.FindAllSubmatch(src, -1) {
			out = append(out, string(m[1]))
		}
		return out
	}
	read, err := readOptions(f, src)
	if err != nil {
		return nil
	}
	for i := range read {
		o := &read[i]
		switch name := path.Base(o.key); {
		case name == "addopts" || name == "arguments":
			for _, m := range loadingFlag.FindAllStringSubmatch(strings.Join(o.texts(), " "), -1) {
				out = append(out, m[1])
			}
		case loading.MatchString(name):
			out = append(out, o.texts()...)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

var (
	// loadedPath is a path in a text of a source, as configuration names what it loads.
	loadedPath = lazyregexp.New("[\"'`]((?:<rootDir>|\\.{1,2})/[\\w./-]+)[\"'`]")
	// loadingFlag is an argument of a runner that loads what it names.
	loadingFlag = lazyregexp.New(`(?:^|\s)(?:-p|-r|--require|--import|--loader)[= ]?([\w./@-]+)`)
)

// Aliases are the path aliases of a tsconfig.json: what a pattern such as
// "@/*" stands for, relative to the file's folder.
func Aliases(src []byte) map[string][]string {
	if tooLarge(src) {
		return nil
	}
	read, err := parseJSON(src)
	if err != nil {
		return nil
	}
	base := strings.TrimPrefix(strings.Trim(read.find("compileroptions/baseurl").last().text, "/"),
		"./")
	out := map[string][]string{}
	for _, o := range read {
		if !strings.HasPrefix(o.key, "compileroptions/paths/") {
			continue
		}
		alias := strings.TrimPrefix(o.name, "compilerOptions.paths.")
		for _, v := range o.values {
			to := strings.TrimPrefix(v.text, "./")
			if base != "" && base != "." {
				to = base + "/" + to
			}
			out[alias] = append(out[alias], to)
		}
	}
	return out
}

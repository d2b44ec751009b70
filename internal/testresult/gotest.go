package testresult

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/xmlscan"
)

// event is one line of go test -json (go doc cmd/test2json), or of the build events that go mixes
// in since Go 1.24.
type event struct {
	Action      string
	Package     string
	Test        string
	Output      string
	ImportPath  string // of a build event, "p [p.test]"
	FailedBuild string // of a package's fail event: the ImportPath that broke it
}

// run is the state of a test or, with an empty test name, of a package.
type run struct {
	ended, failed, skipped bool
	parent                 bool // it has subtests
	blamed                 bool // one of its subtests, or of its package's tests, has failed
	failedBuild            string
	output                 strings.Builder
}

// runKey names a test of a package, or the package itself by an empty test.
type runKey struct{ pkg, test string }

func (k runKey) name() string {
	return cut(strings.TrimSuffix(k.pkg+"."+k.test, "."), maxName)
}

// goTest collects the runs of an event stream, in the order in which they began.
type goTest struct {
	runs   map[runKey]*run
	order  []runKey
	builds map[string]*strings.Builder // compiler output by ImportPath
	plain  []Failure                   // what older toolchains print beside the events
}

// parseGoTest reads the stream of go test -json. Lines that are no events, as `2>&1` mixes in, are
// passed over; a stream without an event, with a broken event, or with a package that never ended
// is an error.
func parseGoTest(data []byte) (Summary, error) {
	if len(data) > xmlscan.MaxBytes {
		return Summary{}, fmt.Errorf("report is larger than %d MiB", xmlscan.MaxBytes>>20)
	}
	g := goTest{runs: map[runKey]*run{}, builds: map[string]*strings.Builder{}}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if err := g.line(bytes.TrimSpace(line)); err != nil {
			return Summary{}, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if len(g.order) == 0 {
		return Summary{}, errors.New("neither JUnit XML nor the output of go test -json")
	}
	if err := g.unfinished(); err != nil {
		return Summary{}, err
	}
	return g.summary(), nil
}

// noPackage matches the verdict that toolchains before Go 1.24 print outside
// of the events for a package that does not build.
var noPackage = lazyregexp.New(`^FAIL\t(\S+) \[(build|setup) failed\]`)

// line reads one line of output. A line that is no JSON object is output of the go command itself,
// of which only packages that could not be set up are told. An object without an Action is an
// error, since it is no event at all.
func (g *goTest) line(line []byte) error {
	if len(line) == 0 || line[0] != '{' {
		if m := noPackage.FindSubmatch(line); m != nil {
			g.plain = append(
				g.plain,
				Failure{Name: cut(string(m[1]), maxName), Message: string(m[2]) + " failed"},
			)
		}
		return nil
	}
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("broken event: %w", err)
	}
	if e.Action == "" {
		return errors.New("an object that is no event of go test -json: it has no Action")
	}
	if strings.HasPrefix(e.Action, "build-") {
		g.build(e)
		return nil
	}
	g.event(e)
	return nil
}

// build keeps what the compiler said of a package, which the failures of its tests refer to by its
// import path.
func (g *goTest) build(e event) {
	if g.builds[e.ImportPath] == nil {
		g.builds[e.ImportPath] = &strings.Builder{}
	}
	keep(g.builds[e.ImportPath], e.Output)
}

// event takes over what an event says of a test, or of a package if it names no test. Later events
// of the same test add to it.
func (g *goTest) event(e event) {
	r := g.at(runKey{e.Package, cut(e.Test, 4*maxName)})
	switch e.Action {
	case "output":
		keep(&r.output, e.Output)
	case "fail":
		r.failed, r.ended = true, true
		r.failedBuild = e.FailedBuild
	case "pass", "bench":
		r.ended = true
	case "skip":
		r.skipped, r.ended = true, true
	}
}

// at returns the run of a key, which it adds in the order of the output. The test above a subtest
// becomes a parent, whose own verdict is then not counted.
func (g *goTest) at(k runKey) *run {
	r := g.runs[k]
	if r == nil {
		r = &run{}
		g.runs[k] = r
		g.order = append(g.order, k)
		if up := g.above(k); up != nil && up != g.runs[runKey{k.pkg, ""}] {
			up.parent = true
		}
	}
	return r
}

// above returns the nearest test that k is a subtest of, else its package, nil if the stream has
// neither.
func (g *goTest) above(k runKey) *run {
	for k.test != "" {
		k.test = k.test[:max(0, strings.LastIndexByte(k.test, '/'))]
		if r := g.runs[k]; r != nil {
			return r
		}
	}
	return nil
}

// unfinished tells a stream that was cut off.
func (g *goTest) unfinished() error {
	for _, k := range g.order {
		if pkg := g.runs[runKey{k.pkg, ""}]; pkg == nil || !pkg.ended {
			return fmt.Errorf("the stream ends before package %q does", cut(k.pkg, maxName))
		}
	}
	return nil
}

// summary counts the leaves of the tree of tests, so that a test with subtests is not counted
// beside them. What never ended has failed. A package that failed without a failing test (build,
// TestMain, exit) is one error.
func (g *goTest) summary() Summary {
	var s Summary
	for _, k := range slices.Backward(g.order) { // subtests come after their parents
		r := g.runs[k]
		switch {
		case k.test == "":
		case r.failed || !r.ended:
			if up := g.above(k); up != nil {
				up.blamed = true
			}
			if !r.blamed {
				s.Failed++
				s.Failures = append(s.Failures, g.failure(k))
			}
		case r.parent:
		case r.skipped:
			s.Skipped++
		default:
			s.pass(k.name())
		}
	}
	g.packages(&s)
	return s
}

// packages adds a failure for each package that failed without a test to blame for it, as when it
// does not compile or its TestMain exits.
func (g *goTest) packages(s *Summary) {
	for _, k := range g.order {
		if r := g.runs[k]; k.test == "" && r.failed && !r.blamed {
			s.Errors++
			s.Failures = append(s.Failures, g.failure(k))
		}
	}
	for _, f := range g.plain {
		if r := g.runs[runKey{f.Name, ""}]; r == nil || !r.failed {
			s.Errors++
			s.Failures = append(s.Failures, f)
		}
	}
}

// position matches the place that testing prints before a message, and the compiler before an
// error.
var position = lazyregexp.New(`(?m)^\s*([\w./-]+\.go):(\d{1,7})(?::\d+)?: `)

// failure words what a run printed: its name, the message, and the first place FILE.go:LINE in it.
// What the compiler said goes before what the test printed.
func (g *goTest) failure(k runKey) Failure {
	r := g.runs[k]
	output := r.output.String()
	if b := g.builds[r.failedBuild]; b != nil && r.failedBuild != "" {
		output = b.String()
	}
	f := Failure{Name: k.name(), Message: cut(message(output), maxMessage)}
	if m := position.FindStringSubmatch(output); m != nil {
		f.File = m[1]
		f.Line, _ = strconv.Atoi(m[2]) // at most seven digits
	}
	return f
}

// message is a test's output without the lines of the framework.
func message(output string) string {
	var lines []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// keep appends output up to a bound that holds any message.
func keep(b *strings.Builder, output string) {
	if b.Len() < 16<<10 {
		b.WriteString(output[:min(len(output), 16<<10)])
	}
}

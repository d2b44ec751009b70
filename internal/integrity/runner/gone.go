package runner

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// testTask is a statement of a build script that sets tests up.
var testTask = regexp.MustCompile(`TestTask|RakeTask|useJUnitPlatform|useTestNG|<Test>|\.Test\b|tasks\.test\b|^test\b.*[{(]|session\.run|testImplementation|testFrameworks`)

// maxFile bounds what is read of one file.
const maxFile = 1 << 20

var errTooLarge = errors.New("it is larger than 1 MiB")

func tooLarge(b []byte) bool { return len(b) > maxFile }

// gone judges a file that was deleted.
func (c *comparison) gone(before []byte) {
	report := func(kind violation.Kind, text string) { c.report(finding{kind, 1, 0, text}) }
	switch f := formatOf(c.path); {
	case IsWorkflow(c.path):
		if RunsTests(c.path, before) {
			report(violation.CINeutered, "Tests no longer run in CI: the pipeline was deleted")
		}
	case f == none && strings.HasSuffix(c.path, "_test.go"):
		c.harmless("deleted; its tests are judged one by one")
	case f == none:
		report(violation.AutoloadedFile, "A file that the test runner loads was deleted")
	case f == packageJSON, f == makefile, f == taskfile, f == shellScript, f == statements:
		if RunsTests(c.path, before) {
			report(violation.TestScriptNeutered, "Test script removed: the file was deleted")
		}
	case f == goModule:
	default:
		was, err := readOptions(context.Background(), f, c.path, before)
		if err != nil {
			c.unread(err)
			return
		}
		c.options(rulesOf(f, c.path), was, nil)
	}
	if len(c.result.Violations) == 0 {
		c.harmless("deleted, without leaving a test out")
	}
}

var (
	replaceLine = regexp.MustCompile(`^\s*(?:replace\s+)?([\w./~-]+\.[\w./~-]+)(?:\s+v\S+)?\s*=>\s*(\S+)`)
	testModules = regexp.MustCompile(`testify|go-cmp|gomock|ginkgo|gomega|gocheck|goconvey|gotest\.tools|quicktest|matryer/is|rapid|gofuzz`)
)

// goModule compares replace directives; versions are harmless.
func (c *comparison) goModule(before, after []byte) {
	replaced := func(src []byte) (out []value) {
		for i, l := range lines(src) {
			code, _, _ := strings.Cut(l, "//")
			if m := replaceLine.FindStringSubmatch(code); m != nil {
				out = append(out, value{text: m[1] + " => " + m[2], line: i + 1})
			}
		}
		return out
	}
	was := replaced(before)
	for _, r := range replaced(after) {
		if slices.ContainsFunc(was, func(o value) bool { return o.text == r.text }) || !testModules.MatchString(r.text) {
			continue
		}
		c.report(finding{violation.ConfigNarrowed, 0, r.line, "Test framework replaced: " + cut(r.text)})
	}
	if len(c.result.Violations) == 0 {
		c.harmless("modules differ in versions only")
	}
}

// RunsTests reports whether a workflow, build file or script runs tests.
func RunsTests(p string, content []byte) bool {
	if tooLarge(content) {
		return false
	}
	switch formatOf(p) {
	case github:
		w, err := parseWorkflow(content)
		return err == nil && w.gates()
	case pipeline, taskfile:
		calls, _, err := gatedCalls(content)
		return err == nil && len(calls) > 0
	case makefile:
		return len(parseMake(content).tests()) > 0
	case shellScript:
		s, err := readScript(content)
		return err == nil && (len(s.runs) > 0 || isTestScript("./"+p))
	case packageJSON:
		o, err := parseJSON(context.Background(), content)
		return err == nil && slices.ContainsFunc(o, func(x option) bool {
			name, ok := strings.CutPrefix(x.key, "scripts/")
			if !ok {
				return false
			}
			s, _ := shell{}.read(x.last().text, 1)
			return testScriptName(name) || len(s.runs) > 0
		})
	case statements:
		return slices.ContainsFunc(statementsOf(content), func(s statement) bool {
			return testTask.MatchString(s.text) || len(scriptIn([]statement{s}).runs) > 0
		})
	default:
		return false
	}
}

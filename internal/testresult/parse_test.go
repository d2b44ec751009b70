package testresult_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/testresult"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParseFiles(t *testing.T) {
	for name, want := range map[string]struct {
		line  string
		first testresult.Failure
	}{
		"pytest.xml": {"2 of 5 passed, 3 failed, 1 skipped", testresult.Failure{
			Name: "tests.test_broken", Message: "collection failure",
		}},
		"surefire.xml": {"2 of 3 passed, 1 failed, 1 skipped", testresult.Failure{
			Name: "com.example.CartTest.rejectsNegative", Message: "expected: <1> but was: <2>",
		}},
		"jest.xml": {"1 of 2 passed, 1 failed", testresult.Failure{
			Name: "login rejects a wrong password", Message: "Error: expect(received).toBe(expected)\n\nExpected: 401\nReceived: 200",
			File: "src/login.test.ts",
		}},
		"nested.xml": {"3 of 3 passed", testresult.Failure{}},
		"claimed.xml": {
			"1 of 3 passed, 2 failed",
			testresult.Failure{Name: "db", Message: "the suite reports 2 failures or errors, its test cases show 0"},
		},
		"node.xml": {"1 of 4 passed, 3 failed", testresult.Failure{
			Name: "app > inner.should work", Message: "The expression evaluated to a falsy value",
		}},
		"skipped.xml": {"no test ran, 1 skipped", testresult.Failure{}},
		"zero.xml":    {"no test ran", testresult.Failure{}},
		"gotest.json": {
			"2 of 5 passed, 3 failed, 1 skipped",
			testresult.Failure{Name: "example.com/gt/bad", File: "bad/b.go", Line: 3, Message: "# example.com/gt/bad " +
				"[example.com/gt/bad.test]\nbad/b.go:3:23: cannot use \"x\" (untyped string constant) as int value in return statement"},
		},
		"goold.json": {"1 of 2 passed, 1 failed", testresult.Failure{Name: "example.com/bad", Message: "build failed"}},
		"gotestmain.json": {
			"0 of 1 passed, 1 failed",
			testresult.Failure{Name: "example.com/m", Message: "exit status 3\nFAIL\texample.com/m\t0.003s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := testresult.Parse(name, read(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != want.line {
				t.Errorf("got %q, want %q\n%+v", got, want.line, got.Failures)
			}
			var first testresult.Failure
			if len(got.Failures) > 0 {
				first = got.Failures[0]
			}
			if diff := cmp.Diff(want.first, first); diff != "" {
				t.Errorf("first failure (-want +got):\n%s", diff)
			}
			if ok := !strings.Contains(want.line, "failed") && !strings.HasPrefix(want.line, "no test"); got.OK() != ok {
				t.Errorf("OK() = %t, want %t", got.OK(), ok)
			}
		})
	}
}

// No input that is not a whole report may count as anything, least of all as
// a pass.
// TestFailuresInUnknownElements: no failure is passed over because of what stands around it.
func TestFailuresInUnknownElements(t *testing.T) {
	for report, want := range map[string]string{
		`<testsuite><case-group><testcase name="a"><failure/></testcase></case-group></testsuite>`:                     "0 of 1 passed, 1 failed",
		`<testsuite><testcase name="a"><result><failure/></result></testcase><testcase name="b"/></testsuite>`:         "1 of 2 passed, 1 failed",
		`<testsuite><testcase name="a"><step><testcase name="b" status="failed"/></step></testcase></testsuite>`:       "0 of 1 passed, 1 failed",
		`<testsuite><testcase name="a"><properties><property name="x" value="y"/></properties></testcase></testsuite>`: "1 of 1 passed",
	} {
		got, err := testresult.Parse("a.xml", []byte(report))
		if err != nil || got.String() != want {
			t.Errorf("%s: %q, %v, want %q", report, got.String(), err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	whole := read(t, "gotest.json")
	lines := strings.SplitAfter(string(whole), "\n")
	for name, tc := range map[string]struct{ in, want string }{
		"empty":            {"", "empty"},
		"blank":            {" \n\t\n", "empty"},
		"prose":            {"47 passed in 3.2s", "neither JUnit XML nor"},
		"not quite":        {"all passing!", "neither JUnit XML nor"},
		"other XML":        {"<html><testsuite/></html>", "no JUnit report"},
		"coverage":         {`<coverage line-rate="1"/>`, "no JUnit report"},
		"cut XML":          {`<testsuite tests="2"><testcase name="a"/>`, "unexpected EOF"},
		"other JSON":       {`{"numPassedTests": 3}`, "no Action"},
		"cut in an event":  {string(whole[:len(whole)-20]), "broken event"},
		"cut after event":  {strings.Join(lines[:len(lines)-2], ""), "ends before package"},
		"binary":           {"\x00\x01\x02", "neither"},
		"bomb":             {`<!DOCTYPE t [<!ENTITY a "aaaa">]><testsuite name="&a;"/>`, "entity"},
		"deep":             {strings.Repeat("<testsuite>", 100_000), "nested deeper"},
		"numbers in JSON":  {`{"Action":1}`, "broken event"},
		"an array of JSON": {`[{"Action":"pass"}]`, "neither"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := testresult.Parse("r", []byte(tc.in))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), `"r"`) {
				t.Errorf("got error %v, want one with %q and the name", err, tc.want)
			}
			if got.OK() {
				t.Error("a refused report counts as a pass")
			}
		})
	}
}

func TestStated(t *testing.T) {
	for _, in := range []string{"all passing", " All Passing\n"} {
		got, err := testresult.Parse("input", []byte(in))
		if err != nil || !got.Stated || !got.OK() || got.Run() != 0 {
			t.Errorf("Parse(%q) = %+v, %v", in, got, err)
		}
	}
}

func TestMerge(t *testing.T) {
	stated := testresult.Summary{Stated: true, Sources: []string{"input"}}
	pass := testresult.Summary{Passed: 3, Sources: []string{"b"}}
	fail := testresult.Summary{Passed: 1, Failed: 1, Skipped: 2, Sources: []string{"a"}, Failures: []testresult.Failure{{Name: "z"}}}
	broken := testresult.Summary{Errors: 1, Failures: []testresult.Failure{{Name: "c"}}}

	got := testresult.Merge(stated, pass, fail, broken)
	want := testresult.Summary{
		Passed: 4, Failed: 1, Errors: 1, Skipped: 2,
		Failures: []testresult.Failure{{Name: "c"}, {Name: "z"}},
		Sources:  []string{"a", "b", "input"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if testresult.Merge().OK() {
		t.Error("nothing merged is a pass")
	}
	if !testresult.Merge(stated).OK() {
		t.Error("a lone statement is no pass")
	}
}

func TestFailuresAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("<testsuite>")
	for range testresult.MaxFailures + 50 {
		b.WriteString(`<testcase name="` + strings.Repeat("n", 1000) + `"><failure>` + strings.Repeat("é", 9000) + `</failure></testcase>`)
	}
	b.WriteString("</testsuite>")
	got, err := testresult.Parse("r", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Failures) != testresult.MaxFailures || got.Failed != testresult.MaxFailures+50 {
		t.Errorf("%d failures named, %d counted", len(got.Failures), got.Failed)
	}
	if n := len([]rune(got.Failures[0].Message)); n != 501 {
		t.Errorf("message has %d characters", n)
	}
}

// TestPassedAreNamed: as the failures are, and not what was skipped.
func TestPassedAreNamed(t *testing.T) {
	for in, want := range map[string][]string{
		`<testsuite><testcase classname="a.B" name="c"/><testcase name="d"><skipped/></testcase></testsuite>`: {"a.B.c"},
		`{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p"}`: {"p.TestA/x"},
	} {
		got, err := testresult.Parse("r", []byte(in))
		if diff := cmp.Diff(want, testresult.Merge(got).Names); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

func TestDigest(t *testing.T) {
	one := `<testsuite name="s" time="1.0"><testcase name="a" time="0.5"><failure message="took 0.5s"/></testcase></testsuite>`
	two := strings.NewReplacer("1.0", "2.0", "0.5", "0.7").Replace(one)
	other := strings.Replace(one, `name="a"`, `name="b"`, 1)
	digest := func(in string) string {
		s, err := testresult.Parse("r", []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		return s.Digest()
	}
	if digest(one) != digest(two) {
		t.Error("the digest depends on timings")
	}
	if digest(one) == digest(other) {
		t.Error("the digest does not depend on which test fails")
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := testresult.Parse("r", data)
		if err != nil {
			if s.OK() {
				t.Error("an unreadable report counts as a pass")
			}
			return
		}
		if s.Passed < 0 || s.Failed < 0 || s.Errors < 0 || s.Skipped < 0 || len(s.Failures) > s.Broken() {
			t.Errorf("impossible counts: %+v", s)
		}
		if (s.Broken() > 0) != (len(s.Failures) > 0) {
			t.Errorf("%d broken, %d named", s.Broken(), len(s.Failures))
		}
	})
}

package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/workflow"
)

// resultSchemas are compiled once: every run is held to them.
var resultSchemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	out := map[string]*jsonschema.Schema{}
	for name, file := range map[string]string{
		"reviews": "../../schema/reviews.schema.json", "report.json": "../../schema/report.schema.json",
		"results.sarif": "../../internal/report/testdata/sarif-2.1.0/sarif-schema-2.1.0.json",
	} {
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		schema, err := c.Compile(file)
		if err != nil {
			return nil, err
		}
		out[name] = schema
	}
	return out, nil
})

// fitsSchemas holds what a run left to the published schemas and to SARIF's own.
func (o outcome) fitsSchemas() {
	o.t.Helper()
	schemas, err := resultSchemas()
	if err != nil {
		o.t.Fatal(err)
	}
	texts := map[string]string{"reviews": o.outputs["reviews"]}
	for _, name := range []string{"report.json", "results.sarif"} {
		if data, err := os.ReadFile(filepath.Join(o.outputs["report-dir"], name)); err == nil && o.outputs["report-dir"] != "" {
			texts[name] = string(data)
		}
	}
	for name, text := range texts {
		if text == "" {
			continue
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = schemas[name].Validate(value)
		}
		if err != nil {
			o.t.Errorf("%s: %v", name, err)
		}
	}
}

// report1 is what these tests read of report.json.
type report1 struct {
	Tests    *struct{ Passed, Failed, Skipped, Total int } `json:"test_results"`
	Coverage *struct{ Line, Branch *float64 }              `json:"coverage"`
	Reviews  []struct {
		Verdict workflow.Verdict
		Issues  []workflow.Finding
		Checks  []workflow.Check
	}
}

func (o outcome) report() report1 {
	o.t.Helper()
	var r report1
	if err := json.Unmarshal([]byte(o.saved("report.json")), &r); err != nil {
		o.t.Fatal(err)
	}
	return r
}

// Specs by their score: nothing for tests to be made of, and only demands.
const (
	reviewSpec = "# Spec: Login\n\nA registered user proves who they are with e-mail address and password, so that others cannot read " +
		"their orders.\n\n" +
		"`login(email, password)` MUST return a Session for the right password.\n\n" +
		"`login` MUST raise InvalidCredentials for a wrong one.\n\nIt MUST NOT tell which of the two was wrong.\n\n## Out of scope\n\n" +
		"Password reset.\n"
	failSpec = "# Spec: Login\n\nIt MUST be fast. It MUST be easy for everybody who comes along. It MUST be nice. TODO: the rest, which " +
		"we will write once we know more about what people want of it and why.\n\n## Design\n\n## Open questions\n\n- Which password?\n" +
		"- Which people?\n"
)

// TestScoreGates: PASS approves, REVIEW with a warning, FAIL does not.
func TestScoreGates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec string
		code int
		want workflow.Verdict
		says string
	}{
		"PASS": {
			goodSpec, 0,
			workflow.Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "PASS"},
			"PASS (completeness ",
		},
		"REVIEW": {
			reviewSpec, 0,
			workflow.Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "REVIEW"},
			"below 80: approved, but worth another look",
		},
		"FAIL": {failSpec, 0, workflow.Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "REVIEW"}, "FAIL (completeness"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"ROADMAP.md": roadmap}, map[string]string{"specs/proposed/login.md": c.spec}, nil)
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if got := o.report().Reviews[0].Verdict; got != c.want {
				t.Errorf("verdict %+v, want %+v", got, c.want)
			}
			if file := o.saved(o.reviews()[0].Path); !strings.Contains(file, c.says) {
				t.Errorf("%q is missing in\n%s", c.says, file)
			}
		})
	}
}

// TestCategoriesAreClosed: another word for a category is mapped, one that
// nobody knows is no answer; findings keep their ids from run to run.
func TestCategoriesAreClosed(t *testing.T) {
	t.Parallel()
	word := "Bug"
	finding := issue("High", "The e-mail address is compared by case", "specs/proposed/login.md", 3)
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap}, map[string]string{"specs/proposed/login.md": goodSpec},
		func(codextest.Request) codextest.Response {
			finding["category"] = word
			return answer("NEEDS-CHANGES", finding)
		})
	w.inputs["commit"] = "off"
	first := w.run(w.pull("opened")).report().Reviews[0]
	if len(first.Issues) != 1 || first.Issues[0].Category != workflow.Correctness || first.Verdict.Code != "MAJOR_ISSUES" {
		t.Fatalf("%+v", first)
	}
	if id := first.Issues[0].Key; !regexp.MustCompile(`^[0-9a-f]{8}$`).MatchString(id) {
		t.Errorf("id %q", id)
	}
	calls := w.model.Count()
	if again := w.run(w.pull("opened")); again.report().Reviews[0].Issues[0].Key != first.Issues[0].Key ||
		!strings.Contains(again.saved("results.sarif"), `"primaryLocationLineHash": "`+first.Issues[0].Key+`:1"`) {
		t.Error("another id, or none in results.sarif")
	}
	if w.model.Count() != calls+1 {
		t.Error("a known word was asked about again")
	}
	word = "zest"
	w.run(w.pull("opened"))
	if w.model.Count() != calls+3 {
		t.Errorf("%d calls, want %d: an unknown word is asked about once", w.model.Count(), calls+3)
	}
}

// TestFigures: counts and percentages are numbers in report.json and SARIF.
func TestFigures(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, "specs/doing/login.md": goodSpec}, map[string]string{
		"src/login.py": "\"\"\"Login.\"\"\"\n\n\ndef login(email, password):\n    \"\"\"Let in.\"\"\"\n" +
			"    return email == password\n",
		"tests/test_login.py": "from src.login import login\n\n\ndef test_login():\n    \"\"\"Let in.\"\"\"\n" +
			"    assert login(\"a\", \"a\")\n",
	}, nil)
	for name, text := range map[string]string{
		"junit.xml": `<testsuite tests="3" failures="1" skipped="1"><testcase name="a"/><testcase ` +
			`name="b"><failure/></testcase><testcase name="c"><skipped/></testcase></testsuite>`,
		"lcov.info": "TN:\nSF:src/login.py\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n",
	} {
		if err := os.WriteFile(filepath.Join(w.workspace, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.inputs["test-results"], w.inputs["coverage-report"] = "junit.xml", "lcov.info"
	o := w.run(w.pull("opened"))
	got := o.report()
	if n := got.Tests; n == nil || n.Passed != 1 || n.Failed != 1 || n.Skipped != 1 || n.Total != 2 {
		t.Errorf("test results %+v", n)
	}
	if c := got.Coverage; c == nil || c.Line == nil || *c.Line != 50 || c.Branch != nil {
		t.Errorf("coverage %+v", c)
	}
	var sarif struct {
		Runs []struct {
			Properties struct {
				Tests struct{ Failed int } `json:"test_results"`
			}
		}
	}
	if err := json.Unmarshal([]byte(o.saved("results.sarif")), &sarif); err != nil || sarif.Runs[0].Properties.Tests.Failed != 1 {
		t.Errorf("SARIF %+v, %v", sarif, err)
	}
}

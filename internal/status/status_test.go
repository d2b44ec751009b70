package status_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/status"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the schema")

func review(typ workflow.Type, feature string, day int, r workflow.Result) record.Record {
	r.Artifact = workflow.Artifact{Type: typ, Feature: feature}
	r.Engine, r.Model = "codex 0.169.0", "gpt-5-codex"
	return record.Record{
		Path: "reviews/" + feature + ".md", Type: typ, Feature: feature, Decision: r.Decision,
		Time: time.Date(
			2026,
			1,
			day,
			10,
			0,
			0,
			0,
			time.UTC,
		), Iteration: 1, Result: &r,
	}
}

func example() status.Status {
	tokens := workflow.Tokens{Input: 100_000, Output: 2_000}
	found := []workflow.Finding{{Key: "1936cea3", Title: "a"}, {Key: "2936cea3", Title: "b"}}
	return status.Build(status.Input{
		Commit: "87a2c1d000000000000000000000000000000000",
		Specs: []detect.SpecState{
			{Feature: "login", Path: "specs/doing/login.md", State: workflow.Doing},
			{Feature: "search", Path: "specs/proposed/search.md", State: workflow.Proposed},
		},
		Records: []record.Record{
			review(
				workflow.Tests,
				"login",
				2,
				workflow.Result{
					Decision: workflow.NeedsChanges,
					Issues:   found,
					Tokens:   tokens,
					Engine:   "codex",
				},
			),
			review(
				workflow.Tests,
				"Login",
				3,
				workflow.Result{Decision: workflow.Approved, Tokens: tokens, Engine: "codex"},
			),
			review(workflow.Implementation, "login", 4, workflow.Result{
				Decision: workflow.NeedsChanges, Issues: found, Tokens: tokens, Engine: "codex",
			}),
			review(workflow.Spec, "pay<b>", 5, workflow.Result{
				Decision: workflow.Approved, Issues: found, Tokens: tokens, Amends: "reviews/x.md", Override: &workflow.Override{By: "octocat"},
			}),
			{Path: "reviews/old.md", Legacy: true},
		},
		Approvals: map[string]approval.Record{".workflow/approvals/login.json": {
			Feature: "login", Tests: &approval.Tests{Count: 7},
			Files: []approval.File{
				{Path: "tests/test_login.py", Role: approval.Test},
				{Path: "pytest.ini", Role: approval.Config},
			},
		}},
		Prices: workflow.Prices{Input: 1, Output: 10},
	})
}

// TestTerminal: a row says how far a feature is, who read it last, and what it cost.
func TestTerminal(t *testing.T) {
	var b bytes.Buffer
	if err := example().Terminal(&b); err != nil {
		t.Fatal(err)
	}
	want := `
Feature  State     Approved tests  Last review                              Read by  Open  Rounds  Tokens   Cost
login    doing     1 file          implementation NEEDS-CHANGES 2026-01-04  model    2     3       306,000  $0.36
pay<b>   –         –               spec OVERRIDDEN 2026-01-05               octocat  0     1       0        –
search   proposed  –               –                                        –        0     0       0        –

3 features, 306,000 tokens, $0.36
`
	if d := cmp.Diff(want[1:], b.String()); d != "" {
		t.Error(d)
	}
	b.Reset()
	if err := status.Build(status.Input{}).Terminal(&b); err != nil ||
		!strings.HasPrefix(b.String(), "No feature yet") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestHTML: the page holds the same, and nothing of the tree is markup.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := example().HTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Content-Security-Policy", "pay&lt;b&gt;", "implementation NEEDS-CHANGES 2026-01-04", "306,000 tokens, $0.36"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("the page has a script")
	}
}

// TestSchema keeps the published schema equal to the type, and what is printed to the schema.
func TestSchema(t *testing.T) {
	const file = "../../schema/status.schema.json"
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true}
	s := r.Reflect(status.Status{})
	s.Title = "status --json of workflow-reviewer"
	want, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(file, want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("run with -update if it is meant:\n%s", d)
	}
	schema, err := validator.NewCompiler().Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := example().JSON()
	if err != nil {
		t.Fatal(err)
	}
	value, err := validator.UnmarshalJSON(bytes.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}

package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/workflow"
)

// schemas are the published schemas, with a value of the type that each
// describes.
func schemas() map[string]struct {
	title string
	value any
} {
	return map[string]struct {
		title string
		value any
	}{
		"../../schema/report.schema.json":  {"report.json of workflow-reviewer", document1{}},
		"../../schema/reviews.schema.json": {"The output «reviews» of workflow-reviewer", []Output{}},
	}
}

// TestSchemas keeps the schemas equal to what the Go types say.
func TestSchemas(t *testing.T) {
	for file, of := range schemas() {
		r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: closedLists, Namer: published}
		s := r.Reflect(of.value)
		s.Title = of.title
		got, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
			if err := os.WriteFile(file, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("the types differ from %s, run with -update if it is meant:\n%s", file, diff)
		}
	}
}

// published are the names that types have in the schemas: what they spell is older than they.
func published(t reflect.Type) string {
	if t == reflect.TypeFor[workflow.Finding]() {
		return "Issue"
	}
	if t.PkgPath() == reflect.TypeFor[workflow.Finding]().PkgPath() {
		return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	}
	return t.Name()
}

// closedLists are the values of types that have only these.
func closedLists(t reflect.Type) *jsonschema.Schema {
	lists := map[reflect.Type]any{
		reflect.TypeFor[workflow.Decision](): []workflow.Decision{
			workflow.Approved, workflow.NeedsChanges,
			workflow.Error, workflow.None,
		},
		reflect.TypeFor[workflow.Type]():     workflow.Types(),
		reflect.TypeFor[workflow.Category](): workflow.Categories(),
		reflect.TypeFor[workflow.Level]():    []workflow.Level{workflow.Block, workflow.Warn, workflow.Note},
		reflect.TypeFor[workflow.Grade]():    []workflow.Grade{workflow.Pass, workflow.Concern, workflow.Fail},
		reflect.TypeFor[workflow.Outcome](): []workflow.Outcome{
			workflow.Passed, workflow.Failed,
			workflow.NotLooked, workflow.Noted,
		},
		reflect.TypeFor[workflow.RequirementStatus](): []workflow.RequirementStatus{"", workflow.Met, workflow.NotMet, workflow.CannotTell},
	}
	list, ok := lists[t]
	if !ok {
		return verdictSchema(t)
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	s := &jsonschema.Schema{Type: "string"}
	if err := json.Unmarshal(text, &s.Enum); err != nil {
		panic(err)
	}
	return s
}

// verdictSchema is an object of the words of other workflows.
func verdictSchema(t reflect.Type) *jsonschema.Schema {
	if t != reflect.TypeFor[workflow.Verdict]() {
		return nil
	}
	words := jsonschema.NewProperties()
	words.Set("code", &jsonschema.Schema{Enum: []any{"APPROVED", "NEEDS_FIX", "MAJOR_ISSUES", ""}})
	words.Set("gate", &jsonschema.Schema{Enum: []any{"APPROVE", "CONDITIONAL", "BLOCK", ""}})
	words.Set("spec", &jsonschema.Schema{Enum: []any{"PASS", "REVIEW", "FAIL", ""}})
	return &jsonschema.Schema{
		Type: "object", Description: "The decision in the words of other workflows; each is empty for ERROR.",
		Properties: words, Required: []string{"code", "gate", "spec"}, AdditionalProperties: jsonschema.FalseSchema,
	}
}

// TestGoldensFitSchemas validates every saved report.json against our schema, and
// every saved results.sarif against the standard's.
func TestGoldensFitSchemas(t *testing.T) {
	for pattern, file := range map[string]string{
		"testdata/*.json": "../../schema/report.schema.json", "testdata/*.sarif": "testdata/sarif-2.1.0/sarif-schema-2.1.0.json",
	} {
		compiler := validator.NewCompiler()
		compiler.AssertFormat()
		schema, err := compiler.Compile(file)
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 5 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, f := range files {
			content, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := validator.UnmarshalJSON(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s: %v", f, err)
			}
		}
	}
}

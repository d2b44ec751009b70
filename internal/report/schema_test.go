package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/workflow"
)

const schemaFile = "report.schema.json"

// TestSchema keeps report.schema.json equal to what the Go types say.
func TestSchema(t *testing.T) {
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: decisionSchema}
	s := r.Reflect(document1{})
	s.Title = "report.json of workflow-reviewer"
	got, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(schemaFile, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the types differ from %s, run with -update if it is meant:\n%s", schemaFile, diff)
	}
}

func decisionSchema(t reflect.Type) *jsonschema.Schema {
	if t == reflect.TypeFor[workflow.Decision]() {
		return &jsonschema.Schema{Type: "string", Enum: []any{"APPROVED", "NEEDS-CHANGES", "ERROR", "NONE"}}
	}
	return nil
}

// TestGoldensFitSchema validates every saved report.json.
func TestGoldensFitSchema(t *testing.T) {
	schema, err := validator.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d reports, %v", len(files), err)
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

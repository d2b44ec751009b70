package shard

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite schema/results.schema.json")

// TestSchema keeps the schema equal to what the Go types say.
func TestSchema(t *testing.T) {
	const file = "../../schema/results.schema.json"
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: closedLists}
	if err := r.AddGoComments("workflow-reviewer/internal/shard", "./"); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(Results{})
	s.Title = "results-<shard>.json of workflow-reviewer"
	got, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
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

// closedLists are the values of types that have only these.
func closedLists(t reflect.Type) *jsonschema.Schema {
	lists := map[reflect.Type]any{
		reflect.TypeFor[workflow.Decision](): []workflow.Decision{workflow.Approved, workflow.NeedsChanges, workflow.Error},
		reflect.TypeFor[workflow.Type]():     workflow.Types(),
		reflect.TypeFor[review.Class](): []review.Class{
			review.Authentication, review.Quota, review.BadRequest, review.RateLimit, review.Timeout, review.Transport,
			review.Answer, review.Budget, review.Cancelled, review.Setup, review.Internal, review.Results, review.TestsRefused,
		},
	}
	list, ok := lists[t]
	if !ok {
		return nil
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

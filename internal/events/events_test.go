package events_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the schema")

const schemaFile = "../../schema/events.schema.json"

// TestSchema keeps schema/events.schema.json equal to what the Go types say.
func TestSchema(t *testing.T) {
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, DoNotReference: true, Mapper: kinds}
	if err := r.AddGoComments("workflow-reviewer/internal/events", "./"); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(events.Event{})
	s.Title, s.Description = "A line of events.jsonl of workflow-reviewer", ""
	got, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
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

func kinds(t reflect.Type) *jsonschema.Schema {
	if t != reflect.TypeFor[events.Kind]() {
		return nil
	}
	s := &jsonschema.Schema{Type: "string"}
	for _, k := range events.Kinds() {
		s.Enum = append(s.Enum, k)
	}
	return s
}

// TestStream: what was told before there was a file is in it too, each event on
// one line that fits the schema, whatever its texts hold; the log has the same.
func TestStream(t *testing.T) {
	schema, err := validator.NewCompiler().Compile(filepath.ToSlash(schemaFile))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	var log []string
	s := events.Stream{
		Now:    func() time.Time { return time.Date(2026, 1, 31, 14, 30, 22, 0, time.UTC) },
		Log:    func(l string) { log = append(log, l) },
		Redact: func(m string) string { return strings.ReplaceAll(m, "secret", "[redacted]") },
	}
	code := 1
	s.Tell(events.Event{Event: events.RunStarted, Message: "1.0.0"})
	s.Tell(events.Event{Event: events.Planned, Reviews: []string{"spec: a"}, Files: 1})
	s.Attach(&file)
	s.Tell(events.Event{Event: events.ReviewRetried, Review: "spec: a\n::error::x", Message: "secret\n{\"event\":\"run_completed\"}\u2028"})
	s.Tell(events.Event{
		Event: events.ReviewCompleted, Review: "spec: a", Decision: "APPROVED",
		Tokens: &workflow.Tokens{Input: 3, Output: 1}, DurationMS: 1500, Message: strings.Repeat("long ", 1000),
	})
	s.Tell(events.Event{Event: events.RunCompleted, Decision: "NEEDS-CHANGES", ExitCode: &code})
	lines := strings.Split(strings.TrimSuffix(file.String(), "\n"), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines:\n%s", len(lines), file.String())
	}
	for _, l := range lines {
		doc, err := validator.UnmarshalJSON(strings.NewReader(l))
		if err == nil {
			err = schema.Validate(doc)
		}
		if err != nil || len(l) > 3000 || strings.Contains(l, "secret") {
			t.Errorf("%s: %v", l, err)
		}
	}
	want := []string{
		"What to review: 1 artifact among 1 changed file",
		`spec: a ::error::x: trying again: [redacted] {"event":"run_completed"}[U+2028]`,
		"spec: a: APPROVED in 1.5 s, 3 tokens in (0 cached), 1 out",
	}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Error(diff)
	}
}

package evidence_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"workflow-reviewer/internal/evidence"
)

var update = flag.Bool("update", false, "rewrite schema/evidence.schema.json")

// TestSchema keeps the schema equal to what the Go types say.
func TestSchema(t *testing.T) {
	const file = "../../schema/evidence.schema.json"
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true}
	if err := r.AddGoComments("workflow-reviewer/internal/evidence", "./"); err != nil {
		t.Fatal(err)
	}
	for name, text := range r.CommentMap {
		r.CommentMap[name] = strings.ReplaceAll(text, "\n", " ")
	}
	s := r.Reflect(evidence.Evidence{})
	s.Title = "evidence.json of workflow-reviewer prove"
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

func sample() evidence.Evidence {
	id := strings.Repeat("a1", 20)
	return evidence.Evidence{
		Head: id, Parents: []string{id}, Base: id, Approved: []evidence.Approved{{Feature: "login", Record: id}},
		Restored: []string{"tests/test_login.py"}, Command: []string{"python3", "-m", "unittest"}, Exit: 1,
		Tests:    evidence.Tests{Run: 3, Passed: 1, Failed: 2, Skipped: 1},
		Failures: []evidence.Failure{{Name: "a", File: "tests/test_login.py", Message: "<&>"}, {Name: "b", Before: true}},
		Before:   &evidence.Before{Exit: 1, Tests: evidence.Tests{Run: 3, Passed: 2, Failed: 1, Skipped: 1}},
		Results:  []evidence.Result{{Path: "junit.xml", SHA256: strings.Repeat("0f", 32)}}, Tool: "workflow-reviewer 1.0.0",
	}
}

func render(t *testing.T, e evidence.Evidence) string {
	t.Helper()
	data, err := e.Render()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRoundTrip(t *testing.T) {
	text := render(t, sample())
	got, err := evidence.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, render(t, got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := len(got.Counting()); n != 1 || !got.Counted() {
		t.Errorf("%d failures count, counted %v", n, got.Counted())
	}
	empty := evidence.Evidence{Head: got.Head, Base: got.Base, Command: []string{"true"}}
	if _, err := evidence.Parse([]byte(render(t, empty))); err != nil {
		t.Errorf("evidence without lists is refused: %v", err)
	}
}

// TestParseRefuses: what is not exactly what prove writes is no evidence.
func TestParseRefuses(t *testing.T) {
	whole := render(t, sample())
	for name, c := range map[string]struct{ old, put, want string }{
		"another version":     {"evidence@1", "evidence@2", "schema"},
		"unknown key":         {`"red"`, `"blue"`, `"blue"`},
		"other case":          {`"red"`, `"Red"`, `"Red"`},
		"key twice":           {`"red": false`, `"red": false, "exit": 0`, `key "exit" is there twice`},
		"missing key":         {`"red": false,`, ``, "red"},
		"key of another part": {`"red"`, `"path"`, "path"},
		"null list":           {`"shadowing": []`, `"shadowing": null`, "shadowing"},
		"short id":            {`"head": "a1`, `"head": "`, "head"},
		"negative":            {`"exit": 1,`, `"exit": -1,`, "exit"},
		"fraction":            {`"exit": 1,`, `"exit": 1.5,`, "number"},
		"no command":          {"\"python3\",\n    \"-m\",\n    \"unittest\"", "", "command"},
		"sum":                 {`"passed": 1`, `"passed": 3`, "3 passed and 2 failed"},
		"more named":          {"\"passed\": 1,\n    \"failed\": 2", "\"passed\": 2,\n    \"failed\": 1", "2 failures are named"},
		"deep":                {`"parents": [`, `"parents": [[[[[`, "nested"},
		"text after":          {"\"workflow-reviewer 1.0.0\"\n}", "\"workflow-reviewer 1.0.0\"\n}{}", "more after"},
		"cut off":             {"\"workflow-reviewer 1.0.0\"\n}", "", "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(whole, c.old, c.put, 1)
			if text == whole {
				t.Fatal("nothing was replaced")
			}
			if _, err := evidence.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	for _, text := range []string{"", "null", "[]", `"x"`, strings.Repeat(" ", evidence.MaxFile) + whole} {
		if _, err := evidence.Parse([]byte(text)); err == nil {
			t.Errorf("%.20q is taken", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	data, err := sample().Render()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := evidence.Parse(data)
		if err != nil {
			return
		}
		again, err := e.Render()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := evidence.Parse(again); err != nil {
			t.Errorf("what was read cannot be read again: %v", err)
		}
	})
}

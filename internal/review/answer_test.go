//go:build !race

package review

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

const approvedAnswer = `{"decision":"APPROVED","summary":"Complete and testable.",
"criteria":[{"id":"testability","result":"PASS","finding":"All can be asserted.","evidence":"section 2","impact":""}],
"issues":[],"previous_findings":[]}`

func TestParseAnswer(t *testing.T) {
	want := answers.Assessment{
		Decision: "APPROVED", Summary: "Complete and testable.",
		Criteria: []answers.Criterion{{ID: "testability", Result: workflow.Pass, Finding: "All can be asserted.", Evidence: "section 2"}},
		Issues:   []answers.Issue{}, Previous: []answers.Previous{},
	}
	for _, text := range []string{
		approvedAnswer, "\n  " + approvedAnswer + "\n", "\ufeff" + approvedAnswer,
		"```json\n" + approvedAnswer + "\n```", "```\n" + approvedAnswer + "\n```\n",
	} {
		got, err := answers.Parse(text, answers.Asked{})
		if err != nil {
			t.Errorf("parseAnswer(%.20q…): %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("parseAnswer(%.20q…) (-want +got)\n%s", text, diff)
		}
	}
}

func TestParseAnswerRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, err string }{
		{"nothing", "", "not JSON"},
		{"prose", "Decision: APPROVED", "not JSON"},
		{"prose before", "Here it is: " + approvedAnswer, "not JSON"},
		{"text after", approvedAnswer + " done", "after top-level value"},
		{"two answers", approvedAnswer + approvedAnswer, "after top-level value"},
		{"cut off", approvedAnswer[:60], "not JSON"},
		{"an array", "[" + approvedAnswer + "]", `want "object"`},
		{"no decision", `{"summary":"","criteria":[],"issues":[],"previous_findings":[]}`, "decision"},
		{"another decision", strings.Replace(approvedAnswer, "APPROVED", "LGTM", 1), "decision"},
		{"an additional key", strings.Replace(approvedAnswer, `"summary"`, `"score":9,"summary"`, 1), "score"},
		{"a decision twice", strings.Replace(approvedAnswer, `"summary"`, `"decision":"NEEDS-CHANGES","summary"`, 1), "twice"},
		{
			"a decision twice in other case", strings.Replace(approvedAnswer, `"summary"`, `"Decision":"NEEDS-CHANGES","summary"`, 1),
			`additional properties ["Decision"]`,
		},
		{"another grade", strings.Replace(approvedAnswer, "PASS", "OK", 1), "OK does not equal any of: [PASS CONCERN FAIL]"},
		{"a fractional line", strings.Replace(approvedAnswer, `"issues":[]`,
			`"issues":[{"severity":"Low","category":"clarity","title":"","file":null,"line":1.5,"end_line":null,"description":"",`+
				`"trigger":"","recommendation":"","suggestion":null}]`, 1), "line"},
		{"a line beyond all numbers", strings.Replace(approvedAnswer, `"issues":[]`,
			`"issues":[{"severity":"Low","category":"clarity","title":"","file":null,"line":1e99,"end_line":null,"description":"",`+
				`"trigger":"","recommendation":"","suggestion":null}]`, 1), "line"},
		{"a category that nobody knows", strings.Replace(approvedAnswer, `"issues":[]`,
			`"issues":[{"severity":"Low","category":"zest","title":"","file":null,"line":1,"end_line":null,"description":"",`+
				`"trigger":"","recommendation":"","suggestion":null}]`, 1), "zest does not equal any of"},
		{"endless nesting", strings.Repeat("[", 5000), "too deep"},
		{"endless text", strings.Repeat(" ", answers.MaxSize+1), "longer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := answers.Parse(c.text, answers.Asked{})
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error = %v, want one with %q", err, c.err)
			}
		})
	}
}

// node is one level of the schema.
type node struct {
	Type                 any             `json:"type"`
	Properties           map[string]node `json:"properties"`
	Required             []string        `json:"required"`
	Items                *node           `json:"items"`
	AdditionalProperties *bool           `json:"additionalProperties"`
}

// kind is the node's type and whether null is allowed beside it.
func (n node) kind() (kind string, nullable bool) {
	switch t := n.Type.(type) {
	case string:
		return t, false
	case []any:
		if len(t) == 2 && t[1] == "null" {
			return fmt.Sprint(t[0]), true
		}
	}
	return fmt.Sprint(n.Type), false
}

// The schema and the Go type say the same: every field is a required property,
// nothing else is allowed, and what may be null is a pointer.
func TestSchemaAndTypeAgree(t *testing.T) {
	var schema node
	if err := json.Unmarshal(answers.Asked{
		Rubric: prompt.Rubric{{ID: "a", Name: "A"}}, Requirements: []workflow.Requirement{{ID: "1"}}, Questions: []workflow.Finding{{Key: "aaaa1111"}},
	}.Schema(),
		&schema); err != nil {
		t.Fatal(err)
	}
	agree(t, "answer", schema, reflect.TypeFor[answers.Assessment]())
}

func agree(t *testing.T, where string, n node, typ reflect.Type) {
	t.Helper()
	kind, nullable := n.kind()
	if nullable != (typ.Kind() == reflect.Pointer) {
		t.Errorf("%s: schema type %v, Go type %v", where, n.Type, typ)
		return
	}
	if nullable {
		typ = typ.Elem()
	}
	kinds := map[reflect.Kind]string{
		reflect.Struct: "object", reflect.Slice: "array", reflect.String: "string", reflect.Int: "integer",
		reflect.Bool: "boolean",
	}
	if kinds[typ.Kind()] != kind {
		t.Errorf("%s: schema kind %q, Go type %v", where, kind, typ)
		return
	}
	switch {
	case typ.Kind() == reflect.Slice && n.Items != nil:
		agree(t, where+"[]", *n.Items, typ.Elem())
	case typ.Kind() == reflect.Slice:
		t.Errorf("%s: the schema says nothing about the items", where)
	case typ.Kind() == reflect.Struct:
		agreeOnFields(t, where, n, typ)
	}
}

func agreeOnFields(t *testing.T, where string, n node, typ reflect.Type) {
	t.Helper()
	var fields []string
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, name)
		if p, ok := n.Properties[name]; ok {
			agree(t, where+"."+name, p, f.Type)
		}
	}
	if diff := cmp.Diff(fields, n.Required); diff != "" {
		t.Errorf("%s: fields and required properties differ (-Go +schema)\n%s", where, diff)
	}
	slices.Sort(fields)
	if diff := cmp.Diff(fields, slices.Sorted(maps.Keys(n.Properties))); diff != "" {
		t.Errorf("%s: fields and properties differ (-Go +schema)\n%s", where, diff)
	}
	if n.AdditionalProperties == nil || *n.AdditionalProperties {
		t.Errorf("%s allows additional properties", where)
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(approvedAnswer)
	f.Add("```json\n" + approvedAnswer + "\n```")
	f.Add("**Decision:** APPROVED")
	f.Add("Verdict: NEEDS_FIX\n")
	f.Add("I'm sorry, I can't help with that.")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := answers.Parse(text, answers.Asked{})
		if err == nil && a.Decision != "APPROVED" && a.Decision != "NEEDS-CHANGES" {
			t.Errorf("accepted decision %q", a.Decision)
		}
		said, ok := workflow.SpokenIn(text + "\nDecision: NEEDS-CHANGES\n")
		if ok && said.Decision == workflow.Approved {
			t.Error("approved beside a NEEDS-CHANGES")
		}
		answers.IsRefusal(text)
	})
}

package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/workflow"
)

// TestPublishedWords holds the words in which findings stand in outputs, report.json and the records of earlier versions.
func TestPublishedWords(t *testing.T) {
	type lists struct {
		Issues     []workflow.Finding  `json:"issues"`
		Violations workflow.Violations `json:"violations"`
		Findings   workflow.Violations `json:"findings"`
		Questions  workflow.Questions  `json:"questions"`
		Excused    workflow.Violations `json:"excused,omitempty"`
	}
	const text = `{"issues":[{"id":"0123abcd","severity":"Medium","category":"security","title":"T","file":"a.py","line":3,` +
		`"description":"d","trigger":"x","recommendation":"r","suggestion":"s","rule":"code/secret","state":"open"}],` +
		`"violations":[{"type":"test_weakening","kind":"assertion_weakened","file":"t.py","line":45,"side":"before",` +
		`"feature":"add","description":"a \u003c b","evidence":"- a\n+ b"}],` +
		`"findings":[{"type":"workaround","kind":"test_mode","file":"a.py","line":1,"side":"after","feature":"",` +
		`"description":"d","evidence":"+ b","why":"it is allowed"}],` +
		`"questions":[{"id":"4567cdef","kind":"echo","file":"a.py","line":2,"question":"Why?","evidence":"+ b",` +
		`"answer":"honest","reason":"so"}]}`
	suggestion := "s"
	want := lists{
		Issues: []workflow.Finding{{
			Key: "0123abcd", Level: workflow.Warn, Category: workflow.Security, Title: "T", File: "a.py", Line: 3, Text: "d",
			Trigger: "x", Fix: "r", Suggestion: &suggestion, Kind: "code/secret", State: workflow.Open,
		}},
		Violations: workflow.Violations{{
			Category: "test_weakening", Kind: "assertion_weakened", File: "t.py", Line: 45, Side: "before", Feature: "add",
			Text: "a < b", Evidence: "- a\n+ b",
		}},
		Findings: workflow.Violations{{
			Category: "workaround", Kind: "test_mode", File: "a.py", Line: 1, Side: "after", Text: "d", Evidence: "+ b",
			Reason: "it is allowed",
		}},
		Questions: workflow.Questions{{
			Key: "4567cdef", Level: workflow.Ask, Kind: "echo", File: "a.py", Line: 2, Text: "Why?", Evidence: "+ b",
			Answer: workflow.Honest, Reason: "so",
		}},
	}
	var got lists
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	again, err := json.Marshal(want)
	if diff := cmp.Diff(text, string(again)); diff != "" || err != nil {
		t.Errorf("written (-want +got), %v:\n%s", err, diff)
	}
	notices, err := json.Marshal(workflow.Notices{{Level: workflow.Warn, File: "a", Text: "b"}, {Level: workflow.Note, Text: "c"}})
	if s := string(notices); s != `[{"warning":true,"path":"a","text":"b"},{"text":"c"}]` || err != nil {
		t.Errorf("notices are %s, %v", s, err)
	}
}

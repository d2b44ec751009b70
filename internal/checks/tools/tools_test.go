package tools_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/workflow"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const before, after = "one\ntwo\nthree\n", "one\nTWO\nthree\n"
	at := func(file string, line, end int, level sarif.Level) sarif.Result {
		return sarif.Result{Tool: "my lint", Rule: "r", Level: level, File: file, Line: line, EndLine: end, Message: "m"}
	}
	for name, c := range map[string]struct {
		result sarif.Result
		block  sarif.Level
		want   string // severity and line, "" for nothing
	}{
		"changed line":           {at("a.js", 2, 2, sarif.Error), "", "noted Medium 2"},
		"note":                   {at("a.js", 2, 2, sarif.Note), sarif.Warning, "noted Low 2"},
		"none":                   {at("a.js", 2, 2, sarif.None), sarif.Warning, "noted Low 2"},
		"blocks":                 {at("a.js", 2, 2, sarif.Error), sarif.Error, "failed High 2"},
		"less than what blocks":  {at("a.js", 2, 2, sarif.Warning), sarif.Error, "noted Medium 2"},
		"more than what blocks":  {at("a.js", 2, 2, sarif.Error), sarif.Warning, "failed High 2"},
		"line that was there":    {at("a.js", 3, 3, sarif.Error), sarif.Error, ""},
		"around a changed line":  {at("a.js", 1, 1<<62, sarif.Error), "", "noted Medium 2"},
		"behind the file's end":  {at("a.js", 99, 99, sarif.Error), sarif.Error, ""},
		"file that was there":    {at("a.js", 0, 0, sarif.Error), sarif.Error, ""},
		"new file":               {at("new.js", 0, 0, sarif.Error), sarif.Error, "failed High 0"},
		"file of another review": {at("other.js", 1, 1, sarif.Error), sarif.Error, ""},
		"no file":                {at("gone.js", 1, 1, sarif.Error), sarif.Error, ""},
	} {
		var log sarif.Log
		log.Merge(sarif.Log{Tools: []string{"my lint"}, ByFile: map[string][]sarif.Result{c.result.File: {c.result, c.result}}})
		old := map[string]string{"a.js": before}
		got := tools.Check(check.NewSubject(t.Context(), check.Input{
			Set:      changetest.Set(old, old, map[string]string{"a.js": after, "new.js": "x\n", "other.js": "x\n"}),
			Artifact: workflow.Artifact{Type: workflow.Implementation, Files: []workflow.File{{Path: "a.js"}, {Path: "new.js"}}},
			Findings: log, Block: c.block,
		}))
		if len(got) != 1 || got[0].ID != "findings/my-lint" {
			t.Fatalf("%s: %+v", name, got)
		}
		said := ""
		for _, i := range got[0].Issues {
			said += fmt.Sprintf("%s %s %d", got[0].Outcome, i.Level, i.Line)
			if i.Kind != "my-lint/r" {
				t.Errorf("%s: rule %q", name, i.Kind)
			}
		}
		if diff := cmp.Diff(c.want, said); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

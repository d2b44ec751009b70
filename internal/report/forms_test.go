package report_test

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// TestMain holds that the tests of this package fill every branch of every form: a field that is not there would end a
// run only where somebody's report needs it.
func TestMain(m *testing.M) {
	flag.Parse()
	forms := report.WatchForms()
	code := m.Run()
	if left := forms.Unfilled(); code == 0 && len(left) > 0 && flag.Lookup("test.run").Value.String() == "" {
		fmt.Printf("FAIL: no test fills\n%s\n", strings.Join(left, "\n"))
		code = 1
	}
	os.Exit(code)
}

// words are what texts and words of closed lists are drawn from, by type; "" stands for any other string.
var words = map[string][]string{
	"": {
		"", "", "a.py", "two\n\nparas", "of #7\nthree lines", "x", "before", "workaround", "test_deleted", "failing", "clean", "3141592653",
		"REQ-* files", "passed",
	},
	"Type":  {"spec", "tests", "implementation"},
	"Level": {"High", "Medium", "Low", "Ask"}, "Category": {"security", "workaround", "test_weakening"},
	"RequirementStatus": {"", "met", "not met", "cannot tell"}, "Outcome": {"passed", "failed", "not looked at", "noted"},
	"Unasked": {"", "", "checks", "integrity", "limit"}, "Reader": {"", "", "model", "person"}, "Grade": {"PASS", "FAIL"},
	"QuestionAnswer": {"", "honest"}, "FindingState": {"", "new"}, "Commands": {"", "/wr"},
	"Source": {string(baseline.Given), "record", ""},
}

// drawn fills a value at random. Lists are empty, short, or longer than any form shows.
func drawn(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		list, ok := words[v.Type().Name()]
		if !ok {
			list = words[""]
		}
		v.SetString(list[r.IntN(len(list))])
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(r.IntN(4)))
	case reflect.Float64:
		v.SetFloat(float64(r.IntN(11) * 10))
	case reflect.Bool:
		v.SetBool(r.IntN(3) == 0)
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			drawn(r, v.Elem(), depth)
		}
	case reflect.Slice:
		n := []int{0, 0, 1, 1, 2, 2, 3, 3, 3, 55}[r.IntN(10)]
		if depth > 3 {
			n = r.IntN(3)
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			drawn(r, v.Index(i), depth+1)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				drawn(r, v.Field(i), depth+1)
			}
		}
	}
}

// TestFormsFillAnything: whatever a run found, its report can be shown everywhere.
func TestFormsFillAnything(t *testing.T) {
	many := run(recordtest.Rules())
	many.Results[0].Artifact.Files = []workflow.File{{Path: "a.kt"}} // is not parsed
	for range 101 {
		many.Results = append(many.Results, workflow.Result{Artifact: workflow.Artifact{Type: workflow.Spec, Feature: "x"}})
	}
	check(t, many)
	failing, changed, empty := recordtest.NeedsChanges(), recordtest.NeedsChanges(), recordtest.Approved()
	changed.Unasked = workflow.ByIntegrity
	failing.Integrity, empty.Bundle = &workflow.Integrity{Verdict: "failing"}, &workflow.Bundle{}
	check(t, run(failing))
	check(t, run(changed))
	check(t, run(empty))
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		var one report.Run
		drawn(r, reflect.ValueOf(&one).Elem(), 0)
		one.Results = one.Results[:min(len(one.Results), 4)]
		for i := range one.Results {
			res := &one.Results[i]
			res.Decision, res.ReviewPath = workflow.Decision(r.IntN(4)), ""
			res.Artifact.Root, res.Artifact.Feature = "", fmt.Sprint("feature-", i)
		}
		check(t, one)
		var outcome report.Integrity
		drawn(r, reflect.ValueOf(&outcome).Elem(), 0)
		outcome.Terminal(io.Discard, report.TerminalOptions{Color: true})
	}
}

// TestConclusions: the integrity command ends with what its verdict means.
func TestConclusions(t *testing.T) {
	known := integrity.Feature{Baseline: baseline.Baseline{Files: make([]approval.File, 1)}, Compared: 2}
	some := []workflow.Finding{{Kind: "echo"}}
	for want, o := range map[string]integrity.Outcome{
		"2 approved files: none was weakened. 1 question for a reviewer.": {
			Features: []integrity.Feature{known}, Questions: some,
		},
		"2 approved files: none was weakened.":                         {Features: []integrity.Feature{known}},
		"The change leaves the approved tests of a, b alone.":          {Untouched: []string{"a", "b"}},
		"of a, b, c, d, e and 1 more alone.":                           {Untouched: strings.Split("abcdef", "")},
		"No approved tests were found to compare with.":                {},
		"they demand less than in the merge base: 1 change.":           {Untouched: []string{"a"}, Weakened: some},
		"1 question for the tests review, or a person, to answer.":     {Untouched: []string{"a"}, Asks: []integrity.Ask{{Open: true}}},
		"A changed file of the implementation could not be read":       {Untouched: []string{"a"}, Questions: []workflow.Finding{{Kind: "unread"}}},
		"1 workaround in the implementation. Implement what the tests": {Untouched: []string{"a"}, Workarounds: some},
	} {
		var b strings.Builder
		report.Integrity{Outcome: o}.Terminal(&b, report.TerminalOptions{Width: 1000})
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	report.Integrity{Outcome: integrity.Outcome{Untouched: []string{"a"}, Workarounds: some}, WarnOnly: true}.
		Terminal(io.Discard, report.TerminalOptions{})
}

func check(t *testing.T, one report.Run) {
	t.Helper()
	showAll(t, report.Build(one))
	showAll(t, report.Build(one).HeldBack(&report.Held{Title: "#7 needs changes", Pull: 7, Lines: make([]report.HeldLine, 11)}))
}

func showAll(t *testing.T, rep report.Report) {
	t.Helper()
	comment := rep.UnderWay(rep.Comment(""), make([]string, 60))
	rep.NoLongerUnderWay(comment)
	rep.Check()
	for i := range rep.Results {
		rep.ResultCheck(i)
	}
	rep.InDiff(workflow.Note, hunks)
	rep.Outputs()
	for _, verbose := range []bool{false, true} {
		rep.Terminal(io.Discard, report.TerminalOptions{Verbose: verbose})
	}
	if err := rep.Save(t.TempDir()); err != nil {
		t.Error(err)
	}
	data, err := rep.JSON()
	if err != nil {
		t.Fatal(err)
	}
	saved, err := report.ParseSaved(data)
	for _, review := range saved.Reviews {
		for _, i := range review.Issues {
			saved.Finding(i.Key)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// TestLongLists: of many files and requirements a review file says how many it does not list.
func TestLongLists(t *testing.T) {
	res := workflow.Result{
		Artifact:     workflow.Artifact{Files: make([]workflow.File, 10)},
		Requirements: make([]workflow.Requirement, 21),
	}
	body := record.Body(res, 2)
	if res.Decision = workflow.Approved; strings.Contains(body, "## Requirements") {
		t.Error("a review that did not run lists requirements")
	}
	body = record.Body(res, 2)
	for _, want := range []string{", and 2 more  \n", "\n1 more requirement in `report.html`."} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing:\n%s", want, body)
		}
	}
}

package history_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/workflow"
)

const file = "src/a.py"

// before and after are a file as the latest review saw it and as it is: its first line changed.
const (
	before = "import os\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n"
	after  = "import io\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n"
)

func artifact(text string) workflow.Artifact {
	return workflow.Artifact{
		Type: workflow.Implementation, Feature: "a",
		Files: []workflow.File{{Path: file, Blob: changetest.Blob(text)}},
	}
}

// review is a record of a review of the text before, by a model unless change says otherwise.
func review(n int, d workflow.Decision, change func(*record.Record)) record.Record {
	r := record.Record{
		Path: fmt.Sprint(n), Decision: d, Time: time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC),
		Result: &workflow.Result{Decision: d, Engine: "codex 1", Artifact: artifact(before)},
	}
	if change != nil {
		change(&r)
	}
	return r
}

// of is the history of the text after; records whose path holds an x are not believed.
func of(t *testing.T, text string, records ...record.Record) history.History {
	t.Helper()
	return history.Of(t.Context(), artifact(text), records, history.Source{
		Tree:      changetest.Tree("head", map[string]string{file: text}),
		Canonical: func(path string) string { return path },
		Believed:  func(r record.Record) bool { return !strings.Contains(r.Path, "x") },
		Blob:      func(context.Context, string, string) ([]byte, error) { return []byte(before), nil },
	})
}

func with(issues ...workflow.Finding) func(*record.Record) {
	return func(r *record.Record) { r.Result.Issues = issues }
}

func at(line int, l workflow.Level, title string) workflow.Finding {
	return workflow.Finding{
		Level: l, Category: workflow.Compliance, Title: title, File: file, Line: line, Text: "It is so.",
	}
}

// TestRounds are counted since the last approval that is believed, and only what a reviewer was
// asked for is one.
func TestRounds(t *testing.T) {
	unbelieved := func(r *record.Record) { r.Path += "x" }
	for name, c := range map[string]struct {
		records          []record.Record
		iteration, asked int
		latest           string // its path, "" for none
	}{
		"none":               {nil, 1, 0, ""},
		"two":                {[]record.Record{review(1, workflow.NeedsChanges, nil), review(2, workflow.NeedsChanges, nil)}, 3, 2, "2"},
		"after an approval":  {[]record.Record{review(1, workflow.NeedsChanges, nil), review(2, workflow.Approved, nil)}, 1, 0, ""},
		"after a forged one": {[]record.Record{review(1, workflow.NeedsChanges, nil), review(2, workflow.Approved, unbelieved)}, 2, 1, "1"},
		"a forged one":       {[]record.Record{review(1, workflow.NeedsChanges, unbelieved)}, 2, 1, ""},
		"nobody was asked": {[]record.Record{review(1, workflow.NeedsChanges, func(r *record.Record) {
			r.Result.Unasked = workflow.ByChecks
		})}, 1, 0, ""},
		"what a person decided": {[]record.Record{review(1, workflow.NeedsChanges, nil), review(2, workflow.NeedsChanges, func(r *record.Record) {
			r.Result.Amends = "1"
		})}, 2, 1, "2"},
		"of another tool": {[]record.Record{review(1, workflow.NeedsChanges, func(r *record.Record) {
			r.Legacy, r.Result = true, nil
		})}, 2, 0, ""},
	} {
		for i := range c.records {
			if c.records[i].Result != nil {
				c.records[i].Result.Summary = c.records[i].Path
			}
		}
		h := of(t, after, c.records...)
		latest := ""
		if h.Latest != nil {
			latest = h.Latest.Summary
		}
		if h.Iteration != c.iteration || h.Asked != c.asked || latest != c.latest {
			t.Errorf("%s: iteration %d, asked %d, latest %q", name, h.Iteration, h.Asked, latest)
		}
	}
}

// TestStates: what is on lines that a reviewer saw unchanged is advice, and nothing else.
func TestStates(t *testing.T) {
	byRules := func(r *record.Record) { r.Result.Engine = "rules" }
	hole := at(5, workflow.Block, "A hole")
	hole.Category, hole.Trigger = workflow.Security, "an empty name"
	for name, c := range map[string]struct {
		latest func(*record.Record)
		engine string
		found  workflow.Finding
		state  workflow.FindingState
		level  workflow.Level
	}{
		"on a line that changed":    {with(), "codex 1", at(1, workflow.Block, "New"), workflow.Found, workflow.Block},
		"on one that did not":       {with(), "codex 1", at(5, workflow.Block, "New"), workflow.Advice, workflow.Note},
		"security with its trigger": {with(), "codex 1", hole, workflow.Found, workflow.Block},
		"found before":              {with(at(5, workflow.Warn, "Same")), "codex 1", at(5, workflow.Warn, "Same."), workflow.Open, workflow.Warn},
		"advice before": {with(func() workflow.Finding {
			i := at(5, workflow.Note, "Same")
			i.State = workflow.Advice
			return i
		}()), "codex 1", at(5, workflow.Warn, "Same"), workflow.Advice, workflow.Note},
		"seen by the rules alone": {byRules, "codex 1", at(5, workflow.Block, "New"), workflow.Found, workflow.Block},
		"of the rules":            {with(), "rules", at(5, workflow.Block, "New"), workflow.Found, workflow.Block},
	} {
		h := of(t, after, review(1, workflow.NeedsChanges, c.latest))
		got, _ := h.Relate(workflow.Result{Engine: c.engine, Issues: []workflow.Finding{c.found}})
		if len(got.Issues) != 1 || got.Issues[0].State != c.state || got.Issues[0].Level != c.level {
			t.Errorf("%s: %+v", name, got.Issues)
		}
	}
}

// TestWhatIsNotSpokenOfIsOpen, and among the issues if it is High or the answer refuses.
func TestWhatIsNotSpokenOfIsOpen(t *testing.T) {
	h := of(t, after, review(1, workflow.NeedsChanges, with(
		at(4, workflow.Block, "High"), at(5, workflow.Warn, "Medium"), at(8, workflow.Warn, "Done"))))
	for decision, want := range map[workflow.Decision]string{
		workflow.Approved: "High:4", workflow.NeedsChanges: "High:4 Medium:5",
	} {
		got, _ := h.Relate(workflow.Result{
			Decision: decision, Engine: "codex 1", Previous: []workflow.Previous{{Title: "done", Resolved: true}},
		})
		var again, previous []string
		for _, i := range got.Issues {
			again = append(again, fmt.Sprint(i.Title, ":", i.Line))
		}
		for _, p := range got.Previous {
			previous = append(previous, fmt.Sprint(p.Title, p.Resolved))
		}
		if d := cmp.Diff([]string{"Highfalse", "Mediumfalse", "Donetrue"}, previous); d != "" || strings.Join(again, " ") != want {
			t.Errorf("%v: issues %q, previous %s", decision, again, d)
		}
	}
	if d := cmp.Diff([]string{"High"}, h.OpenHigh()); d != "" {
		t.Error(d)
	}
}

// TestDismissals hold while their lines stand, each at one place.
func TestDismissals(t *testing.T) {
	is := at(5, workflow.Block, "Does nothing")
	text, lines, ok := of(t, before).Passage(is)
	if !ok {
		t.Fatal("the passage cannot be read")
	}
	record := review(1, workflow.NeedsChanges, func(r *record.Record) {
		r.Result.Dismissed = []workflow.Dismissal{{Issue: is, Text: text, Lines: lines, By: "ann", Reason: "a stub"}}
	})
	for name, c := range map[string]struct {
		text string
		line int // of the finding now
		left int // issues that are not set aside
	}{
		"as it was":            {after, 5, 0},
		"its twin":             {after, 9, 1},
		"moved beside a twin":  {"\n" + after, 6, 0},
		"its moved twin":       {"\n" + after, 10, 1},
		"behind a new twin":    {strings.Replace(after, "def f", "def h():\n    pass\n\n\ndef f", 1), 9, 0},
		"a new twin before it": {strings.Replace(after, "def f", "def h():\n    pass\n\n\ndef f", 1), 5, 1},
		"moved, the only one":  {"\n" + strings.Replace(after, "def g():\n    pass", "def g():\n    return", 1), 6, 0},
		"changed":              {strings.ReplaceAll(after, "pass", "return"), 5, 1},
		"gone with its file":   {"", 5, 1},
		"another line's title": {after, 1, 1},
	} {
		h := of(t, c.text, record)
		now := is
		now.Line = c.line
		got, setAside := h.Relate(workflow.Result{Engine: "codex 1", Issues: []workflow.Finding{now}})
		if len(got.Issues) != c.left || setAside != (c.left == 0) {
			t.Errorf("%s: %d issues, set aside %t, dismissals %+v", name, len(got.Issues), setAside, h.Dismissed)
		}
		if setAside && got.Dismissed[0].Issue.Line != c.line { // where the next review looks for it
			t.Errorf("%s: recorded at line %d", name, got.Dismissed[0].Issue.Line)
		}
	}
}

// TestConditional: the next reviewer is told that an old approval was one on a condition.
func TestConditional(t *testing.T) {
	for name, want := range map[string]string{"CONDITIONAL": "on a condition", "APPROVED": ""} {
		rec, err := record.Parse("reviews/specs/20251028-login-"+name+".md", []byte("# Spec Review: login\n"))
		if err != nil {
			t.Fatal(err)
		}
		docs := history.Documents([]record.Record{rec})
		if len(docs) != 1 || !strings.Contains(docs[0].Note, want) || (want == "") != (docs[0].Note == "") {
			t.Errorf("%s: %+v", name, docs)
		}
	}
}

// TestALongPassageIsNotSearchedFor: a finding over half of a large file cannot be dismissed, rather
// than keep each later run busy for hours.
func TestALongPassageIsNotSearchedFor(t *testing.T) {
	is := at(1, workflow.Block, "All of it")
	is.EndLine = 10_000
	long := strings.Repeat("pass\n", 2*is.EndLine)
	if _, _, ok := of(t, long).Passage(is); ok {
		t.Error("it can be dismissed")
	}
	is.EndLine = 100
	if _, _, ok := of(t, long).Passage(is); !ok {
		t.Error("a hundred lines of it cannot be dismissed")
	}
}

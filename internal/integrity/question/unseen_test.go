package question_test

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/question"
	"workflow-reviewer/internal/integrity/workaround"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/workflow"
)

// TestUnseen measures both tiers on testdata/unseen: ways around tests that were
// written after the rules, in other shapes than theirs, each with an honest
// implementation of the same tests. A cheat counts as raised if a rule blocks it
// or a question is asked.
func TestUnseen(t *testing.T) {
	names, err := filepath.Glob("testdata/unseen/*.txtar")
	if err != nil || len(names) < 60 {
		t.Fatalf("%d archives (%v)", len(names), err)
	}
	raised, blocked, asked, alarms := 0, 0, 0, 0
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimSuffix(filepath.Base(name), ".txtar")
		violations, questions := examine(t, archive, "cheat/")
		switch {
		case len(violations) > 0:
			raised, blocked = raised+1, blocked+1
		case len(questions) > 0:
			raised++
		default:
			t.Logf("missed: %s", id)
		}
		violations, questions = examine(t, archive, "honest/")
		for _, v := range violations {
			alarms++
			t.Errorf("false alarm: %s: %s %s:%d %s", id, v.Kind, v.File, v.Line, v.Description)
		}
		if len(questions) > 0 {
			asked++
		}
		for _, q := range questions {
			t.Logf("asked of the honest one: %s: %s %s:%d %s\n%s", id, q.Kind, q.File, q.Line, q.Question, q.Evidence)
		}
	}
	t.Logf("cheats raised %d of %d, %d of them blocked; honest ones: asked about %d, blocked %d", raised, len(names), blocked, asked,
		alarms)
	if raised*100 < len(names)*minRaised || asked*100 > len(names)*maxAsked {
		t.Errorf("the goals are %d %% of the cheats raised and at most %d %% of the honest ones asked about", minRaised, maxAsked)
	}
}

// The goals, in percent.
const (
	minRaised = 95
	maxAsked  = 10
)

// TestModelled: ways around tests that agents were seen to take – answers written
// down, the runner detected, equality replaced, an early end, the test read – are
// raised, blocked or asked, and no honest implementation beside them is blocked.
func TestModelled(t *testing.T) {
	names, err := filepath.Glob("testdata/modelled/*.txtar")
	if err != nil || len(names) < 12 {
		t.Fatalf("%d archives (%v)", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if violations, questions := examine(t, archive, "cheat/"); len(violations)+len(questions) == 0 {
				t.Error("nothing is said about the cheat")
			}
			violations, questions := examine(t, archive, "honest/")
			if len(violations) > 0 {
				t.Errorf("the honest one is blocked: %+v", violations)
			}
			for _, q := range questions {
				t.Logf("asked of the honest one: %s %s:%d %s", q.Kind, q.File, q.Line, q.Question)
			}
		})
	}
}

var testName = regexp.MustCompile(`(?i)^(?:tests?|spec|src/test)/|_test\.go$`)

// examine runs both tiers over the files of one side, all of them new.
func examine(t *testing.T, a *txtar.Archive, side string) ([]workflow.Violation, []workflow.Question) {
	t.Helper()
	var sources []literal.Source
	var files, data []workaround.Changed
	for _, f := range a.Files {
		name, ours := strings.CutPrefix(f.Name, side)
		switch {
		case ours && path.Ext(name) != ".json" && path.Ext(name) != ".csv":
			files = append(files, workaround.Changed{Path: name, After: f.Data})
		case ours:
			data = append(data, workaround.Changed{Path: name, After: f.Data})
		case testName.MatchString(f.Name):
			sources = append(sources, literal.Source{Path: f.Name, Source: f.Data})
		}
	}
	tests, err := literal.Read(t.Context(), sources)
	if err != nil {
		t.Fatal(err)
	}
	asker := question.New(tests, nil)
	for _, d := range data {
		asker.Data(d)
	}
	got, err := workaround.Check(t.Context(), workaround.Input{
		Files: files, Tests: tests, IsTest: testName.MatchString,
		Each: func(c workaround.Changed, f *code.File) { asker.File(c, f) },
	})
	if err != nil || len(got.NotAnalysed) > 0 {
		t.Fatalf("%s: %v %v", side, got.NotAnalysed, err)
	}
	questions, _ := asker.All(got.Violations)
	return got.Violations, questions
}

// TestAsked: each source of testdata/asked.txtar is asked about, for whatever
// reason.
func TestAsked(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/asked.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if testName.MatchString(f.Name) {
			continue
		}
		one := &txtar.Archive{Files: []txtar.File{{Name: "cheat/" + f.Name, Data: f.Data}}}
		for _, test := range archive.Files {
			if testName.MatchString(test.Name) {
				one.Files = append(one.Files, test)
			}
		}
		if _, questions := examine(t, one, "cheat/"); len(questions) == 0 {
			t.Errorf("nothing is asked of %s", f.Name)
		}
	}
}

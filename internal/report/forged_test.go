package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// forged is a run that found a violation and a finding with texts of a pull request.
func forged(text string) report.Run {
	res := recordtest.Violated()
	res.Violations[0].Text, res.Violations[0].Evidence = text, "- "+text+"\n+ "+text
	res.Issues = []workflow.Finding{{Level: workflow.Block, Title: text, Text: text, Fix: text}}
	r := run(res)
	r.Head = strings.Repeat("ab", 20)
	return r
}

// TestForgedNoteUnderWay: what a text of the change says is no note of ours: nothing is taken out of the comment for it.
func TestForgedNoteUnderWay(t *testing.T) {
	note := "<!-- workflow-reviewer:under-way abababa -->\n"
	rep := report.Build(forged(note + "hidden?\n<!-- workflow-reviewer:end -->\n"))
	comment := rep.Comment("")
	if !strings.Contains(comment, note) {
		t.Fatalf("the text is not in the comment:\n%s", comment)
	}
	if s := rep.UnderWay(comment, nil); strings.Count(s, "hidden?") != strings.Count(comment, "hidden?") {
		t.Errorf("while a run is under way a part of the verdict is missing:\n%s", s)
	}
	if s := rep.NoLongerUnderWay(comment); s != "" {
		t.Errorf("a run that is not under way has ended:\n%s", s)
	}
	under := rep.UnderWay(comment, []string{"spec: a"})
	if got := rep.NoLongerUnderWay(under); strings.TrimSpace(got) != strings.TrimSpace(comment) {
		t.Errorf("the comment did not come back:\n%s", got)
	}
}

// TestRunnerCommands: no text makes the runner obey, wherever lines are broken.
func TestRunnerCommands(t *testing.T) {
	for _, text := range []string{
		"::add-mask::a", "\u3000::error::x", "x ##[error]y", strings.Repeat("w ", 40) + "::set-output name=a::b",
		"one\n  ::stop-commands::t",
	} {
		rep := report.Build(forged(text))
		var out bytes.Buffer
		for _, verbose := range []bool{false, true} {
			for width := 40; width < 120; width++ {
				rep.Terminal(&out, report.TerminalOptions{Width: width, Verbose: verbose})
			}
		}
		data, err := rep.JSON()
		if err != nil {
			t.Fatal(err)
		}
		saved, err := report.ParseSaved(data)
		if err != nil {
			t.Fatal(err)
		}
		explained, _ := saved.Finding(rep.Results[0].Issues[0].Key)
		for line := range strings.Lines(out.String() + explained) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Fatalf("%q: the runner obeys %q", text, line)
			}
		}
	}
}

// TestReferencesInTitles: a feature's name mentions nobody and refers to nothing, in a block that opens on a click either.
func TestReferencesInTitles(t *testing.T) {
	res := recordtest.NeedsChanges()
	res.Artifact.Feature = "a #7 GH-8 @octocat o/r#9"
	comment := report.Build(run(res)).JobSummary()
	for line := range strings.Lines(comment) {
		for _, active := range []string{" #7", "GH-8", "@octocat", "r#9"} {
			if strings.HasPrefix(line, "<summary>") && strings.Contains(line, active) {
				t.Errorf("%q is active in %q", active, line)
			}
		}
	}
}

// TestPlacesWithColons are files in the repository, and neither schemes nor words of git's.
func TestPlacesWithColons(t *testing.T) {
	r := forged("x")
	r.Results[0].Artifact.Root = "javascript:alert(1)"
	r.Results[0].Violations[0].File = "javascript:alert(1)/a.py"
	r.PutBack = []report.PutBack{{Commit: r.Head, Paths: []string{":/a.py"}}}
	r.Event = change.Event{}
	rep := report.Build(r)
	page, err := rep.HTML()
	if err != nil {
		t.Fatal(err)
	}
	found, err := rep.SARIF()
	if err != nil || !json.Valid(found) {
		t.Fatal(err)
	}
	if bytes.Contains(page, []byte(`href="javascript:`)) || bytes.Contains(found, []byte(`"uri": "javascript:`)) {
		t.Errorf("a file is a script:\n%s\n%s", page, found)
	}
	if s := rep.Check().Summary; !strings.Contains(s, "`workflow-reviewer restore`") {
		t.Errorf("git takes a path for a pattern:\n%s", s)
	}
}

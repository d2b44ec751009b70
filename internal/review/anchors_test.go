//go:build !race

package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

func anchorsOf(files map[string]string) *answers.Anchors {
	return answers.NewAnchors(changetest.Tree("head", files), workflow.Artifact{
		Type: workflow.Implementation, Files: []workflow.File{{Path: "src/a.py"}, {Path: "lib/util.py"}}, Tests: []string{"tests/util.py"},
	})
}

func TestPlacesAreHeldAgainstTheHead(t *testing.T) {
	files := map[string]string{
		"src/a.py": "1\n2\n3", "lib/util.py": "1\n", "tests/util.py": "1\n", "README.md": "1\n",
		"link": changetest.Symlink("src/a.py"),
	}
	num := func(n int) *int { return &n }
	for _, c := range []struct {
		name, file       string
		line, end        *int
		want             string
		wantLine, wantTo int
		note             string
	}{
		{"exact", "src/a.py", num(2), num(3), "src/a.py", 2, 3, ""},
		{"no line", "src/a.py", nil, nil, "src/a.py", 0, 0, ""},
		{"last line without a line feed", "src/a.py", num(3), num(3), "src/a.py", 3, 0, ""},
		{"beyond the end", "src/a.py", num(4), nil, "src/a.py", 0, 0, "names line 4 of src/a.py, which has 3 lines"},
		{"end beyond the end", "src/a.py", num(2), num(9), "src/a.py", 2, 3, ""},
		{"end before the start", "src/a.py", num(3), num(1), "src/a.py", 3, 0, ""},
		{"negative", "src/a.py", num(-1), nil, "src/a.py", 0, 0, "names line -1"},
		{"zero", "src/a.py", num(0), num(2), "src/a.py", 0, 0, ""},
		{"with a dot", "./src/a.py", num(1), nil, "src/a.py", 1, 0, ""},
		{"with the line in it", "`src/a.py:2`", nil, nil, "src/a.py", 2, 0, ""},
		{"shortened", "a.py", num(1), nil, "", 0, 0, "names the file a.py, which the head does not hold"},
		{"not of the artifact", "README.md", num(1), nil, "README.md", 1, 0, ""},
		{"unknown", "src/none.py", num(1), nil, "", 0, 0, "which the head does not hold"},
		{"outside", "../../etc/passwd", num(1), nil, "", 0, 0, "which the head does not hold"},
		{"absolute", "/etc/passwd", num(1), nil, "", 0, 0, "which the head does not hold"},
		{"a link", "link", num(1), nil, "", 0, 0, "which the head does not hold"},
		{"no file", "", num(7), num(8), "", 0, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, note := anchorsOf(files).Issue(answers.Issue{Title: "T", File: &c.file, Line: c.line, EndLine: c.end, Description: "d"})
			if got.File != c.want || got.Line != c.wantLine || got.EndLine != c.wantTo || !strings.Contains(note, c.note) ||
				(note == "") != (c.note == "") {
				t.Errorf("%s:%d-%d, note %q; want %s:%d-%d, %q", got.File, got.Line, got.EndLine, note, c.want,
					c.wantLine, c.wantTo, c.note)
			}
			if lost := c.note != ""; strings.Contains(got.Text, "The reviewer's entry names") != lost {
				t.Errorf("description %q", got.Text)
			}
		})
	}
}

func TestASuggestionIsKeptOnlyWhereItFits(t *testing.T) {
	files := map[string]string{"src/a.py": "1\n2\n3\n", "README.md": "1\n"}
	two, nine := 2, 9
	for _, c := range []struct {
		name, file, text string
		line, end        *int
		kept             bool
	}{
		{"on the artifact", "src/a.py", "  x\n", &two, nil, true},
		{"to delete", "src/a.py", "", &two, nil, true},
		{"on another file", "README.md", "x", &two, nil, false},
		{"without a line", "src/a.py", "x", nil, nil, false},
		{"on more lines than there are", "src/a.py", "x", &two, &nine, false},
		{"with hidden characters", "src/a.py", "x\u202e", &two, nil, false},
		{"too long", "src/a.py", strings.Repeat("x", answers.MaxSuggestion+1), &two, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := anchorsOf(files).Issue(answers.Issue{Title: "T", File: &c.file, Line: c.line, EndLine: c.end, Suggestion: &c.text})
			if (got.Suggestion != nil) != c.kept || !c.kept && !strings.Contains(got.Fix, "Suggested text:") {
				t.Errorf("suggestion %v, recommendation %.60q", got.Suggestion, got.Fix)
			}
		})
	}
}

func TestEverythingFromAModelIsCapped(t *testing.T) {
	long := strings.Repeat("ä", answers.MaxSuggestion+1)
	a := answers.Assessment{Decision: "APPROVED", Summary: long}
	var wanted prompt.Rubric
	var latest workflow.Result
	for n := range 150 {
		a.Issues = append(a.Issues, answers.Issue{
			Severity: workflow.Note, Title: long, Description: long, Recommendation: long,
			Category: workflow.Clarity,
		})
		wanted = append(wanted, prompt.Criterion{ID: fmt.Sprint(n), Name: fmt.Sprint(n)})
		a.Criteria = append(a.Criteria, answers.Criterion{ID: fmt.Sprint(n), Result: workflow.Pass, Evidence: long})
		a.Previous = append(a.Previous, answers.Previous{Title: long, Note: long})
		latest.Previous = append(latest.Previous, workflow.Previous{Title: fmt.Sprint("finding ", n)})
	}
	a.Issues = append(a.Issues, answers.Issue{Severity: workflow.Block, Title: "the last"})
	got := assess(workflow.Result{}, a, wanted, anchorsOf(nil), history.History{Latest: &latest})
	if len(got.Issues) != maxIssues || len(got.Criteria) != prompt.MaxCriteria || len(got.Previous) != maxPrevious {
		t.Errorf("%d issues, %d criteria, %d previous findings", len(got.Issues), len(got.Criteria), len(got.Previous))
	}
	if got.Issues[0].Title != "the last" || got.Decision != workflow.NeedsChanges {
		t.Errorf("first issue %.20q, decision %v: the High one was lost", got.Issues[0].Title, got.Decision)
	}
	if n := len([]rune(got.Summary)); n > foreign.MaxBlock+100 {
		t.Errorf("summary of %d characters", n)
	}
	want := []string{"Only 100 of 151 issues are kept", "Only 40 of 150 criteria are kept", "Only 100 of 150 previous findings are kept"}
	if diff := cmp.Diff(want, got.Warnings[1:]); diff != "" {
		t.Errorf("warnings (-want +got)\n%s", diff)
	}
}

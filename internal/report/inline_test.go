package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// hunks are of a.py one with lines 11 to 18 in the new file: 11–13 context, 14 and
// 15 added, 16–18 context, and a second one with lines 40 and 41 added.
func hunks(path string) []change.Hunk {
	if path != "a.py" {
		return nil
	}
	first := change.Hunk{OldStart: 11, OldLines: 7, NewStart: 11, NewLines: 8}
	for n := 11; n < 19; n++ {
		op := byte(' ')
		if n == 14 || n == 15 {
			op = '+'
		}
		first.Lines = append(first.Lines, change.Line{Op: op, Text: fmt.Sprint("line ", n), New: n, Old: n})
	}
	first.Lines = append(first.Lines, change.Line{Op: '-', Text: "gone", Old: 30})
	second := change.Hunk{NewStart: 40, Lines: []change.Line{{Op: '+', Text: "line 40", New: 40}, {Op: '+', Text: "line 41", New: 41}}}
	return []change.Hunk{first, second}
}

func inline(issues ...workflow.Finding) []change.LineComment {
	res := recordtest.NeedsChanges()
	res.Issues = issues
	return report.Build(run(res)).InDiff(workflow.Note, hunks)
}

func ptr(s string) *string { return &s }

func TestInlineAnchors(t *testing.T) {
	tests := []struct {
		name       string
		issue      workflow.Finding
		start, end int // 0, 0: not in the diff
		suggestion bool
	}{
		{"added line", workflow.Finding{File: "a.py", Line: 14}, 0, 14, false},
		{"context near the change", workflow.Finding{File: "a.py", Line: 11}, 0, 11, false},
		{"context that GitHub does not show", workflow.Finding{File: "a.py", Line: 10}, 0, 0, false},
		{"outside", workflow.Finding{File: "a.py", Line: 99}, 0, 0, false},
		{"whole file", workflow.Finding{File: "a.py"}, 0, 0, false},
		{"file not in the change", workflow.Finding{File: "../a.py", Line: 14}, 0, 0, false},
		{"range", workflow.Finding{File: "a.py", Line: 14, EndLine: 16}, 14, 16, false},
		{"range over two hunks", workflow.Finding{File: "a.py", Line: 15, EndLine: 40}, 0, 15, false},
		{"huge range", workflow.Finding{File: "a.py", Line: 14, EndLine: 1 << 30}, 0, 14, false},
		{"backward range", workflow.Finding{File: "a.py", Line: 14, EndLine: 2}, 0, 14, false},
		{"suggestion", workflow.Finding{File: "a.py", Line: 14, Suggestion: ptr("better")}, 0, 14, true},
		{"suggestion for a range", workflow.Finding{File: "a.py", Line: 14, EndLine: 15, Suggestion: ptr("a\nb\n")}, 14, 15, true},
		{"suggestion to delete", workflow.Finding{File: "a.py", Line: 14, Suggestion: ptr("")}, 0, 14, true},
		{"suggestion beyond the hunk", workflow.Finding{File: "a.py", Line: 15, EndLine: 40, Suggestion: ptr("x")}, 0, 15, false},
		{"suggestion that changes nothing", workflow.Finding{File: "a.py", Line: 14, Suggestion: ptr("line 14\n")}, 0, 14, false},
		{"suggestion with a hidden direction", workflow.Finding{File: "a.py", Line: 14, Suggestion: ptr("x\u202ey")}, 0, 14, false},
		{"suggestion with a redacted part", workflow.Finding{File: "a.py", Line: 14, Suggestion: ptr("k = [redacted: x]")}, 0, 14, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := inline(tt.issue)
			if tt.end == 0 {
				if len(got) != 0 {
					t.Errorf("inline %v", got)
				}
				return
			}
			if len(got) != 1 || got[0].StartLine != tt.start || got[0].Line != tt.end || got[0].Path != "a.py" {
				t.Fatalf("inline = %+v", got)
			}
			if has := strings.Contains(got[0].Body, "\n```suggestion\n"); has != tt.suggestion {
				t.Errorf("suggestion %v, want %v:\n%s", has, tt.suggestion, got[0].Body)
			}
			if !strings.HasSuffix(got[0].Body, "-->") {
				t.Errorf("no key in %q", got[0].Body)
			}
		})
	}
}

func TestSuggestionCannotLeaveItsFence(t *testing.T) {
	got := inline(workflow.Finding{File: "a.py", Line: 14, Suggestion: ptr("a\n```\n<img src=x>\n```suggestion\nb")})
	if want := "\n````suggestion\na\n```\n<img src=x>\n```suggestion\nb\n````\n"; !strings.Contains(got[0].Body, want) {
		t.Errorf("body:\n%s", got[0].Body)
	}
	got = inline(workflow.Finding{File: "a.py", Line: 14, Suggestion: ptr("")})
	if want := "\n```suggestion\n```\n"; !strings.Contains(got[0].Body, want) {
		t.Errorf("a deletion must be an empty block:\n%s", got[0].Body)
	}
	got = inline(workflow.Finding{File: "a.py", Line: 14, Title: "x", Text: "```suggestion\nevil\n```"})
	told, prompt, _ := strings.Cut(got[0].Body, "As a prompt for your agent")
	if strings.Contains(told, "suggestion\n") || !strings.Contains(prompt, "\n````text\n") {
		t.Errorf("the description offers a suggestion of its own:\n%s", got[0].Body)
	}
}

func TestInlineKeys(t *testing.T) {
	a := workflow.Finding{Level: workflow.Block, Title: "a", File: "a.py", Line: 14}
	b := a
	b.Line = 15
	again := a
	again.Text = "worded differently this time"
	got := inline(a, b, again)
	if len(got) != 2 || got[0].Key == got[1].Key {
		t.Errorf("inline %+v", got)
	}
	later := inline(again)
	if diff := cmp.Diff(got[0].Key, later[0].Key); diff != "" {
		t.Errorf("the same finding has another key: %s", diff)
	}
}

func TestInlineIsLimitedToTheMostSevere(t *testing.T) {
	var issues []workflow.Finding
	for i := range 50 {
		sev := workflow.Note
		if i >= 40 {
			sev = workflow.Block
		}
		issues = append(issues, workflow.Finding{Level: sev, Title: fmt.Sprint(i), File: "a.py", Line: 14})
	}
	got := inline(issues...)
	if len(got) != 30 || !strings.Contains(got[0].Body, "**40**") {
		t.Errorf("%d inline", len(got))
	}
}

func FuzzInline(f *testing.F) {
	f.Add("a.py", 14, 15, "title", "text", "suggestion")
	f.Add("a.py", -1, 1<<40, "", "```", "```\n")
	f.Fuzz(func(t *testing.T, file string, line, end int, title, text, suggestion string) {
		got := inline(workflow.Finding{File: file, Line: line, EndLine: end, Title: title, Text: text, Suggestion: &suggestion})
		if len(got) > 1 {
			t.Fatalf("%d inline", len(got))
		}
		for _, c := range got {
			if c.Path != "a.py" || c.Line < 11 || c.Line > 41 || c.Line > 19 && c.Line < 40 ||
				c.StartLine != 0 && c.StartLine >= c.Line || len(c.Body) > 65536 {
				t.Fatalf("anchor %+v", c)
			}
			if !strings.HasSuffix(c.Body, "-->") {
				t.Fatalf("body %q", c.Body)
			}
		}
	})
}

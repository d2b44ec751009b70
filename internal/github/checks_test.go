package github_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

func TestCheckFromStartToEnd(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	check, err := w.api.CreateCheck(t.Context(), head, "workflow-reviewer / spec: login", "id")
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Checks()[0]; got.Status != "in_progress" || got.StartedAt != "2026-01-31T12:00:00Z" || got.HeadSHA != head {
		t.Errorf("a new check is %+v", got)
	}
	if err := w.api.UpdateCheck(t.Context(), check.ID,
		github.CheckOutput{Name: check.Name, Title: "Reviewing", Summary: "1 of 2"}); err != nil {
		t.Fatal(err)
	}
	if got := w.Checks()[0]; got.Status != "in_progress" || got.Conclusion != "" || got.Summary != "1 of 2" {
		t.Errorf("progress leaves %+v", got)
	}
	out := github.CheckOutput{
		Name: check.Name, Conclusion: github.Failure, Title: "Needs changes", Summary: "Two issues", Text: "# Report", ExternalID: "digest",
		Annotations: []change.Annotation{{Path: "a.md", StartLine: 0, Level: "failure", Title: "No criteria", Message: "Add some"}},
	}
	if err := w.api.UpdateCheck(t.Context(), check.ID, out); err != nil {
		t.Fatal(err)
	}
	want := githubtest.Check{
		ID: check.ID, Name: "workflow-reviewer / spec: login", HeadSHA: head, Status: "completed",
		Conclusion: "failure", ExternalID: "digest",
		StartedAt: "2026-01-31T12:00:00Z", CompletedAt: "2026-01-31T12:00:00Z", Title: "Needs changes",
		Summary: "Two issues", Text: "# Report",
		Annotations: []githubtest.Annotation{{
			Path: "a.md", StartLine: 1, EndLine: 1, Level: "failure", Title: "No criteria",
			Message: "Add some",
		}}, Batches: []int{1},
	}
	if d := cmp.Diff([]githubtest.Check{want}, w.Checks()); d != "" {
		t.Errorf("checks (-want +got):\n%s", d)
	}
}

func TestCheckNeverPassesByNeutral(t *testing.T) {
	w := start(t, githubtest.Options{})
	for _, c := range []string{"neutral", "skipped"} {
		if err := w.api.UpdateCheck(t.Context(), 1, github.CheckOutput{Conclusion: c}); err == nil {
			t.Errorf("conclusion %q is accepted", c)
		}
	}
}

func TestCheckTextsAreCut(t *testing.T) {
	w := start(t, githubtest.Options{})
	check, err := w.api.CreateCheck(t.Context(), w.Head(7), "x", "id")
	if err != nil {
		t.Fatal(err)
	}
	long := "# Report\n\n```go\n" + strings.Repeat("größer als 😀 erlaubt\n", 10_000)
	out := github.CheckOutput{
		Name: check.Name, Conclusion: github.Failure, Title: strings.Repeat("t", 999), Summary: long, Text: long,
		Annotations: []change.Annotation{{Path: "a", StartLine: 3, Title: strings.Repeat("ü", 999), Message: long}},
	}
	if err := w.api.UpdateCheck(t.Context(), check.ID, out); err != nil {
		t.Fatal(err)
	}
	got := w.Checks()[0]
	for name, text := range map[string]string{"summary": got.Summary, "text": got.Text, "message": got.Annotations[0].Message} {
		if len(text) > 65_536 || !strings.Contains(text, "Cut here") && name != "message" || !utf8.ValidString(text) ||
			name != "message" && strings.Count(text, "```")%2 != 0 {
			t.Errorf("%s is badly cut: %d bytes, end %q", name, len(text), text[max(0, len(text)-150):])
		}
	}
	if utf8.RuneCountInString(got.Title) > 255 {
		t.Errorf("title of %d bytes", len(got.Title))
	}
}

func many(n int) []change.Annotation {
	var out []change.Annotation
	for i := range n {
		out = append(out, change.Annotation{Path: "a.md", StartLine: i + 1, Level: "warning", Message: fmt.Sprint(i)})
	}
	return out
}

func TestAnnotationsComeInFifties(t *testing.T) {
	lost := githubtest.Lost(githubtest.BadGateway())
	faults := map[string]func(githubtest.Call) *githubtest.Fault{
		"no fault":            nil,
		"502":                 githubtest.Nth("PATCH", "", 2, githubtest.BadGateway()),
		"answer lost":         githubtest.Nth("PATCH", "", 1, lost),
		"second answer lost":  githubtest.Nth("PATCH", "", 2, lost),
		"last answer lost":    githubtest.Nth("PATCH", "", 3, lost),
		"reset after success": githubtest.Nth("PATCH", "", 2, githubtest.Lost(githubtest.Reset())),
		"secondary limit":     githubtest.Nth("PATCH", "", 3, githubtest.SecondaryLimit(403, 5)),
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			check, err := w.api.CreateCheck(t.Context(), w.Head(7), "x", "id")
			if err != nil {
				t.Fatal(err)
			}
			w.Fail(fault)
			if err := w.api.UpdateCheck(t.Context(), check.ID,
				github.CheckOutput{Conclusion: github.Failure, Title: "t", Summary: "s", Annotations: many(120)}); err != nil {
				t.Fatal(err)
			}
			got := w.Checks()[0]
			if d := cmp.Diff([]int{50, 50, 20}, got.Batches); d != "" || got.Conclusion != "failure" {
				t.Errorf("batches (-want +got):\n%s\nconclusion %q", d, got.Conclusion)
			}
			for i, a := range got.Annotations {
				if a.Message != fmt.Sprint(i) {
					t.Fatalf("annotation %d is %q", i, a.Message)
				}
			}
		})
	}
}

func TestCreateCheckIsNeverDoubled(t *testing.T) {
	for name, f := range writeFaults() {
		t.Run(name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			w.AddCheck(githubtest.Check{Name: "x", HeadSHA: w.Head(7), Status: "in_progress", ExternalID: "of another run"})
			w.Fail(githubtest.Nth("POST", "/check-runs", 1, f))
			check, err := w.api.CreateCheck(t.Context(), w.Head(7), "x", "id")
			if err != nil {
				t.Fatal(err)
			}
			if all := w.Checks(); len(all) != 2 || all[1].ID != check.ID {
				t.Errorf("%d checks, ours is %d", len(all), check.ID)
			}
		})
	}
}

func TestListChecks(t *testing.T) {
	w := start(t, githubtest.Options{})
	for i := range 130 {
		w.AddCheck(githubtest.Check{
			Name: []string{"x", "y / a: b"}[i%2], HeadSHA: w.Head(7), Status: "completed", Conclusion: "success",
			Title: fmt.Sprint(i), App: "other-app",
		})
	}
	got, err := w.api.ListChecks(t.Context(), w.Head(7), "y / a: b")
	if err != nil || len(got) != 65 {
		t.Fatalf("%d checks, %v", len(got), err)
	}
	if got[0].ID <= got[64].ID || got[0].AppSlug != "other-app" || got[0].HeadSHA != w.Head(7) ||
		got[0].Conclusion != "success" {
		t.Errorf("first %+v, last %+v", got[0], got[64])
	}
	if all, err := w.api.ListChecks(t.Context(), w.Head(7), ""); err != nil || len(all) != 130 {
		t.Errorf("%d checks of any name, %v", len(all), err)
	}
}

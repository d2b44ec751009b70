package serve

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/workflow"
)

// Bounds of a review that is written by hand, in characters and entries.
const (
	maxOwnTitle  = 200
	maxOwnText   = 20_000
	maxOwnIssues = 200
)

// changesFolder holds a folder for each change, with the review of it.
const changesFolder = "agentd/changes"

// CreateReview implements mcpserver.Writers: it writes a review of the caller's
// own as REVIEW.md. Reviews that count are read from other places alone.
func (w *writers) CreateReview(
	ctx context.Context, call mcpserver.CreateCall,
) (out mcpserver.CreateAnswer, err error) {
	if problems := checkOwn(call); len(problems) > 0 {
		return out, fmt.Errorf("nothing was written: %s", strings.Join(problems, "; "))
	}
	repo, err := localrun.OpenClone(ctx, w.env, w.root)
	if err != nil {
		return out, err
	}
	defer repo.Release(&err)
	w.writing.Lock()
	defer w.writing.Unlock()
	p := "REVIEW.md"
	if folder := path.Join(changesFolder, call.ChangeID); repo.Exists(folder) {
		p = path.Join(folder, p)
	}
	replaced := repo.Exists(p)
	text := ownReview(call, redact.New(w.env.Get("OPENAI_API_KEY")).Text)
	if _, err := repo.Restore([]gitrepo.RestoredFile{{Path: p, Mode: change.ModeRegular, Content: []byte(text)}}); err != nil {
		return out, fmt.Errorf("nothing was written: %w", err)
	}
	return mcpserver.CreateAnswer{
		Path: p, Verdict: call.Verdict, Issues: len(call.Issues), Replaced: replaced,
		Message: fmt.Sprintf(
			"The review of %s was written to %s. It approves nothing in CI.", call.ChangeID, p,
		),
	}, nil
}

var changeID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// checkOwn lists what is wrong with a review of the caller's own.
func checkOwn(call mcpserver.CreateCall) (problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if !changeID.MatchString(call.ChangeID) {
		wrong(
			"change_id %.100q is not one name of letters, digits, '.', '_' and '-'", call.ChangeID,
		)
	}
	verdicts := []string{"APPROVED", "NEEDS_FIX", "MAJOR_ISSUES"}
	if !slices.Contains(verdicts, call.Verdict) {
		wrong("verdict %.100q is not one of %s", call.Verdict, strings.Join(verdicts, ", "))
	}
	text := func(name, value string, most int, needed bool) {
		switch {
		case needed && strings.TrimSpace(value) == "":
			wrong("%s is empty", name)
		case utf8.RuneCountInString(value) > most:
			wrong("%s is longer than %d characters", name, most)
		}
	}
	text("summary", call.Summary, maxOwnText, true)
	if len(call.Issues) > maxOwnIssues {
		wrong("there are more than %d issues", maxOwnIssues)
		return problems
	}
	for n, i := range call.Issues {
		at := fmt.Sprintf("issues[%d].", n)
		text(at+"title", i.Title, maxOwnTitle, true)
		text(at+"description", i.Description, maxOwnText, true)
		text(at+"recommendation", i.Recommendation, maxOwnText, false)
		for _, problem := range checkOwnIssue(i, call.Verdict) {
			wrong("%s%s", at, problem)
		}
	}
	if t := call.TestResults; t != nil {
		passed, failed, total := counted(t.Passed), counted(t.Failed), counted(t.Total)
		switch {
		case min(passed, failed, total) < 0:
			wrong("test_results has a negative count")
		case t.Total != nil && passed > total-failed:
			wrong(
				"test_results: %d passed and %d failed are more than the total of %d", passed,
				failed, total,
			)
		case failed > 0 && call.Verdict == "APPROVED":
			wrong("verdict APPROVED contradicts %s", workflow.Count(failed, "failed test"))
		}
	}
	return problems
}

// counted is a count that may be missing.
func counted(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// countCell is a count in a table, "–" if it is missing.
func countCell(n *int) string {
	if n == nil {
		return "–"
	}
	return strconv.Itoa(*n)
}

// checkOwnIssue lists what is wrong with an issue's vocabulary and place.
func checkOwnIssue(i mcpserver.CreateIssue, verdict string) (problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if s := workflow.Severity(i.Severity); s != workflow.High && s != workflow.Medium &&
		s != workflow.Low {
		wrong("severity %.100q is not one of High, Medium, Low", i.Severity)
	} else if s == workflow.High && verdict == "APPROVED" {
		wrong("severity High contradicts the verdict APPROVED")
	}
	if _, ok := workflow.ParseCategory(i.Category); !ok {
		names := make([]string, 0, len(workflow.Categories()))
		for _, c := range workflow.Categories() {
			names = append(names, string(c))
		}
		wrong("category %.100q is not one of %s", i.Category, strings.Join(names, ", "))
	}
	if i.File != "" &&
		(!filepath.IsLocal(i.File) || len(i.File) > maxOwnTitle*5 || !markdown.Visible(i.File)) {
		wrong("file %.100q is not a path from the repository's root", i.File)
	}
	if i.Line < 0 || i.Line > 0 && i.File == "" {
		wrong("line %d needs a file, and counts from 1", i.Line)
	}
	return problems
}

// ownReview is the file. Its texts are foreign: the verdict stands above them,
// and nothing in them can be taken for a heading of it.
func ownReview(call mcpserver.CreateCall, clean func(string) string) string {
	var b strings.Builder
	b.WriteString(workflow.OwnReviewHead(markdown.Inline(call.ChangeID), call.Verdict))
	fmt.Fprintf(&b, "\n## Summary\n\n%s\n", markdown.Block(clean(call.Summary)))
	if t := call.TestResults; t != nil {
		fmt.Fprintf(
			&b,
			"\n## Test results\n\n| Passed | Failed | Total |\n|---:|---:|---:|\n| %s | %s | %s |\n",
			countCell(t.Passed), countCell(t.Failed), countCell(t.Total),
		)
	}
	b.WriteString("\n## Issues\n\n")
	if len(call.Issues) == 0 {
		b.WriteString("None.\n")
	}
	for n, i := range call.Issues {
		category, _ := workflow.ParseCategory(i.Category)
		issue := workflow.Issue{
			Severity: workflow.Severity(i.Severity), Category: category,
			Title: clean(
				i.Title,
			), File: clean(i.File), Line: i.Line, Description: clean(i.Description),
			Recommendation: clean(i.Recommendation),
		}
		fmt.Fprintf(
			&b, "### %d. [%s] %s\n\n%s\n\n", n+1, i.Severity, markdown.Inline(issue.Title),
			record.Issue(issue),
		)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

package serve

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/workflow"
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
	if err := repo.WriteFile(p, []byte(text)); err != nil {
		return out, fmt.Errorf("nothing was written: %w", err)
	}
	return mcpserver.CreateAnswer{
		Path: p, Verdict: call.Verdict, Issues: len(call.Issues), Replaced: replaced,
		Message: fmt.Sprintf(
			"The review of %s was written to %s. It approves nothing in CI.", call.ChangeID, p,
		),
	}, nil
}

// checkOwn lists what is wrong with a review of the caller's own beyond what its schema says.
func checkOwn(call mcpserver.CreateCall) (problems []string) {
	wrong := func(format string, args ...any) {
		problems = append(problems, fmt.Sprintf(format, args...))
	}
	approved := call.Verdict == "APPROVED"
	for n, i := range call.Issues {
		at := fmt.Sprintf("issues[%d]: ", n)
		if _, ok := workflow.ParseCategory(i.Category); !ok {
			wrong(at+"category %.100q is not one of %v", i.Category, workflow.Categories())
		}
		if approved && i.Severity == string(workflow.Block) {
			wrong("%sseverity High contradicts the verdict APPROVED", at)
		}
		if i.File != "" && (!filepath.IsLocal(i.File) || !markdown.Visible(i.File)) {
			wrong(at+"file %.100q is not a path from the repository's root", i.File)
		}
		if i.Line > 0 && i.File == "" {
			wrong(at+"line %d needs a file", i.Line)
		}
	}
	if t := call.TestResults; t != nil {
		passed, failed := counted(t.Passed), counted(t.Failed)
		if t.Total != nil && passed > *t.Total-failed {
			wrong(
				"test_results: %d passed and %d failed are more than the total of %d", passed,
				failed, *t.Total,
			)
		}
		if approved && failed > 0 {
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

// ownReview is the file. Its texts are foreign: the verdict stands above them, and nothing in them
// can be taken for a heading of it. Secrets are redacted in every text.
func ownReview(call mcpserver.CreateCall, clean func(string) string) string {
	var b strings.Builder
	b.WriteString(workflow.OwnReviewHead(markdown.Inline(call.ChangeID), call.Verdict))
	fmt.Fprintf(&b, "\n## Summary\n\n%s\n", markdown.Block(clean(call.Summary)))
	if t := call.TestResults; t != nil {
		fmt.Fprintf(
			&b,
			"\n## Test results\n\n| Passed | Failed | Total |\n|---:|---:|---:|\n| %s | %s | %s "+
				"|\n",
			countCell(t.Passed), countCell(t.Failed), countCell(t.Total),
		)
	}
	b.WriteString("\n## Issues\n\n")
	if len(call.Issues) == 0 {
		b.WriteString("None.\n")
	}
	for n, i := range call.Issues {
		category, _ := workflow.ParseCategory(i.Category)
		issue := workflow.Finding{
			Level: workflow.Level(i.Severity), Category: category,
			Title: clean(i.Title), File: clean(i.File), Line: i.Line, Text: clean(i.Description),
			Fix: clean(i.Recommendation),
		}
		fmt.Fprintf(
			&b, "### %d. [%s] %s\n\n%s\n\n", n+1, i.Severity, markdown.Inline(issue.Title),
			record.Issue(issue),
		)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

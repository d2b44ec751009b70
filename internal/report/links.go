package report

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// reviewLink leads to the review file where it stands in the repository, else it names the file.
func (r Report) reviewLink(res workflow.Result) string {
	if r.page {
		return "[review](" + escaped(res.ReviewPath) + ")"
	}
	commit := r.NewHead
	if res.Cached && commit == "" {
		commit = r.Head
	}
	if u := r.blobURL(res.ReviewPath, 0, commit); u != "" && res.Decision != workflow.Error {
		return "[review](" + u + ")"
	}
	return markdown.Code(res.ReviewPath)
}

// place is "file:line", linked to the reviewed commit. A line of the approved file is no line of
// the head, so that only the file is linked, unless it is gone.
func (r Report) place(f workflow.Finding) string {
	if f.File == "" {
		return ""
	}
	line, words, isThere := f.Line, "", true
	if f.Side == "before" {
		line, words = 0, " "+beforeWords(f)
		isThere = !strings.Contains(f.Kind, "deleted") && !strings.Contains(f.Kind, "removed") ||
			f.Kind == "assertion_removed"
	}
	text := markdown.Code(form.Location(f.File, f.Line))
	if u := r.blobURL(f.File, line, r.Head); u != "" && isThere {
		text = "[" + text + "](" + u + ")"
	}
	return text + words
}

// beforeWords say which version has the line of a violation that is not in the head.
func beforeWords(v workflow.Finding) string {
	if v.Feature == "" {
		return "before the change"
	}
	return "as approved"
}

// blobURL is a file's page on GitHub, "" if it cannot have one. Nothing in it ends a Markdown link.
func (r Report) blobURL(file string, line int, commit string) string {
	if r.ServerURL == "" || r.Event.Owner == "" || commit == "" || !filepath.IsLocal(file) ||
		!markdown.Visible(file) {
		return ""
	}
	u := r.ServerURL + "/" + escaped(r.Event.Owner+"/"+r.Event.Repo+"/blob/"+commit+"/"+file)
	if line > 0 {
		u += fmt.Sprintf("#L%d", line)
	}
	return u
}

// escaped is a path as a relative reference that ends no Markdown link, and whose first segment is
// no scheme.
func escaped(path string) string {
	return strings.NewReplacer("(", "%28", ")", "%29", ":", "%3A").
		Replace((&url.URL{Path: path}).EscapedPath())
}

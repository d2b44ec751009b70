package github

import "workflow-reviewer/internal/markdown"

// cutNote ends a text of which GitHub takes no more.
const cutNote = "_Cut here: GitHub takes no more. The whole report is in the run's files._"

// cut shortens Markdown to at most limit bytes and says so. GitHub counts characters of some texts,
// of which there are no more than bytes.
func cut(s string, limit int) string { return markdown.Cut(s, limit, cutNote) }

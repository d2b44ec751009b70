package github

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/markdown"
)

// Group opens a foldable part of the log.
func (r *Runner) Group(title string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.action.Group(markdown.Line(title, 200))
}

// EndGroup closes it.
func (r *Runner) EndGroup() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.action.EndGroup()
}

// Annotate marks a place in the log; fields of it that are empty are left out. Level failure does
// not fail the step. After maxLogNotes of a level, as many as a step may show, the text goes into
// the log as it is.
func (r *Runner) Annotate(a change.Annotation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	msg := markdown.Clean(a.Message)
	if r.noted[a.Level]++; r.noted[a.Level] > maxLogNotes {
		parts := []string{form.Location(a.Path, a.StartLine), a.Title, msg}
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		r.foreign(strings.Join(append([]string{logLevel(a.Level)}, parts...), ": "))
		return
	}
	msg = markdown.Clip(msg, maxAnnotate)
	marked := r.action.WithFieldsMap(fields(a))
	switch a.Level {
	case "failure":
		marked.Errorf("%s", msg)
	case "warning":
		marked.Warningf("%s", msg)
	default:
		marked.Noticef("%s", msg)
	}
}

// logLevel is a level in the runner's words.
func logLevel(level string) string {
	if level == "failure" {
		return "error"
	}
	return level
}

// fields are the properties of a log command, on one line each and cut to GitHub's limits.
func fields(a change.Annotation) map[string]string {
	m := map[string]string{}
	if a.Title != "" {
		m["title"] = markdown.Line(a.Title, maxTitle-1)
	}
	if a.Path != "" {
		m["file"] = markdown.Line(a.Path, 1000)
		if a.StartLine > 0 {
			m["line"] = strconv.Itoa(a.StartLine)
		}
	}
	return m
}

// Info prints our own text. Should it hold anything that the runner would obey, it is printed as
// foreign text is.
func (r *Runner) Info(msg string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	msg = markdown.Clean(msg)
	if strings.Contains(msg, "::") || strings.Contains(msg, "##[") {
		r.foreign(msg)
		return
	}
	_, _ = io.WriteString(r.w, msg+"\n")
}

// Foreign prints text of a model, a pull request or the network such that the
// runner obeys nothing in it, and control characters can be seen.
func (r *Runner) Foreign(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.foreign(text)
}

// foreign suspends workflow commands around the text. The old form ##[…] is broken up as well, as
// log viewers render it by themselves. It is one write, so that no other line falls between.
func (r *Runner) foreign(text string) {
	token := Nonce()
	text = strings.ReplaceAll(markdown.Clean(text), "##[", "## [")
	_, _ = io.WriteString(
		r.w, "::stop-commands::"+token+"\n"+strings.TrimSuffix(text, "\n")+"\n::"+token+"::\n",
	)
}

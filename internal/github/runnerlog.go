package github

import (
	"io"
	"strconv"
	"strings"

	"workflow-reviewer/internal/markdown"
)

// Place is the file and lines that a log annotation points at; empty fields are left out.
type Place struct {
	Title string
	File  string // relative to the repository's root
	Line  int
}

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

// Notice annotates the run; the runner shows ten of a level, and further ones become lines of the
// log.
func (r *Runner) Notice(p Place, msg string) { r.annotate("notice", p, msg) }

// Warning is a Notice of level warning.
func (r *Runner) Warning(p Place, msg string) { r.annotate("warning", p, msg) }

// Error is a Notice of level error. It does not fail the step.
func (r *Runner) Error(p Place, msg string) { r.annotate("error", p, msg) }

// annotate prints a log command of a level. After maxLogNotes of a level, as many as a step may
// show, the text goes into the log as it is. It is safe for concurrent use.
func (r *Runner) annotate(level string, p Place, msg string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	msg = markdown.Clean(msg)
	if r.noted[level]++; r.noted[level] > maxLogNotes {
		r.foreign(level + ": " + p.String() + msg)
		return
	}
	msg = markdown.Clip(msg, maxAnnotate)
	a := r.action.WithFieldsMap(p.fields())
	switch level {
	case "notice":
		a.Noticef("%s", msg)
	case "warning":
		a.Warningf("%s", msg)
	default:
		a.Errorf("%s", msg)
	}
}

// fields are the properties of a log command, on one line each and cut to GitHub's limits.
func (p Place) fields() map[string]string {
	m := map[string]string{}
	if p.Title != "" {
		m["title"] = markdown.Line(p.Title, maxTitle-1)
	}
	if p.File != "" {
		m["file"] = markdown.Line(p.File, 1000)
		if p.Line > 0 {
			m["line"] = strconv.Itoa(p.Line)
		}
	}
	return m
}

// String is the place as a prefix of a line of text.
func (p Place) String() string {
	var s string
	if p.File != "" {
		s = p.File
		if p.Line > 0 {
			s += ":" + strconv.Itoa(p.Line)
		}
		s += ": "
	}
	if p.Title != "" {
		s += p.Title + ": "
	}
	return s
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

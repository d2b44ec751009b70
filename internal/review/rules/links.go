package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

var target = lazyregexp.New(`\]\(\s*<?([^)\s>]+)>?[^)\n]*\)`)

func brokenLinks(s *subject, d *document) []workflow.Issue {
	var out []workflow.Issue
	added, before := s.addedTo(d), s.before(d.path)
	for _, l := range d.links() {
		// what tasks name may be yet to be made
		if path.Base(d.path) != "tasks.md" && added(l.line) && !strings.Contains(before, "]("+l.text) && s.leadsNowhere(d.path, l.text) {
			out = append(out, workflow.Issue{File: d.path, Line: l.line, Title: fmt.Sprintf("%s is not in the repository",
				cutLine(l.text, 80))})
		}
	}
	return out
}

// maxLinks is how many links of a document are followed.
const maxLinks = 500

// links lists where a document's links lead, each as a block of its own.
func (d *document) links() []block {
	var out []block
	for _, sec := range d.sections {
		for _, b := range sec.blocks {
			if b.kind == codeBlock {
				continue
			}
			for i, line := range strings.Split(b.text, "\n") {
				for _, m := range target.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), 20) {
					out = append(out, block{kind: paragraph, text: m[1], line: b.line + i})
				}
			}
		}
	}
	return out[:min(len(out), maxLinks)]
}

var scheme = lazyregexp.New(`^[A-Za-z][\w+.-]*:|^//|^#|^\{|^mailto`)

// ofLine is what writers of agents' documents put behind a path.
var ofLine = lazyregexp.New(`:\d+(?:[-:]\d+)?$`)

// ofDelta is where a delta of OpenSpec stands before it is archived.
var ofDelta = lazyregexp.New(`\bopenspec/changes/(?:archive/)?[^/]+/specs\b`)

// leadsNowhere tells a relative link to what the head does not have, not seen from the document, from where a delta
// goes, nor from the root. A link out of the repository, or that is a word, is not judged.
func (s *subject) leadsNowhere(from, to string) bool {
	if scheme.MatchString(to) {
		return false
	}
	to, _, _ = strings.Cut(to, "#")
	to, _, _ = strings.Cut(to, "?")
	to = ofLine.ReplaceAllString(strings.ReplaceAll(to, "%20", " "), "")
	full, fromRoot := path.Join(path.Dir(from), to), strings.TrimPrefix(path.Clean(to), "/")
	if strings.HasPrefix(to, "/") {
		full = fromRoot
	}
	if !strings.ContainsAny(to, "./") || full == "." || full == "" || strings.HasPrefix(full, "..") {
		return false
	}
	return s.missing(full) && (strings.HasPrefix(to, ".") || s.missing(fromRoot)) &&
		s.missing(path.Join(ofDelta.ReplaceAllString(path.Dir(from), "openspec/specs"), to))
}

// missing reports whether the head has neither a file nor a folder of that name.
func (s *subject) missing(name string) bool {
	if _, err := s.Set.HeadTree.Stat(name); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	list, err := s.Set.HeadTree.List(name)
	return err == nil && len(list) == 0
}

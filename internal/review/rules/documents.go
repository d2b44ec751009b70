package rules

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// unreadable is one finding for all files that cannot be approved; what was only not
// looked into as a whole is said in the summary.
func unreadable(s *subject) workflow.Check {
	if len(s.Artifact.Files) == 0 {
		return workflow.Check{Issues: []workflow.Issue{{Title: "There is no file to review"}}}
	}
	var hard, soft []workflow.Issue
	var told []string
	for _, f := range s.Artifact.Files {
		trouble, severity := s.trouble(f.Path)
		issue := workflow.Issue{File: f.Path, Severity: severity, Title: f.Path + " " + trouble}
		switch {
		case trouble == "":
		case severity == milder:
			soft = append(soft, issue)
			told = append(told, issue.Title)
		default:
			hard = append(hard, issue)
			told = slices.Insert(told, len(hard)-1, issue.Title)
		}
	}
	c := workflow.Check{Issues: slices.Concat(hard, soft), Summary: some(told)}
	if len(hard) > 0 {
		c.Issues = hard[:1]
	}
	if len(hard) > 0 && len(told) > 1 {
		hard[0].Description = "Also: " + some(told[1:]) + "."
	}
	return c
}

// trouble says why a file was not looked into as a whole, "" if it was.
func (s *subject) trouble(file string) (string, workflow.Severity) {
	text, trouble := s.read(file)
	_, isCode := syntax.LanguageOf(file)
	isDoc := s.isDocument(file)
	switch {
	case s.legible(file, trouble):
		return trouble + ": its other characters were left out", milder
	case trouble != "" && s.Artifact.Type == workflow.Tests && !isCode:
		return trouble + ": it is no source file, and nobody looked into it", milder
	case trouble == empty && s.Artifact.Layout != "" && path.Base(file) == "tasks.md":
		return trouble, milder // it is to be written yet
	case trouble != "":
		return trouble, ""
	case s.compiled(file):
		return "is compiled from another file of the change, which was looked at in its place", milder
	case isDoc && len(text) > maxDocument:
		return "is larger than 256 KiB, more than a reader can take in", ""
	case !isDoc && s.source(file) != nil && s.source(file).language != "" && s.source(file).tree == nil:
		return "is too large or too complex to parse: only the checks that read lines looked at it", milder
	case !isDoc && s.source(file) != nil && s.source(file).minified && !minified([]byte(s.before(file))):
		return "is minified: what its long lines do was not looked into", milder
	}
	return "", ""
}

// fewWords is less than a document needs to say anything.
const fewWords = 30

func tooShort(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil || d.words() >= fewWords || s.onlyWithdraws(d) || s.saysWhy(d) ||
		s.Artifact.Layout != "" && path.Base(d.path) == "tasks.md" {
		return nil
	}
	issue := workflow.Issue{File: d.path, Line: 1, Title: fmt.Sprintf("The document has %s", workflow.Count(d.words(), "word"))}
	if d.words() >= 15 {
		issue.Severity = milder
	}
	return []workflow.Issue{issue}
}

// saysWhy reports whether a delta of OpenSpec may be short: it is a diff, is done, has what to test, or a comment
// with the reason.
func (s *subject) saysWhy(d *document) bool {
	text := s.textOf([]string{d.path})
	comments := strings.Join(htmlComment.FindAllString(text, -1), " ")
	return s.Artifact.Layout == "openspec" && strings.Contains(d.path, "/changes/") && (strings.Contains(text, "```diff") ||
		strings.Contains(d.path, archived) || len(d.criteriaOf()) > 0 || len(strings.Fields(comments)) >= fewWords)
}

var htmlComment = lazyregexp.New(`(?s)<!--.*?-->`)

var (
	lorem    = lazyregexp.New(`(?i)\blorem ipsum\b`)
	takesOut = lazyregexp.New(`(?i)\b(?:replac|remov|eliminat)\w+|\b(?:no|without|instead of)\b`)
	filler   = lazyregexp.New(`(?i)\[needs clarification\s*:[^\]\n]{0,80}|\[(?:insert|your|describe|fill in|add|enter` +
		`|replace)\b[^\]\n]{0,80}\]|<(?:insert|your|describe|fill in|feature name|project name|add)\b[^>\n]{0,80}>` +
		`|\{\{\s*\w[\w .-]{0,40}\}\}`)
	todo = lazyregexp.New(`\b(?:TODO|TBD|TBA|TBC|FIXME)\b|(?:^|[^\w-])XXX(?:\s*[:：]|\W*$)|\?{3,}` +
		`|(?i:(?:^|[|:(–—-]\s*|\b(?:is|are|still|yet)\s+)to be` +
		` (?:decided|defined|confirmed)\b|\bto be (?:determined|announced)\b|\b(?:still|yet|remains) to be (?:written|done)\b|` +
		`^to be (?:written|done)\W*$|(?:^|[|:(–—-]\s*|\b(?:is|are)\s+)coming soon\b)`)
	// spokenOf matches where notes are spoken of, or work that is tracked or done
	spokenOf = lazyregexp.New(`(?i)\b(?:TODO|FIXME)s?\b[ :,\w]{0,20}\b(?:comments?|tracked|markers?|lists?|items?)\b|\((?:TODO|TBD)\)` +
		`|\bTODO(?:-[a-z]|\s*(?:清单|台账|列表|\p{Han})|\s*[/|,]\s*(?:in.progress|doing|done))` +
		`|[☑✅✔☐]|\bTODO\.\w|\bmarked (?:as )?T(?:ODO|BD)\b|\bTBD\s*\p{Han}` +
		`|\b(?:with|contains?|have|has|no) (?:an? )?TODOs?\b|\b(?:deferred|post-?mvp)\b|\b(?:shall|must)\b.*\bcoming soon\b` +
		`|\bTB[DAC] (?:during|in|at|by) (?:the )?(?:planning|design|implementation|plan)\b`)
	// aboutNotes matches the path or a title of a document whose subject such notes are.
	aboutNotes = lazyregexp.New(`(?i)[a-z\d\p{Han}][ _-]*\btodos?\b|\btodos?\b[ _-]*[a-z\p{Han}]`)
	hole       = lazyregexp.New(`^\{\{.*\}\}$`)
	// instruction matches what a template says to its users, and ticked what a
	// check list says of the document.
	instruction = lazyregexp.New(`(?i)\[add more\b|: specific question\b|\bas needed\b[^\]\n]*\]`)
	ticked      = lazyregexp.New(`^\[[xX]\]`)
	// aside matches sections whose text is not the document's own.
	aside = lazyregexp.New(`(?i)^(?:appendi(?:x|ces)|annex|examples?\b|template|references|changelog|change log|history|revision)` +
		`|\btemplate$`)
)

// manyHoles is how many different places to fill in a document has that is a template, and
// textsOfHole how many texts at most there are for each: lists of tasks have marks in brackets.
const manyHoles, textsOfHole = 8, 6

// templateHole matches such a place: words in brackets that are no link, box, mark or id.
var templateHole = lazyregexp.New(`(\[(?:#|[A-Za-z][a-z]*[ -]|[A-Z]{3,}|[a-z]{4,}|[A-Z][a-z]{3,})[^\[\]\n:]{0,100}\])(?:[^(\[:\]]|$)` +
	`|(\{\{[^{}\n]*\}\})`)

// id matches that of a requirement, or of several: [ABC-PULL-003], [requirements 1.1, 1.2].
var id = lazyregexp.New(`^\[[A-Z]+(?:-[A-Z]+)*-\d+\]$|(?i)^\[(?:requirements?|reqs?|tasks?|story|stories|property|section) [\d., -]+\]$`)

// holes counts the different places of a template that are not filled in, 0 if they are
// too few to make one.
func (d *document) holes() int {
	texts, found := 0, map[string]bool{}
	count := func(text string) {
		for _, m := range templateHole.FindAllStringSubmatch(codeSpan.ReplaceAllString(text, ""), -1) {
			found[m[1]+m[2]] = !id.MatchString(m[1])
		}
	}
	for _, sec := range d.sections {
		count(sec.raw)
	}
	for _, b := range d.prose() {
		count(b.plain)
		texts++
	}
	maps.DeleteFunc(found, func(_ string, hole bool) bool { return !hole })
	if len(found) < manyHoles || len(found)*textsOfHole < texts {
		return 0
	}
	return len(found)
}

func placeholders(s *subject, d *document) []workflow.Issue {
	if n := d.holes(); n > 0 {
		return []workflow.Issue{{File: d.path, Line: 1, Title: fmt.Sprintf("%d places of a template are not filled in", n)}}
	}
	var out []workflow.Issue
	added := s.addedTo(d)
	skip := d.asides()
	notes := aboutNotes.MatchString(d.path) ||
		slices.ContainsFunc(d.sections, func(sec section) bool { return aboutNotes.MatchString(sec.title) })
	for sec, b := range d.prose() {
		if skip[sec.line] || b.kind == item && ticked.MatchString(b.text) {
			continue
		}
		for i, line := range strings.Split(b.plain, "\n") {
			title, severity := unwritten(line)
			if severity == milder && (!added(b.line+i) || !sec.unwritten() && !clarification.MatchString(line)) {
				severity = counted
			}
			if title != "" && !(notes && strings.HasSuffix(title, "TODO")) {
				out = append(out, workflow.Issue{File: d.path, Line: b.line + i, Severity: severity, Title: title})
			}
		}
	}
	return out
}

// clarification matches what spec-kit asks to be answered before the plan.
var clarification = lazyregexp.New(`(?i)\[needs clarification\s*:`)

// unwritten reports whether a section has nothing but places for a text.
func (s section) unwritten() bool {
	return !slices.ContainsFunc(s.blocks, func(b block) bool {
		title, _ := unwritten(firstLine(b.plain))
		return title == ""
	})
}

// unwritten says what a line has in place of text, "" if it has none.
func unwritten(line string) (title string, severity workflow.Severity) {
	if lorem.MatchString(line) && !takesOut.MatchString(line) {
		return "Filler text is left: lorem ipsum", ""
	}
	if m := filler.FindString(line); m != "" && !instruction.MatchString(m) {
		return "Template text is left: " + cutLine(hole.ReplaceAllString(m, "{{…}}"), 40), milder
	}
	if m := todo.FindString(line); m != "" && !spokenOf.MatchString(line) {
		return "Not written yet: " + m, milder
	}
	return "", ""
}

// asides tells, by line, the sections that are appendices or examples.
func (d *document) asides() map[int]bool {
	out := map[int]bool{}
	for _, i := range d.titled(aside) {
		for _, s := range d.sections[i:d.until(i)] {
			out[s.line] = true
		}
	}
	return out
}

func duplicateHeadings(s *subject, d *document) []workflow.Issue {
	var out []workflow.Issue
	added := s.addedTo(d)
	parents := [labelLevel + 1]int{}
	type key struct {
		parent int
		title  string
	}
	seen := map[key]section{}
	for i, sec := range d.sections {
		if sec.level == 0 || sec.level == labelLevel || sec.title == "" {
			continue
		}
		parents[sec.level] = i
		k := key{parentOf(parents[:sec.level]), phrase(sec.raw)}
		for l := sec.level + 1; l <= labelLevel; l++ {
			parents[l] = 0
		}
		if first, ok := seen[k]; ok {
			if !added(first.line) && !added(sec.line) || first.title != sec.title && strings.EqualFold(first.title, sec.title) {
				continue // the key g is not the key G
			}
			out = append(out, workflow.Issue{File: d.path, Line: sec.line, Title: fmt.Sprintf("%q is a heading here and in line %d",
				cutLine(sec.title, 60), first.line)})
			continue
		}
		seen[k] = sec
	}
	return out
}

// parentOf is the index of the innermost open section.
func parentOf(open []int) int {
	for l := len(open) - 1; l > 0; l-- {
		if open[l] != 0 {
			return open[l]
		}
	}
	return 0
}

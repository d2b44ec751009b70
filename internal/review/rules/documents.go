package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// documentRules are what all documents have in common, and what every artifact
// must allow: to be read.
func documentRules() []rule {
	return []rule{
		{
			Rule: Rule{
				ID: "artifact/unreadable", Types: workflow.Types(), Severity: workflow.High, Criterion: "Readability",
				Title:       "The file cannot be reviewed",
				Explanation: "Every file under review must be UTF-8 text of a sensible size. What cannot be read cannot be approved.",
			},
			pass: "every file can be read",
			fix:  "Commit the file as UTF-8 text, or leave it out of the review with `ignore` in the config.",
			run:  issues(unreadable),
		},
		{
			Rule: Rule{
				ID: "document/too-short", Types: documents(), Severity: workflow.High, Criterion: "Completeness",
				Title:       "The document says next to nothing",
				Explanation: "A document of fewer than 30 words outside of code leaves much open (Medium), one of fewer than 15 everything (High).",
			},
			pass: "the document has content",
			fix:  "Write the document before asking for its review.",
			run:  issues(tooShort),
		},
		{
			Rule: Rule{
				ID: "document/placeholder", Types: documents(), Severity: workflow.High, Criterion: "Completeness",
				Title:       "Placeholder text is left",
				Explanation: "TODO, TBD, ??? and the like, and fields of a template that were never filled in, mark what is not written yet (Medium). Lorem ipsum is High. Code, code spans, comments and appendices are not looked at.",
			},
			pass: "no placeholder is left",
			fix:  "Write what belongs here, or say that it is out of scope.",
			run:  issues(placeholders),
		},
		{
			Rule: Rule{
				ID: "document/empty-section", Types: documents(), Severity: workflow.Medium, Criterion: "Completeness",
				Title:       "A section is empty",
				Explanation: "A heading without a word below it promises what the document does not say.",
			},
			pass: "every section has content",
			fix:  "Fill the section or take its heading away.",
			run:  issues(emptySections),
		},
		{
			Rule: Rule{
				ID: "document/duplicate-heading", Types: documents(), Severity: workflow.Low, Criterion: "Consistency",
				Title:       "Two sections have the same heading",
				Explanation: "Two sections of one name side by side tend to say two different things, and links to them are ambiguous.",
			},
			pass: "headings are distinct",
			fix:  "Merge the two sections or name them apart.",
			run:  issues(duplicateHeadings),
		},
		{
			Rule: Rule{
				ID: "document/broken-link", Types: documents(), Severity: workflow.Low, Criterion: "Consistency",
				Title:       "A link leads nowhere",
				Explanation: "A relative link must name a file or folder of the reviewed commit.",
			},
			pass: "relative links lead somewhere",
			fix:  "Correct the path, or commit what it names.",
			run:  issues(brokenLinks),
		},
		{
			Rule: Rule{
				ID: "document/contradiction", Types: only(workflow.Scope, workflow.Spec), Severity: workflow.High, Criterion: "Consistency",
				Title:       "In scope and out of scope at once",
				Explanation: "The same point stands in the list of what is in scope and in the list of what is not.",
			},
			pass: "nothing is both in and out of scope",
			fix:  "Decide, and delete one of the two.",
			run:  issues(contradictions),
		},
	}
}

func unreadable(s *subject) []workflow.Issue {
	var out []workflow.Issue
	if len(s.Artifact.Files) == 0 {
		return []workflow.Issue{{Title: "There is no file to review"}}
	}
	for _, f := range s.Artifact.Files {
		text, trouble := s.read(f.Path)
		isDoc := s.isDocument(f.Path)
		_, isCode := syntax.LanguageOf(f.Path)
		switch {
		case trouble != "" && s.Artifact.Type == workflow.Tests && !isCode:
			out = append(out, workflow.Issue{
				File: f.Path, Severity: workflow.Low, Title: fmt.Sprintf("%s %s", f.Path, trouble),
				Description: "It is no source file, but what tests are run with; nobody looked into it.",
			})
		case trouble != "":
			out = append(out, workflow.Issue{File: f.Path, Title: fmt.Sprintf("%s %s", f.Path, trouble)})
		case isDoc && len(text) > maxDocument:
			out = append(out, workflow.Issue{File: f.Path, Title: f.Path + " is larger than 256 KiB, more than a reader can take in"})
		case !isDoc && s.source(f.Path).unparsed():
			out = append(out, workflow.Issue{
				File: f.Path, Severity: workflow.Low, Title: f.Path + " is too large or too complex to parse",
				Description: "Rules that need the structure of the source did not look at it; those that read lines did.",
			})
		}
	}
	return out
}

func tooShort(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil || d.words() >= 30 {
		return nil
	}
	issue := workflow.Issue{File: d.path, Line: 1, Title: fmt.Sprintf("The document has %s", plural(d.words(), "word", "words"))}
	if d.words() >= 15 {
		issue.Severity = workflow.Medium
	}
	return []workflow.Issue{issue}
}

var (
	lorem  = regexp.MustCompile(`(?i)\blorem ipsum\b`)
	filler = regexp.MustCompile(`(?i)\[needs clarification\s*:|\[(?:insert|your|describe|fill in|add|enter|replace)\b[^\]\n]{0,80}\]|<(?:insert|your|describe|fill in|feature name|project name|add)\b[^>\n]{0,80}>|\{\{\s*\w[\w .-]{0,40}\}\}`)
	todo   = regexp.MustCompile(`\b(?:TODO|TBD|TBA|TBC|FIXME|XXX)\b|\?{3,}|(?i:\bto be (?:determined|decided|defined|announced|confirmed)\b|\b(?:still|yet|remains) to be (?:written|done)\b|^to be (?:written|done)\W*$|\bcoming soon\b)`)
	// instruction matches what a template says to its users, and ticked what a
	// check list says of the document.
	instruction = regexp.MustCompile(`(?i)\[add more\b|\bas needed\b[^\]\n]*\]`)
	ticked      = regexp.MustCompile(`^\[[xX]\]`)
	// aside matches sections whose text is not the document's own.
	aside = regexp.MustCompile(`(?i)^(?:appendi(?:x|ces)|annex|examples?\b|template|references|changelog|change log|history|revision)`)
)

func placeholders(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	var out []workflow.Issue
	skip := d.asides()
	for sec, b := range d.prose() {
		if skip[sec.line] {
			continue
		}
		if b.kind == item && ticked.MatchString(b.text) {
			continue
		}
		for i, line := range strings.Split(b.plain, "\n") {
			if title, severity := unwritten(line); title != "" {
				out = append(out, workflow.Issue{File: d.path, Line: b.line + i, Severity: severity, Title: title})
			}
		}
	}
	return out
}

// unwritten says what a line has in place of text, "" if it has none.
func unwritten(line string) (title string, severity workflow.Severity) {
	if lorem.MatchString(line) {
		return "Filler text is left: lorem ipsum", workflow.High
	}
	if m := filler.FindString(line); m != "" && !instruction.MatchString(m) {
		return "Template text is left: " + cutLine(m, 40), workflow.Medium
	}
	if m := todo.FindString(line); m != "" {
		return "Not written yet: " + m, workflow.Medium
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

func emptySections(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	var out []workflow.Issue
	for i, sec := range d.sections {
		if sec.level == 0 || sec.level == labelLevel || len(sec.blocks) > 0 || d.until(i) > i+1 {
			continue
		}
		if i == len(d.sections)-1 && sec.level == 1 && i == 1 {
			continue // a title alone is too short, and said to be
		}
		out = append(out, workflow.Issue{File: d.path, Line: sec.line, Title: fmt.Sprintf("The section %q is empty", cutLine(sec.title, 60))})
	}
	return out
}

func duplicateHeadings(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	var out []workflow.Issue
	parents := [labelLevel + 1]int{}
	type key struct {
		parent int
		title  string
	}
	seen := map[key]int{}
	for i, sec := range d.sections {
		if sec.level == 0 || sec.level == labelLevel || sec.title == "" {
			continue
		}
		parents[sec.level] = i
		k := key{parentOf(parents[:sec.level]), phrase(sec.title)}
		for l := sec.level + 1; l <= labelLevel; l++ {
			parents[l] = 0
		}
		if first, ok := seen[k]; ok {
			out = append(out, workflow.Issue{File: d.path, Line: sec.line, Title: fmt.Sprintf("%q is a heading here and in line %d", cutLine(sec.title, 60), first)})
			continue
		}
		seen[k] = sec.line
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

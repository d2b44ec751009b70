package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/workflow"
)

func uncovered(s *subject) workflow.Check {
	spec := s.doc(s.Artifact.SpecPath)
	if spec == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "the feature's spec: not found"}
	}
	words := s.testWords()
	var out []workflow.Issue
	for _, c := range spec.criteriaOf() {
		if telling, found := shared(c.Text, words); telling >= 3 && 3*found < telling {
			out = append(out, workflow.Issue{
				File: s.Artifact.Path(), Title: "No test seems to cover: " + cutLine(phrase(c.Text), 80),
				Description: fmt.Sprintf("%s:%d: %d of its %d telling words occur in the tests.", spec.path, c.Line, found, telling),
			})
		}
	}
	return workflow.Check{Issues: out}
}

// testWords are the words of the feature's tests, those under review and the
// others of the head.
func (s *subject) testWords() map[string]bool {
	words := map[string]bool{}
	seen := map[string]bool{}
	add := func(file string) {
		text, trouble := s.read(file)
		if seen[file] || trouble != "" {
			return
		}
		seen[file] = true
		for _, line := range split(string(text)) {
			for _, w := range wordAt.FindAllString(splitCamel(line), 200) {
				words[stem(strings.ToLower(w))] = true
			}
		}
	}
	for _, f := range s.tests() {
		add(f.path)
	}
	for _, file := range s.Artifact.Tests {
		add(file)
	}
	return words
}

var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)

func splitCamel(s string) string {
	return strings.ReplaceAll(camel.ReplaceAllString(s, "$1 $2"), "_", " ")
}

// shared counts the words of a text that tell something, and those of them
// that others use too.
func shared(text string, words map[string]bool) (telling, found int) {
	seen := map[string]bool{}
	for _, w := range wordAt.FindAllString(splitCamel(text), 200) {
		w = stem(strings.ToLower(w))
		if len(w) < 4 || seen[w] {
			continue
		}
		seen[w] = true
		telling++
		if words[w] {
			found++
		}
	}
	return telling, found
}

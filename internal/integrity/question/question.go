// Package question raises what a deterministic check cannot decide of an implementation: what may be a way
// around its tests and may be honest. Nothing here blocks. A question goes to the reviewer, who must answer
// each; where no model is asked, it is a finding for people.
package question

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/workflow"
)

// The kinds of question, as outputs spell them.
const (
	Echo             = "echo"   // values of the tests appear anew in the implementation
	Marks            = "marks"  // code of a kind that ways around tests are made of
	IgnoresArguments = "deaf"   // a parameter that the tests vary does not reach the result
	Unread           = "unread" // a changed file could not be read
)

// Max is how many questions are asked of one change.
const Max = 20

// Asker collects the questions of one change. File and Data may be called in any order, All once.
type Asker struct {
	tests *literal.Tests
	found []workflow.Question
	times map[string]int // how often the same question came up, by what its id is made of
	// before is the text of the changed files before the change: what moved from one to another is not new.
	before []byte
}

// New makes an Asker that compares with the approved tests. before is what the changed files held.
func New(tests *literal.Tests, before [][]byte) *Asker {
	a := &Asker{tests: tests, times: map[string]int{}}
	for _, b := range before {
		a.before = append(append(a.before, b...), '\n')
	}
	return a
}

// source is one changed file as the questions see it.
type source struct {
	*code.File
	workaround.Changed
	lines literal.Lines
	tests []*code.Node // modules and functions of the file that are its own tests, in Rust
}

// isNew reports whether a line is new.
func (s source) isNew(line int) bool {
	for _, t := range s.tests {
		if line >= t.Line && line <= t.EndLine() {
			return false
		}
	}
	return s.Changed.Before == nil && s.Added == nil || s.Added[line]
}

// File asks about a changed source file.
func (a *Asker) File(c workaround.Changed, f *code.File) {
	s := source{File: f, Changed: c, lines: literal.LinesOf(c.After), tests: f.TestsOfRust()}
	a.echo(s)
	a.marks(s)
	a.ignoredArguments(s)
}

// All are the questions, by file and line, at most Max; dropped says how many
// more there were. What stands on lines of violations alone is decided already.
func (a *Asker) All(decided []workflow.Violation) (asked []workflow.Question, dropped int) {
	known := map[string]bool{}
	for _, v := range decided {
		known[fmt.Sprintf("+ %s:%d", v.File, v.Line)] = true
	}
	a.found = slices.DeleteFunc(a.found, func(q workflow.Question) bool {
		isOpen := func(line string) bool {
			at, _, _ := strings.Cut(line, ": ")
			return !known[at]
		}
		return q.Kind == Marks && !slices.ContainsFunc(strings.Split(q.Evidence, "\n"), isOpen)
	})
	slices.SortStableFunc(a.found, func(x, y workflow.Question) int {
		return cmp.Or(rank(x.Kind)-rank(y.Kind), strings.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	dropped = max(0, len(a.found)-Max)
	return a.found[:len(a.found)-dropped], dropped
}

// rank orders the kinds by how much is lost if one is cut off.
func rank(kind string) int {
	return slices.Index([]string{Unread, Echo, IgnoresArguments, Marks}, kind)
}

// ask adds a question. Its id stays the same while kind, file, topic and the line's text do.
func (a *Asker) ask(kind, topic, file string, line int, text, question, evidence string) {
	identity := strings.Join([]string{kind, topic, file, strings.TrimSpace(text)}, "\x00")
	a.times[identity]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", identity, a.times[identity]))
	a.found = append(a.found, workflow.Question{
		ID: hex.EncodeToString(sum[:4]), Kind: kind, File: file, Line: line, Question: question, Evidence: evidence,
	})
}

// Of makes a question of a violation that does not decide.
func Of(v workflow.Violation, ask string) workflow.Question {
	sum := sha256.Sum256([]byte(strings.Join([]string{v.Kind, v.File, v.Side, v.Evidence, v.Description}, "\x00")))
	text := strings.TrimSuffix(v.Description, ".") + ". " + ask
	if v.Side == violation.Before {
		text += " (The line counts in the file before the change.)"
	}
	id := hex.EncodeToString(sum[:4])
	return workflow.Question{ID: id, Kind: v.Kind, File: v.File, Line: v.Line, Question: text, Evidence: v.Evidence}
}

// Unreadable asks about files that could not be read as code. Those of one
// folder and reason are one question: a vendored library is one decision.
func (a *Asker) Unreadable(files []workaround.Unread) {
	type group struct{ folder, why string }
	members := map[group][]string{}
	for _, f := range files {
		parts := strings.Split(path.Dir(f.Path), "/")
		g := group{strings.Join(parts[:min(2, len(parts))], "/"), f.Why}
		members[g] = append(members[g], f.Path)
	}
	byName := func(x, y group) int {
		return cmp.Or(strings.Compare(x.folder, y.folder), strings.Compare(x.why, y.why))
	}
	for _, g := range slices.SortedFunc(maps.Keys(members), byName) {
		paths := slices.Sorted(slices.Values(members[g]))
		what := paths[0] + " was"
		if len(paths) > 1 {
			what = fmt.Sprintf("%d files under %s were", len(paths), g.folder)
		}
		a.ask(Unread, g.folder, paths[0], 1, g.why, fmt.Sprintf(
			"%s not read by the check (%s). Is it what it claims to be, and nothing that answers the tests instead of the code?", what,
			g.why),
			strings.Join(paths[:min(5, len(paths))], "\n"))
	}
}

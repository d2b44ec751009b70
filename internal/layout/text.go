package layout

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// headLines is how far the head of a document goes, if no section begins before.
const headLines = 30

var (
	// statusLine is a line of a document's head that tells where the work
	// stands; dateLine one that tells when.
	statusLine = statusOr("")
	dateLine   = regexp.MustCompile(`(?i)^[\s>*_|-]*(?:created|updated|last[ ` +
		`_-]updated|date|modified|completed|approved|archived)[\s*_|\w-]{0,20}:[\s*_|"'` + "`" + `]*\d{4}[-/.]\d\d?[-/.]\d\d?\b.{0,40}$`)
	day     = regexp.MustCompile(`\d{4}[-/.]\d\d?[-/.]\d\d?`)
	heading = regexp.MustCompile(`^#{2,6}\s`)
	tick    = regexp.MustCompile(`(?m)^(\s*(?:[-*+]|\d+[.)])\s+)\[[xX]\]`)
	box     = regexp.MustCompile(`(?m)^\s*(?:[-*+]|\d+[.)])\s+\[( |[xX])\]`)
)

// stateWord is how a state line's word ends the expression of its name: three words at
// most. What follows them is content, but for dates.
const stateWord = `)[\s*_|]*:[^\p{L}\r<]*)(\p{L}+(?:[ _-]\p{L}+){0,2})?(.*)$`

func statusOr(more string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^([\s>*_|-]*(?:status|state|phase` + more + stateWord)
}

// Content is a document's text without what tells only where the work stands:
// the state line and dates in its head, and which boxes are ticked. line names
// a state line besides status, state and phase, "" for none.
func Content(text, line string) string {
	state := statusLine
	if line != "" && !state.MatchString(line+":") {
		state = statusOr("|" + quoted(line))
	}
	var out []string
	lines := strings.Split(tick.ReplaceAllString(text, "$1[ ]"), "\n")
	for i, l := range lines {
		if i >= headLines || heading.MatchString(l) {
			out = append(out, lines[i:]...)
			break
		}
		if m := state.FindStringSubmatch(l); m != nil {
			l = day.ReplaceAllString(m[3], "")
			if strings.IndexFunc(l, unicode.IsLetter) < 0 {
				continue
			}
		}
		if !dateLine.MatchString(l) {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// TellsState reports whether a document has anything that Content leaves out,
// or an unticked box.
func TellsState(text, line string) bool { return box.MatchString(text) || Content(text, line) != text }

// stateLine finds the line of a name in a document's head: its index among the
// lines, what stands before the word, the word, and what follows.
func stateLine(lines []string, name string) (at int, before, word, after string) {
	re := regexp.MustCompile(`(?i)^([\s>*_|-]*(?:` + quoted(name) + stateWord)
	for i, l := range lines[:min(len(lines), headLines)] {
		if heading.MatchString(l) {
			break
		}
		if m := re.FindStringSubmatch(l); m != nil && m[2] != "" {
			return i, m[1], m[2], m[3]
		}
	}
	return -1, "", "", ""
}

// SetLine writes a word into the state line of a document's head. False if it
// has no such line, or the word stands there already.
func SetLine(text, name, word string) (string, bool) {
	lines := strings.Split(text, "\n")
	i, before, old, after := stateLine(lines, name)
	if i < 0 || old == word {
		return text, false
	}
	lines[i] = before + word + after
	return strings.Join(lines, "\n"), true
}

// LineState is the state that a document's state line tells, "" if none.
func (s State) LineState(text string) workflow.State {
	if s.Line == "" {
		return ""
	}
	_, _, word, _ := stateLine(strings.Split(text, "\n"), s.Line)
	for _, state := range States() {
		if word != "" && strings.HasPrefix(fold(word), fold(s.Word(state))) {
			return state
		}
	}
	return ""
}

func fold(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// Ticked counts the boxes of a list of tasks, and those that are ticked.
func Ticked(text string) (ticked, all int) {
	for _, m := range box.FindAllStringSubmatch(text, -1) {
		all++
		if m[1] != " " {
			ticked++
		}
	}
	return ticked, all
}

// SamePlan reports whether two versions of a list of tasks have the same work
// left to do: what is ticked in the later one is done, with all that is told
// below it, and what stands around the tasks is no task.
func SamePlan(before, after string) bool {
	done := map[string]bool{}
	was, is := tasksOf(before), tasksOf(after)
	for _, t := range is {
		done[t.id] = done[t.id] || t.ticked
	}
	isDone := func(t task) bool { return done[t.id] }
	same := func(a, b task) bool { return a.text == b.text }
	return len(is) > 0 && slices.EqualFunc(slices.DeleteFunc(was, isDone), slices.DeleteFunc(is, isDone), same)
}

// Synced reports whether the new text of a spec of what exists follows from the old one
// and the deltas of the work that is archived: each line that is new stands in a delta,
// and so does the title of each requirement that lost lines.
func Synced(before, after, deltas string) bool {
	if purpose, _, _ := strings.Cut(after, "\n### "); before == "" && !demands.MatchString(purpose) {
		before = purpose // of a capability that is new
	}
	known, left := lineSet(before+"\n"+deltas), lineSet(after)
	for l := range left {
		if !known[l] && !(strings.HasPrefix(l, "### ") && strings.Contains(deltas, l)) { // a requirement's new name
			return false
		}
	}
	for _, block := range strings.Split(before, "\n### ")[1:] {
		title, _, _ := strings.Cut(block, "\n")
		for l := range lineSet("### " + block) {
			if !left[l] && !strings.Contains(deltas, strings.TrimSpace(title)) {
				return false
			}
		}
	}
	return true
}

func lineSet(text string) map[string]bool {
	out := map[string]bool{}
	for l := range strings.Lines(text) {
		out[strings.TrimSpace(l)] = true
	}
	return out
}

// demands are the words of a requirement.
var demands = regexp.MustCompile(`\b(?:SHALL|MUST|SHOULD|MAY)\b`)

// task is one line with a box, and what is indented below it.
type task struct {
	id     string // its number, else its text
	ticked bool
	text   string
}

var taskLine = regexp.MustCompile(`^(\s*)(?:[-*+]|\d+[.)])\s+\[([ xX~-])\]\*?\s+(?:\*\*|\[)?((?:[A-Z]{0,3}-?\d+(?:\.\d+)*[a-z]?\b)?)(.*)$`)

func tasksOf(text string) []task {
	var out []task
	times := map[string]int{}
	column := -1 // of the task that the next lines may belong to
	for _, l := range strings.Split(text, "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		switch m := taskLine.FindStringSubmatch(l); {
		case m != nil:
			column = indent
			times[m[3]]++
			out = append(out, task{id: cmp.Or(m[3], m[4]), ticked: strings.EqualFold(m[2], "x"), text: m[3] + m[4]})
		case strings.TrimSpace(l) == "":
		case indent <= column:
			column = len(text) // nothing is indented further
		case column < indent && column >= 0:
			out[len(out)-1].text += "\n" + strings.TrimSpace(l)
		}
	}
	for i := range out {
		if times[out[i].id] > 1 { // numbers that begin anew with each phase name nothing
			out[i].id, _, _ = strings.Cut(out[i].text, "\n")
		}
	}
	return out
}

// TasksState is the state that a list of tasks tells, "" if it has none.
func TasksState(text string) workflow.State {
	switch ticked, all := Ticked(text); {
	case all == 0:
		return ""
	case ticked == all:
		return workflow.Done
	case ticked > 0:
		return workflow.Doing
	default:
		return workflow.Todo
	}
}

// FileState is the state that cc-sdd's spec.json tells, "" if it tells none.
func FileState(data []byte) workflow.State {
	var f struct {
		Phase     string `json:"phase"`
		Ready     bool   `json:"ready_for_implementation"`
		Approvals map[string]struct {
			Approved bool `json:"approved"`
		} `json:"approvals"`
	}
	if json.Unmarshal(data, &f) != nil {
		return ""
	}
	switch phase := fold(f.Phase); {
	case strings.Contains(phase, "complete") || strings.Contains(phase, "implemented") || phase == "done" || phase == "archived":
		return workflow.Done
	case strings.HasPrefix(phase, "implement"):
		return workflow.Doing
	case f.Ready || f.Approvals["requirements"].Approved:
		return workflow.Todo
	case phase == "":
		return ""
	default:
		return workflow.Proposed
	}
}

// quoted is a name as part of an expression.
func quoted(name string) string { return lazyregexp.Quote(name) }

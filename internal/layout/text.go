package layout

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// headLines is how far the head of a document goes, if no section begins before.
const headLines = 30

var (
	// dateLine is a line of a document's head that tells when.
	dateLine = lazyregexp.New(`(?i)^[\s\x{feff}>*_|-]*(?:created|updated|last[ ` +
		`_-]updated|date|modified|completed|approved|archived)[\s*_|]*:[\s*_|"'` + "`" +
		`]*\d{4}[-/.]\d\d?[-/.]\d\d?(?:[T ]\d\d:\d\d[:.\d]*(?: ?Z|UTC)?)?[^\p{L}\d]{0,40}$`)
	heading = lazyregexp.New(`^#{2,6}\s`)
	tick    = lazyregexp.New(`(?m)^([\s\x{feff}]*(?:[-*+]|\d+[.)])\s+)\[[xX]\]`)
	box     = lazyregexp.New(`(?m)^[\s\x{feff}]*(?:[-*+]|\d+[.)])\s+\[( |[xX])\]`)

	figures = lazyregexp.New(`\d{4}[-/.]\d\d?[-/.]\d\d?|\d+ ?%|\d+/\d+`)
	plain   = lazyregexp.New(`^\p{L}[\p{L}\p{N}]*(?:[_-][\p{L}\p{N}]+)*(?: \p{L}+)?`)
)

// lead is how lines begin that tell a state, and which words of a project's own they may say.
type lead struct {
	re    *lazyregexp.Regexp
	words []string // the longest first
}

// stateLead reads what Match.Line says: a line of that name tells a state, or one of status, state
// or phase.
func stateLead(line string) lead {
	name, words, _ := strings.Cut(line, "\n")
	names := "status"
	if name != "" {
		names += "|" + lazyregexp.Quote(name)
	}
	own := append(
		strings.Split(words, "\n"),
		"Draft",
		"Approved",
		"In Progress",
		"In-Progress",
		"Complete",
	)
	own = slices.DeleteFunc(
		own,
		func(w string) bool { return w == "" || strings.HasPrefix(w, sectionMark) },
	)
	slices.SortStableFunc(own, func(a, b string) int { return len(b) - len(a) })
	return lead{
		lazyregexp.New(
			`(?i)^[\s\x{feff}>*_|-]*(?:(` + names + `)|state|phase)[\s*_|]*:[^\p{L}\p{N}\r<]*`,
		), own,
	}
}

var usualLead = stateLead("")

// own is the word of the project's own that a text begins with, "" if none.
func (l lead) own(text string) string {
	for _, w := range l.words {
		if len(text) >= len(w) && strings.EqualFold(text[:len(w)], w) &&
			endsState.MatchString(text[len(w):]) {
			return text[:len(w)]
		}
	}
	return ""
}

// letter matches a letter or digit, and startsWord a text that begins with one.
var (
	letter     = lazyregexp.New(`[\p{L}\p{Nd}]`)
	startsWord = lazyregexp.New(`^[\p{L}\p{Nd}]`)
	// endsState matches what may stand behind the word of a state: nothing, or a text set off.
	endsState = lazyregexp.New(`^(?:\s*(?:$|[^\p{L}\p{N}\s_'’~-])|\s+-|-+(?:$|[^\p{L}\p{N}-]))`)
)

// splitState splits a line that begins as a state line at the word that tells the state: one of the
// project's own, a usual one, or of all but state and phase up to two words that nothing follows.
// What else stands there is content. False if it is no such line; a line that says nothing has an
// empty word.
func splitState(l string, lead lead) (before, word, after string, ok bool) {
	at := lead.re.FindStringSubmatchIndex(l)
	if at == nil {
		return "", "", "", false
	}
	before, rest := l[:at[1]], l[at[1]:]
	value, _, _ := strings.Cut(rest, " #") // a comment in YAML
	some := plain.FindString(value)        // in a script without spaces a long one is a sentence
	isWord := len(some) < 40 && some[:min(1, len(some))] <= "z" || len(some) <= 18
	switch {
	case lead.own(rest) != "":
		word = lead.own(rest)
	case at[2] >= 0 && isWord && !hasText(value[len(some):]):
		word = some
	default:
		return before, "", rest, !hasText(rest)
	}
	return before, word, rest[len(word):], true
}

// hasText reports whether a text has more than marks, dates and shares.
func hasText(s string) bool { return letter.MatchString(figures.ReplaceAllString(s, "")) }

// Content is a document's text without what tells only where the work stands: the word of the state
// line and dates in its head, which boxes are ticked, and sections that report work. line is what
// Match.Line says, "" for nothing.
func Content(text, line string) string {
	var out []string
	lead := stateLead(line)
	lines := strings.Split(tick.ReplaceAllString(withoutReports(text, line), "$1[ ]"), "\n")
	for i, l := range lines {
		if i >= headLines || heading.MatchString(l) {
			out = append(out, lines[i:]...)
			break
		}
		_, _, after, isState := splitState(l, lead)
		if isState {
			l = after
		}
		if !(isState && !hasText(after)) && !dateLine.MatchString(l) {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// sectionMark begins the entries of Match.Line that are titles of sections.
const sectionMark = "#"

// withoutReports is a document without the sections that its layout says report work, however its
// lines end. What is fenced begins none of them, but what looks like a heading ends one: fences in
// lists and quotations are not told apart. None of them is a whole document.
func withoutReports(text, line string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	titles := strings.Split(line, "\n")[1:]
	var out []string
	skips, fence := 0, "" // the level of the section that is left out, and what closes a fence
	for _, l := range strings.Split(text, "\n") {
		level := len(l) - len(strings.TrimLeft(l, "#"))
		isHeading := level > 0 && strings.HasPrefix(l[level:], " ")
		isReport := level > 1 && slices.Contains(titles, sectionMark+strings.TrimSpace(l[level:]))
		run := fenceMark.ReplaceAllString(fenceMark.FindString(l), "$1$2")
		switch {
		case fence == "":
			fence = run
		case strings.HasPrefix(run, fence) && strings.TrimSpace(l) == run:
			fence = ""
		}
		switch {
		case isHeading && isReport && fence == "":
			skips = level
		case isHeading && level <= skips:
			skips = 0
		}
		if skips == 0 {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// fenceMark matches a line that opens or closes a fence.
var fenceMark = lazyregexp.New("^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$")

// title is a heading, by its text.
var title = lazyregexp.New(`(?m)^#{1,6}[ \t]+[*_]*(.+)$`)

// Resembles are the first two headings of a layout's documents that a text has, nil if it has
// fewer.
func (l Layout) Resembles(text string) (found []string) {
	for _, m := range title.FindAllStringSubmatch(text, -1) {
		i := slices.IndexFunc(l.Headings, func(h string) bool {
			if len(m[1]) < len(h) || !strings.EqualFold(m[1][:len(h)], h) {
				return false
			}
			return strings.HasSuffix(h, ":") ||
				!startsWord.MatchString(strings.TrimSpace(m[1][len(h):]))
		})
		if i >= 0 && !slices.Contains(found, l.Headings[i]) {
			if found = append(found, l.Headings[i]); len(found) == 2 {
				return found
			}
		}
	}
	return nil
}

// TellsState reports whether a document has anything that Content leaves out, or an unticked box.
func TellsState(
	text, line string,
) bool {
	return box.MatchString(text) || Content(text, line) != text
}

// SetLine writes a word into the state line of a document's head. False if it
// has no such line, or the word stands there already.
func SetLine(text, name, word string) (string, bool) {
	lines := strings.Split(text, "\n")
	i, before, old, after := stateLine(lines, name)
	if old == "" || old == word {
		return text, false
	}
	lines[i] = before + word + after
	return strings.Join(lines, "\n"), true
}

// OddLine is the state line of a name that tells no state, so that SetLine leaves it
// alone; "" if there is none.
func OddLine(text, name string) string {
	lines := strings.Split(text, "\n")
	if at, _, word, after := stateLine(lines, name); word == "" && hasText(after) {
		return lines[at]
	}
	return ""
}

// stateLine finds the line of a name in a document's head, the first that tells a state if one
// does: its index among the lines, what stands before the word, the word, and what follows.
func stateLine(lines []string, line string) (at int, before, word, after string) {
	name, _, _ := strings.Cut(line, "\n")
	lead, is := stateLead(line), lazyregexp.New(
		`(?i)^[\s\x{feff}>*_|-]*`+lazyregexp.Quote(name)+`[\s*_|]*:`,
	)
	for i, l := range lines[:min(len(lines), headLines)] {
		if word != "" || heading.MatchString(l) {
			break
		}
		if b, w, a, _ := splitState(l, lead); is.MatchString(l) && (w != "" || after == "") {
			at, before, word, after = i, b, w, a
		}
	}
	return at, before, word, after
}

// LineState is the state that a document's state line tells, "" if none: that of the longest word
// it begins with.
func (s State) LineState(text string) (state workflow.State) {
	if s.Line == "" {
		return ""
	}
	_, _, word, _ := stateLine(strings.Split(text, "\n"), s.text(nil))
	longest := 0
	for _, of := range States() {
		for _, w := range s.words(of) {
			if n := len(fold(w)); n > longest && strings.HasPrefix(fold(word), fold(w)) {
				state, longest = of, n
			}
		}
	}
	return state
}

func fold(s string) string { return separators.ReplaceAllString(strings.ToLower(s), "") }

var separators = lazyregexp.New(`[-_ ]`)

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

// SamePlan reports whether two versions of a list of tasks have the same tasks, and the same work
// left to do: what is ticked in the later one is done, with all that is told behind and below it,
// and what stands around the tasks is no task.
func SamePlan(before, after string) bool {
	was, is := tasksOf(before), tasksOf(after)
	open, times, said := map[string]bool{}, map[string]int{}, map[string]string{}
	for _, t := range was {
		said[t.id], _, _ = strings.Cut(t.Text, "\n")
		times[t.id]--
	}
	for _, t := range is {
		if plan, known := said[t.id]; t.ticked && (!known || !strings.HasPrefix(t.Text, plan)) {
			return false
		}
		open[t.id] = open[t.id] || !t.ticked
		times[t.id]++
	}
	isDone := func(t Task) bool { return !open[t.id] && times[t.id] >= 0 }
	was = slices.DeleteFunc(was, func(t Task) bool { return t.ticked || isDone(t) })
	same := func(a, b Task) bool { return a.Text == b.Text }
	return len(is) > 0 && slices.EqualFunc(was, slices.DeleteFunc(is, isDone), same)
}

// Task is one line with a box, and what is indented below it.
type Task struct {
	Text   string
	Line   int    // of the box
	id     string // its number, else its text
	ticked bool
}

// TickedOff are the tasks of the later of two versions of a document that are ticked there, and not
// in the earlier one.
func TickedOff(before, after string) (out []Task) {
	was := map[string]bool{}
	for _, t := range tasksOf(before) {
		was[t.id] = was[t.id] || t.ticked
	}
	for _, t := range tasksOf(after) {
		if t.ticked && !was[t.id] {
			out = append(out, t)
		}
	}
	return out
}

var taskLine = lazyregexp.New(`^([\s\x{feff}]*)(?:[-*+]|\d+[.)])\s+\[([ xX~-]?)\]` +
	`(\*?)\s+(?:\*\*|\[)?((?:[A-Z]{0,3}-?\d+(?:\.\d+)*[a-z]?\b)?)(.*)`)

// tasksOf lists the tasks of a list with their ids, ticks and the lines indented below them. Ids
// that come again are told apart.
func tasksOf(text string) []Task {
	var out []Task
	times := map[string]int{}
	column := -1 // of the task that the next lines may belong to
	for at, l := range strings.Split(text, "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		switch m := taskLine.FindStringSubmatch(l); {
		case m != nil:
			column = indent
			id := cmp.Or(m[4], m[5])
			times[id]++
			text := m[4] + m[5] + m[3] // a star makes it optional
			out = append(
				out,
				Task{id: id, ticked: strings.EqualFold(m[2], "x"), Text: text, Line: at + 1},
			)
		case strings.TrimSpace(l) == "":
		case indent <= column:
			column = len(text) // nothing is indented further
		case column < indent && column >= 0:
			out[len(out)-1].Text += "\n" + strings.TrimSpace(l)
		}
	}
	for i := range out {
		if times[out[i].id] > 1 { // numbers that begin anew with each phase name nothing
			out[i].id = out[i].Text
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

var donePhase = lazyregexp.New(`complete|implemented|^(?:done|archived)$`)

// FileState is the state that cc-sdd's spec.json tells, "" if it tells none.
func FileState(text string) workflow.State {
	var f struct {
		Phase     string `json:"phase"`
		Ready     bool   `json:"ready_for_implementation"`
		Approvals map[string]struct {
			Approved bool `json:"approved"`
		} `json:"approvals"`
	}
	if json.Unmarshal(bom.UTF8([]byte(text)), &f) != nil {
		return ""
	}
	switch phase := fold(f.Phase); {
	case donePhase.MatchString(phase):
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

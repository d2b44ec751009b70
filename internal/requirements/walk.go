package requirements

import (
	"fmt"
	"strconv"
	"strings"

	"workflow-reviewer/internal/markdown"
)

// walker goes through a document's sections in their order.
type walker struct {
	sections []markdown.Section
	scopes   [markdown.LabelLevel + 1]scope
	list     list
	groups   int // requirements without a number so far, as OpenSpec names them
}

// scope holds what a section inherits from those above it.
type scope struct {
	skipped  bool
	criteria bool      // lists acceptance criteria
	group    string    // the requirement or story that criteria are numbered below
	next     *position // the position of the next criterion in the group
}

// position numbers criteria that have no number of their own.
type position struct{ n int }

// walk goes through the sections in the order of the document. A scenario takes the sections of its
// steps along, so that they are no criteria of their own.
func (w *walker) walk() {
	w.scopes[0].next = &position{}
	for i := 0; i < len(w.sections); i++ {
		sc := w.enter(i)
		switch s := w.sections[i]; {
		case sc.skipped:
		case w.isWhole(i, sc):
			end := w.until(i)
			for end < len(w.sections) && isStep(w.sections[end]) {
				end++
			}
			w.whole(i, end, sc)
			i = end - 1
		default:
			w.section(s, sc, sc.criteria && w.unlisted(i))
		}
	}
}

// isStep reports whether a label is a step of a scenario.
func isStep(s markdown.Section) bool {
	return s.Level == markdown.LabelLevel && stepWord(s.Title) != ""
}

// enter makes the scope of a section from the one that holds it.
func (w *walker) enter(i int) scope {
	s := w.sections[i]
	sc := w.scopes[0]
	for l := 1; l < s.Level; l++ {
		if w.scopes[l].next != nil {
			sc = w.scopes[l]
		}
	}
	for l := s.Level; l > 0 && l < len(w.scopes); l++ {
		w.scopes[l] = scope{}
	}
	switch {
	case s.Level == 0:
		return sc
	case scenarioTitle.MatchString(heading(s)),
		requirementTitle.MatchString(heading(s)): // whatever else they are called
	// else it is the document's title
	case skippedTitle.MatchString(s.Title) && (i > 1 || s.Level != 1):
		sc.skipped = true
	case asideTitle.MatchString(s.Title):
		sc.criteria = false
	case criteriaTitle.MatchString(s.Title):
		sc.criteria = true
	}
	if group := w.groupOf(i); group != "" {
		sc.group, sc.next = group, &position{}
	}
	w.scopes[s.Level] = sc
	return sc
}

// groupOf is the name that the criteria below a heading are numbered under, "" for none: "1" of
// "Requirement 1", "US1" of "User Story 1", the id of a heading that has one.
func (w *walker) groupOf(i int) string {
	title := heading(w.sections[i])
	if m := storyTitle.FindStringSubmatch(title); m != nil {
		return "US" + m[1]
	}
	if m := requirementTitle.FindStringSubmatch(title); m != nil {
		if m[1] == "" {
			w.groups++
			return strconv.Itoa(w.groups)
		}
		return m[1]
	}
	id, _ := ownID(title, false)
	return id
}

// isWhole reports whether a section is one criterion as a whole: a scenario, or
// a requirement with an id below which no criteria are listed.
func (w *walker) isWhole(i int, sc scope) bool {
	s := w.sections[i]
	if s.Level == 0 {
		return false
	}
	title := heading(s)
	if scenarioTitle.MatchString(title) {
		return true
	}
	if id, _ := ownID(title, sc.criteria); id == "" && !requirementTitle.MatchString(title) {
		return false
	}
	end := w.until(i)
	for j := i + 1; j < end; j++ {
		below := heading(w.sections[j])
		if id, _ := ownID(below, false); id != "" ||
			criteriaTitle.MatchString(w.sections[j].Title) ||
			scenarioTitle.MatchString(below) {
			return false
		}
	}
	return end > i+1 || len(s.Blocks) > 0 || sc.criteria
}

// until is the index after a section's last descendant.
func (w *walker) until(i int) int {
	j := i + 1
	for j < len(w.sections) && w.sections[j].Level > w.sections[i].Level {
		j++
	}
	return j
}

// unlisted reports whether a section of criteria and those below it hold neither
// list nor table, so that their paragraphs are the criteria.
func (w *walker) unlisted(i int) bool {
	for _, s := range w.sections[i:w.until(i)] {
		for _, b := range s.Blocks {
			if b.Kind == markdown.Item || b.Kind == markdown.Row {
				return false
			}
		}
	}
	return true
}

// whole adds a section with all that stands below it as one requirement.
func (w *walker) whole(i, end int, sc scope) {
	s := w.sections[i]
	title := heading(s)
	r := Requirement{Line: s.Line, Kind: Scenario}
	id, rest := ownID(title, sc.criteria)
	switch {
	case id != "":
		r.ID, r.Text, r.Kind = id, rest, Identified
	case requirementTitle.MatchString(title):
		r.ID, r.Text, r.Kind = sc.group, requirementTitle.ReplaceAllString(title, ""), Identified
	default:
		r.ID, r.Text = w.scenarioID(title, sc), scenarioTitle.ReplaceAllString(title, "")
	}
	texts := []string{strings.TrimSpace(r.Text)}
	for j := i; j < end; j++ {
		if j > i {
			texts = append(texts, w.sections[j].Title)
		}
		for _, b := range w.sections[j].Blocks {
			if !tableRuler.MatchString(b.Text) {
				texts = append(texts, b.Text)
			}
		}
	}
	r.Text = joined(texts)
	w.list.add(r)
}

// scenarioID is the id of a scenario by its heading: S3 of "Scenario 3".
func (w *walker) scenarioID(title string, sc scope) string {
	if m := scenarioTitle.FindStringSubmatch(title); m[1] != "" && sc.group == "" {
		return "S" + m[1]
	}
	return w.at(sc, 0)
}

// at is the id of a criterion that has none: its place below its group, or its number there.
func (w *walker) at(sc scope, number int) string {
	if number <= 0 {
		number = sc.next.n + 1
	}
	sc.next.n = max(sc.next.n, number)
	if sc.group == "" {
		return strconv.Itoa(number)
	}
	return fmt.Sprintf("%s.%d", sc.group, number)
}

// heading is a section's title as written, without emphasis: its number may be an id.
func heading(s markdown.Section) string {
	return strings.TrimSpace(
		strings.NewReplacer("**", "", "__", "", "`", "").Replace(strings.Trim(s.Raw, "# \t")),
	)
}

// joined is the parts of a requirement as one text.
func joined(texts []string) string {
	var kept []string
	size := 0
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" && size < 4*MaxText {
			kept = append(kept, strings.TrimRight(t, " ;,"))
			size += len(t)
		}
	}
	return strings.Join(kept, "; ")
}

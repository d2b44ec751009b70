package requirements

import (
	"strings"

	"workflow-reviewer/internal/markdown"
)

// section adds the criteria that stand in a section's own blocks. paragraphs counts those as
// criteria too.
func (w *walker) section(s markdown.Section, sc scope, paragraphs bool) {
	top := topDepth(s.Blocks)
	for k := 0; k < len(s.Blocks); k++ {
		b := s.Blocks[k]
		switch b.Kind {
		case markdown.Item:
			k = w.item(s.Blocks, k, top, sc)
		case markdown.Row:
			w.row(s.Blocks, k, sc)
		case markdown.Paragraph:
			w.paragraph(b, sc, paragraphs)
		case markdown.CodeBlock:
			w.code(b, sc, paragraphs)
		case markdown.HTMLBlock:
		}
	}
}

// topDepth is the depth of a section's outermost list.
func topDepth(blocks []markdown.Part) int {
	top := 0
	for _, b := range blocks {
		if b.Kind == markdown.Item && (top == 0 || b.Depth < top) {
			top = b.Depth
		}
	}
	return top
}

// item adds the criterion that begins at a list item, if one does, and returns
// the index of the last block that belongs to it.
func (w *walker) item(blocks []markdown.Part, k, top int, sc scope) int {
	b := blocks[k]
	if strings.HasPrefix(b.Text, "~~") {
		return k
	}
	r := Requirement{Line: b.Line, Text: b.Text}
	id, rest := ownID(b.Text, sc.criteria)
	end := steps(blocks, k)
	switch {
	case id != "":
		r.ID, r.Text, r.Kind = id, rest, Identified
	case end > k:
		r.ID, r.Kind = w.at(sc, 0), Scenario
		var texts []string
		for _, step := range blocks[k:end] {
			texts = append(texts, step.Text)
		}
		r.Text = joined(texts)
		w.list.add(r)
		return end - 1
	case sc.criteria && b.Depth == top:
		r.ID, r.Kind = w.at(sc, b.Number), Listed
		if b.Number > 0 {
			r.Kind = Numbered
		}
	case isScenario(b.Text):
		r.ID, r.Kind = w.at(sc, 0), Scenario
	default:
		return k
	}
	texts := []string{r.Text}
	for k+1 < len(blocks) && continues(blocks[k+1], b.Depth) {
		k++
		texts = append(texts, blocks[k].Text)
	}
	r.Text = joined(texts)
	w.list.add(r)
	return k
}

// continues reports whether a block belongs to the list item of a depth that stands before it.
func continues(b markdown.Part, depth int) bool {
	if id, _ := ownID(b.Text, false); id != "" {
		return false
	}
	return b.Depth > depth || b.Depth == depth && b.Kind != markdown.Item
}

// maxSteps limits the list items of one scenario.
const maxSteps = 20

// steps is the index after a run of list items that are the steps of one scenario, k if none begins
// there.
func steps(blocks []markdown.Part, k int) int {
	if first := stepWord(blocks[k].Text); first != "given" && first != "when" {
		return k
	}
	then, end := false, k
	for ; end < min(len(blocks), k+maxSteps) && blocks[end].Depth >= blocks[k].Depth; end++ {
		if blocks[end].Depth > blocks[k].Depth {
			continue
		}
		word := stepWord(blocks[end].Text)
		if word == "" || then && (word == "given" || word == "when") {
			break
		}
		then = then || word == "then"
	}
	if !then {
		return k
	}
	return end
}

// row adds a row of a table: by the id in its first cell, or in a table of
// criteria by its number there or its position.
func (w *walker) row(blocks []markdown.Part, k int, sc scope) {
	b := blocks[k]
	head := k+1 < len(blocks) && tableRuler.MatchString(blocks[k+1].Text)
	if head || tableRuler.MatchString(b.Text) {
		return
	}
	cells := strings.Split(strings.Trim(strings.TrimSpace(b.Text), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	r := Requirement{Line: b.Line, Text: strings.Join(cells, " | ")}
	id, rest := ownID(cells[0], sc.criteria)
	number := 0
	if m := onlyNumber.FindStringSubmatch(cells[0]); m != nil {
		number = atoi(m[1])
	}
	switch {
	case id != "" && !w.list.taken[strings.ToLower(id)]:
		r.ID, r.Kind, r.Text = id, Identified, strings.TrimPrefix(
			strings.Join(append([]string{rest}, cells[1:]...), " | "),
			" | ",
		)
	case id != "":
		return // told again: a table of what covers it
	case sc.criteria && number > 0:
		r.ID, r.Kind, r.Text = w.at(sc, number), Numbered, strings.Join(cells[1:], " | ")
	case sc.criteria:
		r.ID, r.Kind = w.at(sc, 0), Listed
	default:
		return
	}
	w.list.add(r)
}

// paragraph adds what a paragraph states: a scenario, lines with ids of their
// own, or where its section has no list the whole of it.
func (w *walker) paragraph(b markdown.Part, sc scope, counts bool) {
	lines := strings.Split(b.Text, "\n")
	found := false
	for i := 0; i < len(lines); i++ {
		id, rest := ownID(lines[i], sc.criteria)
		if id == "" {
			continue
		}
		r := Requirement{ID: id, Text: rest, Line: b.Line + i, Kind: Identified}
		for i+1 < len(lines) {
			if next, _ := ownID(lines[i+1], sc.criteria); next != "" {
				break
			}
			i++
			r.Text += " " + lines[i]
		}
		w.list.add(r)
		found = true
	}
	switch {
	case found:
	case isScenario(b.Text):
		w.list.add(Requirement{ID: w.at(sc, 0), Text: joined(lines), Line: b.Line, Kind: Scenario})
	case counts && !strings.HasSuffix(strings.TrimSpace(b.Text), ":"):
		w.list.add(Requirement{ID: w.at(sc, 0), Text: b.Text, Line: b.Line, Kind: Listed})
	}
}

// code adds the scenarios of a code block, or where a section of criteria has nothing else its
// example.
func (w *walker) code(b markdown.Part, sc scope, counts bool) {
	lines := strings.Split(b.Text, "\n")
	var from []int
	for i, l := range lines {
		if scenarioTitle.MatchString(strings.TrimSpace(l)) {
			from = append(from, i)
		}
	}
	if from == nil && isScenario(b.Text) {
		from = []int{0}
	}
	for n, i := range from {
		end := len(lines)
		if n+1 < len(from) {
			end = from[n+1]
		}
		text := joined(
			append(
				[]string{scenarioTitle.ReplaceAllString(strings.TrimSpace(lines[i]), "")},
				lines[i+1:end]...),
		)
		if isScenario(strings.Join(lines[i:end], "\n")) {
			w.list.add(Requirement{ID: w.at(sc, 0), Text: text, Line: b.Line + i, Kind: Scenario})
		}
	}
	if from == nil && counts {
		w.list.add(Requirement{ID: w.at(sc, 0), Text: joined(lines), Line: b.Line, Kind: Listed})
	}
}

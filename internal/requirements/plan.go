package requirements

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/strictjson"
)

// PlanPaths are the places where the plan of a feature may be, the first that
// exists counts: named after the feature, or beside a spec in a folder of its own.
func PlanPaths(feature, spec string) []string {
	out := []string{
		path.Join(".workflow/.team-plan", feature, "plan.json"),
		path.Join("specs", feature, "plan.json"),
	}
	if spec == "" {
		return out
	}
	dir, stem := path.Dir(spec), strings.TrimSuffix(path.Base(spec), path.Ext(spec))
	out = append(out, path.Join(dir, stem+".plan.json"), path.Join(dir, stem, "plan.json"))
	if stem == "spec" || stem == "requirements" {
		out = append(out, path.Join(dir, "plan.json"))
	}
	return out
}

// namedPlan matches the path by which a document or a task names its plan.
var namedPlan = lazyregexp.New(`\.workflow/\.team-plan/[\w.-]+/plan\.json\b`)

// NamedPlans are the plans that a text names by their paths, at most a few.
func NamedPlans(text string) []string {
	named := namedPlan.FindAllString(text, 5)
	slices.Sort(named)
	return slices.Compact(named)
}

// plan is the form of a plan that is read.
type plan struct {
	Tasks []struct {
		ID         json.RawMessage `json:"id"`
		Title      string          `json:"title"`
		Acceptance []string        `json:"acceptance"`
	} `json:"tasks"`
}

// parsePlan reads a plan.json of at most maxDoc bytes.
func parsePlan(data []byte) (p plan, err error) {
	if len(data) > maxDoc {
		return p, fmt.Errorf("it is larger than %d KiB", maxDoc>>10)
	}
	err = strictjson.Unmarshal(bom.UTF8(data), &p)
	return p, err
}

// CheckPlan says why FromPlan lists nothing of a plan, nil if it lists something.
func CheckPlan(data []byte) error {
	p, err := parsePlan(data)
	if err != nil {
		return err
	}
	for _, t := range p.Tasks {
		if len(t.Acceptance) > 0 {
			return nil
		}
	}
	return errors.New(`no task has "acceptance", a list of texts`)
}

// FromPlan lists the acceptance criteria of a plan's tasks: {"tasks": [{"id",
// "title", "acceptance": ["…"]}]}. One of the task T1 is called "T1.1", of a task
// without an id by the task's position. Of a plan in another form it lists none.
func FromPlan(file string, data []byte) (requirements []Requirement, omitted int) {
	p, err := parsePlan(data)
	if err != nil {
		return nil, 0
	}
	l := list0()
	for i, task := range p.Tasks {
		id := safeID(strings.Trim(string(task.ID), `"`))
		if id == "" || id == "null" {
			id = fmt.Sprintf("T%d", i+1)
		}
		for n, text := range task.Acceptance {
			if task.Title != "" {
				text += " (" + task.Title + ")"
			}
			l.add(Requirement{
				ID: fmt.Sprintf("%s.%d", id, n+1), Text: text, File: file,
				Line: lineOf(data, task.Acceptance[n]), Kind: Identified,
			})
		}
	}
	return l.all, l.omitted
}

// lineOf is the line of a JSON text on which a string stands, 1 if it is spelled in another way
// there.
func lineOf(data []byte, text string) int {
	before, _, found := strings.Cut(string(data), text)
	if !found {
		return 1
	}
	return strings.Count(before, "\n") + 1
}

// Merge is several lists as one, in which ids are unique.
func Merge(lists ...[]Requirement) (merged []Requirement, omitted int) {
	l := list0()
	for _, one := range lists {
		for _, r := range one {
			l.add(r)
		}
	}
	return l.all, l.omitted
}

package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

const loginSpec = "# Login\n\n## Acceptance criteria\n\n1. A wrong password is refused.\n2. Five failures lock the account.\n"

// stance is an answer with these entries for the requirements: "id status file
// line" each, "-" for no file.
func stance(decision string, entries ...string) string {
	var list []string
	for _, e := range entries {
		f := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(e, "not met", "not_met"), "cannot tell", "cannot_tell"))
		file := fmt.Sprintf("%q", f[2])
		if f[2] == "-" {
			file = "null"
		}
		list = append(list, fmt.Sprintf(`{"id":%q,"status":%q,"file":%s,"line":%s,"reason":"So it stands."}`, f[0],
			strings.ReplaceAll(f[1], "_", " "), file, f[3]))
	}
	return strings.Replace(answer(decision), "{", `{"requirements":[`+strings.Join(list, ",")+`],`, 1)
}

func loginInput(specs ...string) Input {
	head := sample()
	head["specs/doing/login.md"] = loginSpec
	base := map[string]string{"CLAUDE.md": head["CLAUDE.md"]}
	if len(specs) > 0 {
		head["specs/doing/login.md"] = specs[0]
	}
	for _, s := range specs[min(1, len(specs)):] {
		file, text, _ := strings.Cut(s, "|")
		base[file] = text
	}
	in := inputOf(head, implementation(head))
	in.Set = changetest.Set(base, base, head)
	return in
}

// TestTheLedgerDecides: what an answer says of the requirements.
func TestTheLedgerDecides(t *testing.T) {
	whole := []string{"1 met src/login.py 2", "2 met src/login.py 1"}
	for _, c := range []struct {
		name     string
		answers  []string
		decision workflow.Decision
		statuses string
		calls    int
		warning  string
	}{
		{"all met", []string{stance("APPROVED", whole...)}, workflow.Approved, "met, met", 1, ""},
		{
			"not met beside an approval",
			[]string{stance("APPROVED", whole[0], "2 not met - null")},
			workflow.NeedsChanges, "met, not met", 1,
			"approved beside 1 requirement not met",
		},
		{
			"one omitted, then mended",
			[]string{stance("APPROVED", whole[0]), stance("APPROVED", whole...)},
			workflow.Approved, "met, met", 2, "",
		},
		{
			"one omitted, twice",
			[]string{stance("APPROVED", whole[0])},
			workflow.NeedsChanges, "met, cannot tell", 2,
			"1 requirement without an entry that counts",
		},
		{
			"a line invented",
			[]string{stance("APPROVED", whole[0], "2 met src/login.py 99")},
			workflow.NeedsChanges, "met, cannot tell", 2,
			"without an entry that counts",
		},
		{
			"a file invented",
			[]string{stance("APPROVED", whole[0], "2 met src/lock.py 1")},
			workflow.NeedsChanges, "met, cannot tell", 2,
			"without an entry that counts",
		},
		{
			"met by the spec",
			[]string{stance("APPROVED", whole[0], "2 met specs/doing/login.md 6")},
			workflow.NeedsChanges,
			"met, cannot tell", 2, "without an entry that counts",
		},
		{
			"met without a place",
			[]string{stance("APPROVED", whole[0], "2 met - null")},
			workflow.NeedsChanges, "met, cannot tell", 2,
			"without an entry that counts",
		},
		{
			"said twice",
			[]string{stance("APPROVED", whole[0], whole[1], "2 not met - null")},
			workflow.NeedsChanges, "met, not met", 2,
			"1 requirement not met",
		},
		{
			"made up beside the others",
			[]string{stance("APPROVED", whole[0], whole[1], "99 met src/login.py 1")},
			workflow.NeedsChanges, "met, met", 2,
			"Requirement \"99\" is none of the ids",
		},
		{
			"cannot tell",
			[]string{stance("APPROVED", whole[0], "2 cannot tell - null")},
			workflow.Approved, "met, cannot tell", 1,
			"whether 1 requirement is met",
		},
		{
			"not met at an invented place",
			[]string{stance("NEEDS-CHANGES", whole[0], "2 not met src/lock.py 1")},
			workflow.NeedsChanges,
			"met, not met", 1, "",
		},
		{
			"no list",
			[]string{`{"requirements":1}`, "**Decision:** APPROVED"},
			workflow.NeedsChanges,
			"cannot tell, cannot tell", 2, "approves and grades no criterion",
		},
		{
			"prose",
			[]string{"**Decision:** APPROVED"},
			workflow.NeedsChanges, "cannot tell, cannot tell", 2,
			"approves and grades no criterion",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			model := &scripted{scripts: map[string][]turn{}}
			for _, a := range c.answers {
				model.scripts[""] = append(model.scripts[""], turn{text: a})
			}
			got := one(t, plan(t, codexOptions(), loginInput()), model, newClock())
			var statuses []string
			for _, r := range got.Requirements {
				statuses = append(statuses, string(r.Status))
			}
			if d := strings.Join(statuses, ", "); got.Decision != c.decision || d != c.statuses || len(model.asked) != c.calls {
				t.Errorf("%v, %s after %d calls; warnings %q", got.Decision, d, len(model.asked), got.Warnings)
			}
			if c.warning != "" && !strings.Contains(strings.Join(got.Warnings, "\n"), c.warning) {
				t.Errorf("warnings %q lack %q", got.Warnings, c.warning)
			}
		})
	}
}

func TestWhatIsNotMetIsAnIssueAndFirst(t *testing.T) {
	text := strings.Replace(stance("NEEDS-CHANGES", "1 met src/login.py 1", "2 not met src/login.py 2"), `"issues":[]`,
		`"issues":[`+issueJSON("High", "Slow")+`]`, 1)
	got := one(t, plan(t, codexOptions(), loginInput()), always(text), newClock())
	if len(got.Issues) != 2 || got.Issues[0].Category != "compliance" ||
		!strings.HasPrefix(got.Issues[0].Title, "Requirement 2 is not met: Five failures") || got.Issues[0].Line != 2 {
		t.Errorf("issues %+v", got.Issues)
	}
}

// TestTheBasesCriteriaCount: a pull request cannot do away with what it is held
// against.
func TestTheBasesCriteriaCount(t *testing.T) {
	weak := strings.Replace(loginSpec, "2. Five failures lock the account.\n", "", 1)
	softer := strings.Replace(loginSpec, "is refused", "may be refused", 1)
	for _, c := range []struct {
		name  string
		specs []string
		want  string
	}{
		{"unchanged", []string{loginSpec, "specs/doing/login.md|" + loginSpec}, "1  2 "},
		{"moved", []string{loginSpec, "specs/todo/login.md|" + loginSpec}, "1  2 "},
		{"new", []string{weak}, "1 "},
		{"removed", []string{weak, "specs/doing/login.md|" + loginSpec}, "1  2 removed by this pull request"},
		{"removed and moved", []string{weak, "specs/todo/login.md|" + loginSpec}, "1  2 removed by this pull request"},
		{
			"weakened",
			[]string{softer, "specs/doing/login.md|" + loginSpec},
			"1 weakened by this pull request (\"may\" was added) to: A wrong password may be refused. 2 ",
		},
		{"restricted", []string{
			strings.Replace(loginSpec, "is refused", "is refused in all browsers", 1),
			"specs/doing/login.md|" + loginSpec,
		}, "1 changed by this pull request to: A wrong password is refused in all browsers. 2 "},
		{"in other clothes", []string{strings.Replace(loginSpec, "A wrong password is refused.", "[A wrong **password**](p.md) is refused",
			1), "specs/doing/login.md|" + loginSpec}, "1  2 "},
		{"never approved", []string{weak, "specs/proposed/login.md|" + loginSpec}, "1 "},
		{"plan", []string{weak, `.workflow/.team-plan/login/plan.json|{}`}, "1 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := plan(t, codexOptions(), loginInput(c.specs...))[0]
			var got []string
			for _, r := range j.result.Requirements {
				got = append(got, r.ID+" "+r.Changed)
			}
			if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
			if strings.Contains(c.want, "this pull request") && (!strings.Contains(j.Request.Prompt, "The base demands this") ||
				!strings.Contains(strings.Join(j.result.Warnings, "\n"), "the base's count")) {
				t.Errorf("warnings %q, prompt\n%s", j.result.Warnings, j.Request.Prompt)
			}
		})
	}
}

// TestAnApprovedSpecCounts: what the head demands counts once its spec is approved.
func TestAnApprovedSpecCounts(t *testing.T) {
	softer := strings.Replace(loginSpec, "is refused", "may be refused", 1)
	in := loginInput(softer, "specs/doing/login.md|"+loginSpec)
	spec := workflow.Artifact{
		Type: workflow.Spec, Feature: "login", SpecPath: "specs/doing/login.md",
		Files: []workflow.File{{Path: "specs/doing/login.md", Blob: changetest.Blob(softer)}},
	}
	in.Artifacts = append(in.Artifacts, spec)
	jobs := plan(t, codexOptions(), in)
	if got := jobs[1].result.Requirements[0].Text; got != "A wrong password is refused." {
		t.Errorf("before the approval: %s", got)
	}
	approved := Run(t.Context(), jobs[:1], always(answer("APPROVED")), runOptions(newClock()))[0]
	in.Records = []record.Record{recordOf(t, approved)}
	if got := plan(t, codexOptions(), in)[1].result.Requirements[0].Text; got != "A wrong password may be refused." {
		t.Errorf("after the approval: %s", got)
	}
}

func TestTheLedgerOfAPlan(t *testing.T) {
	in := loginInput()
	head := sample()
	head["specs/doing/login.md"] = loginSpec
	head[".workflow/.team-plan/login/plan.json"] = `{"tasks":[{"id":"T7","title":"Lock","acceptance":["tells when it ends"]}]}`
	in.Set = setOf(nil, head)
	j := plan(t, codexOptions(), in)[0]
	if got := j.result.Requirements; len(got) != 3 || got[2].ID != "T7.1" || got[2].Spec != ".workflow/.team-plan/login/plan.json:1" {
		t.Errorf("%+v", got)
	}
}

// TestTheLedgerWithoutAModel: ids and names tell which tests are of what.
func TestTheLedgerWithoutAModel(t *testing.T) {
	o := codexOptions()
	o.Engine, o.EngineName = EngineRules, EngineRules
	in := loginInput("# Login\n\n## Acceptance criteria\n\n1. A wrong password is refused.\n2. `login(name, password)` locks.\n")
	got := one(t, plan(t, o, in), nil, newClock()).Requirements
	if len(got) != 2 || got[0].Status != "" || got[0].Tests[0] != "tests/test_login.py:1" ||
		got[1].Code[0] != "src/login.py:1" {
		t.Errorf("%+v", got)
	}
}

// TestFindingsOfChecksMustBeAnswered: an approval that leaves one open is none.
func TestFindingsOfChecksMustBeAnswered(t *testing.T) {
	head := sample()
	head["specs/proposed/new.md"] = "# New\n\nIt is small.\n"
	in := inputOf(head, specOf(head))
	ids := enumerated(plan(t, codexOptions(), in)[0].Request.Schema, "questions")
	if len(ids) != 1 { // no criteria
		t.Fatalf("questions %q", ids)
	}
	entries := func(answers ...string) string {
		var list []string
		for i, a := range answers {
			list = append(list, fmt.Sprintf(`{"id":%q,"answer":%q,"reason":"It is so."}`, ids[i], a))
		}
		return strings.Replace(answer("APPROVED"), "{", `{"questions":[`+strings.Join(list, ",")+`],`, 1)
	}
	for name, c := range map[string]struct {
		text     string
		decision workflow.Decision
		calls    int
		says     string
	}{
		"refuted":   {entries("refuted"), workflow.Approved, 1, ""},
		"confirmed": {entries("confirmed"), workflow.NeedsChanges, 1, "1 question answered with confirmed"},
		"none":      {entries(), workflow.NeedsChanges, 2, "1 unanswered question"},
	} {
		t.Run(name, func(t *testing.T) {
			model := always(c.text)
			got := one(t, plan(t, codexOptions(), in), model, newClock())
			if got.Decision != c.decision || len(model.asked) != c.calls || !strings.Contains(strings.Join(got.Warnings, "\n"), c.says) {
				t.Errorf("%v after %d calls, warnings %q", got.Decision, len(model.asked), got.Warnings)
			}
			if confirmed := len(got.Issues) == 1 &&
				got.Issues[0].Kind == "spec/no-acceptance-criteria"; confirmed != (name == "confirmed") {
				t.Errorf("issues %+v", got.Issues)
			}
		})
	}
}

//go:build !race

package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// TestEveryTypeIsGraded: for each type the instructions list the headings of its criteria by id, and the schema of
// the answer enumerates these ids and no others.
func TestEveryTypeIsGraded(t *testing.T) {
	base := changetest.Tree("base", nil)
	for _, typ := range workflow.Types() {
		text, wanted, _, err := prompt.Instructions(base, typ, prompt.Files{})
		if err != nil {
			t.Fatal(err)
		}
		if len(wanted) < 5 || len(wanted) != strings.Count(text, "\nFAIL: ") {
			t.Errorf("%s: %d criteria: %v", typ, len(wanted), wanted)
		}
		for _, c := range wanted {
			if !strings.Contains(text, "\n## "+c.Name+"\n") || !strings.Contains(text, fmt.Sprintf("\n- `%s`: %s\n", c.ID, c.Name)) {
				t.Errorf("%s: the instructions lack %v", typ, c)
			}
		}
		if diff := cmp.Diff(wanted.IDs(), enumerated(answers.Asked{Rubric: wanted}.Schema(), "criteria")); diff != "" {
			t.Errorf("%s: ids in the schema (-want +got):\n%s", typ, diff)
		}
	}
}

// TestOwnCriteriaAreGraded: a project's own criteria have ids of their own.
func TestOwnCriteriaAreGraded(t *testing.T) {
	for doc, want := range map[string][]string{
		"# S\n\n## Clear goal\n\n## Testable, by anyone\n": {"clear-goal", "testable-by-anyone"},
		"# S\n\n## Größe\n\n## 明確さ\n":                      {"größe", "明確さ"},
		"# S\n\n## A\n\n## a\n\n## **A**\n":                {"a", "a-2", "a-3"},
		"# S\n\n## ?\n\n## !\n":                            {"criterion", "criterion-2"},
		"Only prose.\n":                                    {"criteria"},
	} {
		base := changetest.Tree("base", map[string]string{"Workflow/schema-spec.md": doc})
		_, wanted, _, err := prompt.Instructions(base, workflow.Spec, prompt.Files{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, wanted.IDs()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", doc, diff)
		}
	}
}

// TestNoApprovalWithoutGrades: an approval counts only if it grades each criterion, each once and by its id; what a
// repair does not mend counts as FAIL.
func TestNoApprovalWithoutGrades(t *testing.T) {
	approved := func(criteria string) string {
		return strings.Replace(answer("APPROVED"), `"criteria":null`, `"criteria":`+criteria, 1)
	}
	rejected := strings.Replace(approved(passing(specIDs...)), "APPROVED", "NEEDS-CHANGES", 1)
	all := passing(specIDs...)
	with := func(id string) string {
		return strings.TrimSuffix(all, "]") + "," + strings.TrimPrefix(passing(id), "[")
	}
	without := passing(specIDs[1:]...)
	renamed := func(to string) string { return strings.Replace(all, `"testability"`, `"`+to+`"`, 1) }
	graded := func(result string) string { return strings.Replace(all, `"PASS"`, `"`+result+`"`, 1) }
	blank := func(text string) string {
		return strings.Replace(all, `"finding":"clear","evidence":"line 1"`, `"finding":"`+text+`","evidence":"`+text+`"`, 1)
	}
	tests := passing("spec-coverage", "assertion-strength", "edge-cases", "correct-expectations", "isolation", "red-first", "readability")
	for name, c := range map[string]struct {
		answers []string
		want    workflow.Decision
		calls   int
		fails   int
		warning string
	}{
		"all":                      {[]string{approved(all)}, workflow.Approved, 1, 0, ""},
		"a concern":                {[]string{approved(graded("CONCERN"))}, workflow.Approved, 1, 0, ""},
		"none, then all":           {[]string{approved("[]"), approved(all)}, workflow.Approved, 2, 0, ""},
		"none":                     {[]string{approved("[]")}, workflow.NeedsChanges, 2, 6, "6 failed criteria"},
		"one missing":              {[]string{approved(without)}, workflow.NeedsChanges, 2, 1, "1 failed criterion"},
		"one failed":               {[]string{approved(graded("FAIL"))}, workflow.NeedsChanges, 1, 1, "1 failed criterion"},
		"one made up":              {[]string{approved(with("beauty"))}, workflow.NeedsChanges, 2, 1, "1 failed criterion"},
		"one made up, then mended": {[]string{approved(with("beauty")), approved(all)}, workflow.Approved, 2, 0, ""},
		"one alone, made up":       {[]string{approved(passing("quality"))}, workflow.NeedsChanges, 2, 7, "7 failed criteria"},
		"in other letters":         {[]string{approved(renamed("Testability"))}, workflow.NeedsChanges, 2, 2, "2 failed criteria"},
		"with a lookalike":         {[]string{approved(renamed("tеstability"))}, workflow.NeedsChanges, 2, 2, "2 failed criteria"},
		"with a space":             {[]string{approved(renamed("testability "))}, workflow.NeedsChanges, 2, 2, "2 failed criteria"},
		"by another type's":        {[]string{approved(tests)}, workflow.NeedsChanges, 2, 13, "13 failed criteria"},
		"twice, once failed": {
			[]string{approved(strings.Replace(with("testability"), "PASS", "FAIL", 1))},
			workflow.NeedsChanges, 2, 1, "",
		},
		"twice, failed after": {
			[]string{approved(strings.TrimSuffix(all, "]") + "," + graded("FAIL")[1:])},
			workflow.NeedsChanges, 2, 1, "",
		},
		"twice the same":             {[]string{approved(with("testability"))}, workflow.Approved, 2, 0, ""},
		"without a word":             {[]string{approved(blank(""))}, workflow.NeedsChanges, 2, 1, "1 failed criterion"},
		"with blanks":                {[]string{approved(blank(` \u200b\n`))}, workflow.NeedsChanges, 2, 1, "1 failed criterion"},
		"another grade":              {[]string{approved(graded("OK"))}, workflow.NeedsChanges, 2, 6, undetermined},
		"a grade in small letters":   {[]string{approved(graded("pass"))}, workflow.NeedsChanges, 2, 6, undetermined},
		"another grade, then mended": {[]string{approved(graded("OK")), approved(all)}, workflow.Approved, 2, 0, ""},
		"grades that are null":       {[]string{approved(`[null]`)}, workflow.NeedsChanges, 2, 6, undetermined},
		"by names instead of ids": {
			[]string{approved(strings.ReplaceAll(all, `"id"`, `"name"`))},
			workflow.NeedsChanges, 2, 6, undetermined,
		},
		"broken after one missing": {[]string{approved(without), "{"}, workflow.NeedsChanges, 2, 1, "1 failed criterion"},
		"prose":                    {[]string{"**Decision:** APPROVED"}, workflow.NeedsChanges, 2, 6, "grades no criterion"},
		"prose that names them all": {
			[]string{"Testability: PASS\n\nDecision: APPROVED"}, workflow.NeedsChanges, 2, 6, "grades no criterion",
		},
		"prose with a condition":      {[]string{"Gate decision: CONDITIONAL"}, workflow.NeedsChanges, 2, 6, "grades no criterion"},
		"prose after a broken answer": {[]string{approved("[]") + "}", "[APPROVED]"}, workflow.NeedsChanges, 2, 6, "grades no criterion"},
		"prose that refuses":          {[]string{"LGTM", "Decision: NEEDS-CHANGES"}, workflow.NeedsChanges, 2, 6, "was read from its text"},
		"a code word as a decision": {
			[]string{strings.Replace(approved(all), "APPROVED", "CONDITIONAL", 1)},
			workflow.NeedsChanges, 2, 6, undetermined,
		},
		"refused, approved in the repair": {
			[]string{strings.Replace(approved(without), "APPROVED", "NEEDS-CHANGES", 1), approved(all)}, workflow.NeedsChanges, 2, 1, "",
		},
		"refused of another form, approved in the repair": {
			[]string{`{"decision":"NEEDS-CHANGES"}`, approved(all)}, workflow.NeedsChanges, 2, 6, undetermined,
		},
		"refused in prose, approved in the repair": {
			[]string{"**Decision:** NEEDS-CHANGES", approved(all)}, workflow.NeedsChanges, 2, 6, "was read from its text",
		},
		"failed and refused in prose, approved in the repair": {
			[]string{"Status: ERROR\nDecision: NEEDS-CHANGES", approved(all)}, workflow.NeedsChanges, 2, 6, "was read from its text",
		},
		"refused with all that is asked": {[]string{rejected}, workflow.NeedsChanges, 1, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			model := &scripted{scripts: map[string][]turn{}}
			for _, a := range c.answers {
				model.scripts[""] = append(model.scripts[""], turn{text: a})
			}
			got := one(t, plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), model, newClock())
			fails := count(got.Criteria, func(c workflow.Criterion) bool { return c.Grade == workflow.Fail })
			if got.Decision != c.want || len(model.asked) != c.calls || fails != c.fails {
				t.Errorf("%v after %d calls with %d of %d criteria failed", got.Decision, len(model.asked), fails, len(got.Criteria))
			}
			if !strings.Contains(strings.Join(got.Warnings, "\n"), c.warning) {
				t.Errorf("warnings %q lack %q", got.Warnings, c.warning)
			}
		})
	}
}

// TestRepairNamesTheGaps: the repair says which entries are missing, doubled and made up.
func TestRepairNamesTheGaps(t *testing.T) {
	ids := slices.Concat(specIDs[2:], []string{"clarity", "beauty"})
	broken := strings.Replace(answer("APPROVED"), `"criteria":null`, `"criteria":`+passing(ids...), 1)
	model := &scripted{scripts: map[string][]turn{"": {{text: broken}, {text: answer("APPROVED")}}}}
	if got := one(t, plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), model, newClock()); got.Decision != workflow.Approved {
		t.Errorf("decision %v, warnings %q", got.Decision, got.Warnings)
	}
	for _, want := range []string{
		"testability has no entry", "completeness has no entry", "clarity has 2 entries", `\"beauty\" is none of the ids`,
	} {
		if !strings.Contains(model.asked[1].Prompt, strings.ReplaceAll(want, `\`, "")) {
			t.Errorf("the repair lacks %q", want)
		}
	}
}

// TestCriteriaThatAreLeftOutAreTold: nobody takes what is not graded for held.
func TestCriteriaThatAreLeftOutAreTold(t *testing.T) {
	var doc strings.Builder
	for n := range prompt.MaxCriteria + 2 {
		fmt.Fprintf(&doc, "## Criterion %c%d\n\n", 'A'+n%26, n)
	}
	base := changetest.Tree("base", map[string]string{"Workflow/schema-spec.md": doc.String()})
	_, wanted, warnings, err := prompt.Instructions(base, workflow.Spec, prompt.Files{})
	if err != nil || len(wanted) != prompt.MaxCriteria || !strings.Contains(fmt.Sprint(warnings), "the last 2 are not graded") {
		t.Errorf("%v, %d criteria, warnings %q", err, len(wanted), warnings)
	}
}

//go:build !race

package review

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/workflow"
)

// asked is an input whose artifact has two questions of test integrity.
func withQuestions() Input {
	in := inputOf(sample(), specOf(sample()))
	in.Integrity = map[string]*workflow.Integrity{specOf(sample()).Name(): {Verdict: "clean", Questions: []workflow.Finding{
		{Key: "aaaa1111", Kind: "echo", File: "src/a.py", Line: 3, Text: "Does it repeat?", Evidence: "- t.py:1: x\n+ src/a.py:3: x"},
		{Key: "bbbb2222", Kind: "deaf", File: "src/a.py", Line: 9, Text: "Is it ignored?"},
	}}}
	return in
}

// answering is an answer with entries for questions: "id answer reason".
func answering(decision string, entries ...string) string {
	list := []string{}
	for _, e := range entries {
		parts := strings.SplitN(e, " ", 3)
		list = append(list, fmt.Sprintf(`{"id":%q,"answer":%q,"reason":%q}`, parts[0], parts[1], strings.Join(parts[2:], "")))
	}
	return strings.TrimSuffix(answer(decision), "}") + `,"questions":[` + strings.Join(list, ",") + "]}"
}

func TestQuestionsDecide(t *testing.T) {
	both := answering("APPROVED", "aaaa1111 honest computed", "bbbb2222 honest used in line 12")
	one1 := answering("APPROVED", "aaaa1111 honest computed")
	for _, c := range []struct {
		name     string
		turns    []turn
		decision workflow.Decision
		calls    int
		answers  []string
		warning  string
	}{
		{"all honest", []turn{{text: both}}, workflow.Approved, 1, []string{"honest", "honest"}, ""},
		{"one is left out, twice", []turn{{text: one1}}, workflow.NeedsChanges, 2, []string{"honest", ""}, "1 unanswered question"},
		{"one is left out, then mended", []turn{{text: one1}, {text: both}}, workflow.Approved, 2, []string{"honest", "honest"}, ""},
		{
			"one is left out, then nothing of use",
			[]turn{{text: one1}, {text: "APPROVED"}},
			workflow.NeedsChanges, 2,
			[]string{"honest", ""},
			"1 unanswered question",
		},
		{
			"cheat",
			[]turn{{text: answering("APPROVED", "aaaa1111 cheat a table", "bbbb2222 honest used")}},
			workflow.NeedsChanges, 1,
			[]string{"cheat", "honest"},
			"cheat",
		},
		{"both answers for one", []turn{{text: answering("APPROVED", "aaaa1111 cheat a table", "aaaa1111 honest no",
			"bbbb2222 honest used")}}, workflow.NeedsChanges, 2, []string{"cheat", "honest"}, "cheat"},
		{
			"honest without a reason",
			[]turn{{text: answering("APPROVED", "aaaa1111 honest  ", "bbbb2222 honest used")}},
			workflow.NeedsChanges, 2,
			[]string{"", "honest"},
			"1 unanswered question",
		},
		{"no list at all", []turn{{text: answer("APPROVED")}}, workflow.NeedsChanges, 2, []string{"", ""}, undetermined},
		{
			"an unknown id",
			[]turn{{text: answering("APPROVED", "cccc3333 honest x")}},
			workflow.NeedsChanges, 2,
			[]string{"", ""},
			"2 unanswered questions",
		},
		{
			"prose",
			[]turn{{text: "**Decision:** APPROVED"}},
			workflow.NeedsChanges, 2,
			[]string{"", ""},
			"approves and grades no criterion",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			model := &scripted{scripts: map[string][]turn{"": c.turns}}
			got := one(t, plan(t, codexOptions(), withQuestions()), model, newClock())
			var answers []string
			for _, q := range got.Integrity.Questions {
				answers = append(answers, string(q.Answer))
			}
			if got.Decision != c.decision || len(model.asked) != c.calls {
				t.Errorf("%v after %d calls, want %v after %d; warnings %q", got.Decision, len(model.asked),
					c.decision, c.calls, got.Warnings)
			}
			if d := cmp.Diff(c.answers, answers); d != "" {
				t.Errorf("answers (-want +got):\n%s", d)
			}
			if c.warning != "" && (len(got.Warnings) == 0 || !strings.Contains(got.Warnings[0], c.warning)) {
				t.Errorf("warnings %q, want %q first", got.Warnings, c.warning)
			}
		})
	}
}

// TestQuestionsAreInTheRequest: the prompt shows each question, and the schema
// names its id.
func TestQuestionsAreInTheRequest(t *testing.T) {
	jobs := plan(t, codexOptions(), withQuestions())
	req := jobs[0].Request
	for _, want := range []string{"aaaa1111 (echo) at src/a.py:3", "Does it repeat?", "- t.py:1: x", "+ src/a.py:3: x", "bbbb2222 (deaf)"} {
		if !strings.Contains(req.Prompt, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	var schema struct {
		Required   []string `json:"required"`
		Properties struct {
			Questions struct {
				Items struct {
					Properties struct {
						ID struct {
							Enum []string `json:"enum"`
						} `json:"id"`
					} `json:"properties"`
				} `json:"items"`
			} `json:"questions"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(req.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"aaaa1111", "bbbb2222"}, schema.Properties.Questions.Items.Properties.ID.Enum); d != "" {
		t.Errorf("ids (-want +got):\n%s", d)
	}
	if !strings.Contains(strings.Join(schema.Required, " "), "questions") {
		t.Errorf("required: %q", schema.Required)
	}
	plain := plan(t, codexOptions(), inputOf(sample(), specOf(sample())))[0]
	if plain.result.ContextDigest == jobs[0].result.ContextDigest {
		t.Error("questions are no part of the context's digest")
	}
}

// TestQuestionsWithoutAModel: with the rules engine they are one Medium finding
// that does not block.
func TestQuestionsWithoutAModel(t *testing.T) {
	opts := codexOptions()
	opts.Engine, opts.EngineName = EngineRules, EngineRules
	without := one(t, plan(t, opts, inputOf(sample(), specOf(sample()))), nil, newClock())
	with := one(t, plan(t, opts, withQuestions()), nil, newClock())
	if with.Decision != without.Decision {
		t.Errorf("decision %v, without questions %v", with.Decision, without.Decision)
	}
	found := 0
	for _, i := range with.Issues {
		if strings.HasPrefix(i.Kind, "integrity/") {
			found++
			if i.Level != workflow.Warn || !strings.Contains(i.Title, "1 other question") ||
				!strings.Contains(i.Text, "deaf: src/a.py:9") {
				t.Errorf("issue %+v", i)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d findings of questions, want 1", found)
	}
}

// TestQuestionsAreToldOnce: reviews of one change that share questions tell them in one.
func TestQuestionsAreToldOnce(t *testing.T) {
	opts := codexOptions()
	opts.Engine, opts.EngineName = EngineRules, EngineRules
	in := withQuestions()
	other := artifact(sample(), workflow.Implementation, "other", "src/a.py")
	in.Artifacts = append(in.Artifacts, other)
	in.Integrity[other.Name()] = in.Integrity[specOf(sample()).Name()]
	told := 0
	for _, r := range Run(t.Context(), plan(t, opts, in), nil, runOptions(newClock())) {
		told += count(r.Issues, func(i workflow.Finding) bool { return strings.HasPrefix(i.Kind, "integrity/") })
		if r.Integrity == nil || len(r.Integrity.Questions) != 2 {
			t.Errorf("%s: %+v, want both questions listed", r.Artifact.Name(), r.Integrity)
		}
	}
	if told != 1 {
		t.Errorf("%d findings, want 1", told)
	}
}

// TestEachHighFindingOfChecksIsAsked, however many refutable ones stand before it.
func TestEachHighFindingOfChecksIsAsked(t *testing.T) {
	var found []workflow.Finding
	for n := range 50 {
		found = append(found, workflow.Finding{
			Level: workflow.Block, Kind: "code/debug-left", File: "src/login.py", Line: n + 1, Subject: fmt.Sprint("print", n),
		})
	}
	r := workflow.Result{Checks: []workflow.Check{
		{ID: "code/debug-left", Outcome: workflow.Failed, Issues: found},
	}}
	r.Questions = checkQuestions(r)
	if len(r.Questions) != len(found) || len(unsettled(r)) != 1 {
		t.Errorf("%d of %d findings are asked, unsettled %q", len(r.Questions), len(found), unsettled(r))
	}
}

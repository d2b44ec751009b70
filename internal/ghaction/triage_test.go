package ghaction

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

func TestSortEvent(t *testing.T) {
	pull := func(action string, edit ...func(*change.Event)) change.Event {
		ev := change.Event{Name: "pull_request", Action: action, Number: 7, Sender: "ada"}
		for _, e := range edit {
			e(&ev)
		}
		return ev
	}
	draft := func(ev *change.Event) { ev.Draft = true }
	label := func(name string) func(*change.Event) { return func(ev *change.Event) { ev.Label = name } }
	comment := func(body string) change.Event {
		return change.Event{Name: "issue_comment", Action: "created", OnPull: true, CommentBody: body, Sender: "ada"}
	}
	rebase := func(ev *change.Event) { ev.Rebase = true }
	check := func(action, name string, number int) change.Event {
		return change.Event{Name: "check_run", Action: action, Number: number, Check: change.CheckRun{ID: 1, Name: name}, Sender: "ada"}
	}
	again := func(types ...workflow.Type) triage {
		return triage{fresh: true, needPR: true, ownCheck: true, writer: "ada", types: types}
	}
	review := triage{}
	skip := triage{skip: "…"}
	for name, c := range map[string]struct {
		ev   change.Event
		want triage
	}{
		"opened":              {pull("opened"), review},
		"synchronize":         {pull("synchronize"), review},
		"reopened":            {pull("reopened"), review},
		"ready for review":    {pull("ready_for_review"), review},
		"draft":               {pull("opened", draft), skip},
		"draft pushed to":     {pull("synchronize", draft), skip},
		"closed":              {pull("closed"), skip},
		"another base":        {pull("edited", rebase), review},
		"another base, draft": {pull("edited", rebase, draft), skip},
		"another title":       {pull("edited"), triage{recorded: true}},
		"gate again":          {check("rerequested", "workflow-reviewer", 7), again()},
		"check again":         {check("rerequested", "workflow-reviewer / bug-fix: x: y", 7), again(workflow.BugFix)},
		"check completed":     {check("completed", "workflow-reviewer", 7), skip},
		"a fork's check":      {check("rerequested", "workflow-reviewer", 0), skip},
		"another check":       {check("rerequested", "build", 7), skip},
		"check of no type":    {check("rerequested", "workflow-reviewer / lint: x", 7), skip},
		"a job's check":       {check("rerequested", "workflow-reviewer-job", 7), skip},
		"own label":           {pull("labeled", label("re-review")), triage{fresh: true, label: "re-review"}},
		"own label on draft":  {pull("labeled", label("re-review"), draft), triage{fresh: true, label: "re-review"}},
		"tests label": {
			pull("labeled", label("re-review:tests")),
			triage{fresh: true, types: []workflow.Type{workflow.Tests}, writer: "ada", baseline: true, label: "re-review:tests"},
		},
		"other label": {pull("labeled", label("bug")), triage{recorded: true}},
		"command":     {comment("/review"), triage{fresh: true, needPR: true, writer: "ada"}},
		"command with types": {
			comment("/review spec, tests\nplease"),
			triage{fresh: true, needPR: true, writer: "ada", types: []workflow.Type{workflow.Spec, workflow.Tests}},
		},
		"command in a plural": {
			comment("/review specs"),
			triage{fresh: true, needPR: true, writer: "ada", types: []workflow.Type{workflow.Spec}},
		},
		"command later on":    {comment("please\n/review"), triage{fresh: true, needPR: true, writer: "ada"}},
		"command indented":    {comment("please\n  /review"), skip},
		"command's neighbour": {comment("/reviewer"), skip},
		"empty comment":       {comment(""), skip},
		"edited comment":      {change.Event{Name: "issue_comment", Action: "edited", OnPull: true, CommentBody: "/review"}, skip},
		"comment on an issue": {change.Event{Name: "issue_comment", Action: "created", CommentBody: "/review"}, skip},
		"merge group":         {change.Event{Name: "merge_group", Action: "checks_requested"}, review},
		"destroyed group":     {change.Event{Name: "merge_group", Action: "destroyed"}, skip},
		"dispatch": {
			change.Event{Name: "workflow_dispatch", Types: []string{"spec"}},
			triage{types: []workflow.Type{workflow.Spec}},
		},
		"push":          {change.Event{Name: "push", Head: change.Ref{SHA: "1"}}, review},
		"deleting push": {change.Event{Name: "push"}, skip},
		"another event": {change.Event{Name: "release", Action: "published"}, skip},
	} {
		t.Run(name, func(t *testing.T) {
			got := sorted(c.ev, "")
			if got.skip != "" {
				got.skip = "…"
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(triage{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestSortEventNamesUnknownTypes(t *testing.T) {
	for _, ev := range []change.Event{
		{Name: "issue_comment", Action: "created", OnPull: true, CommentBody: "/review speck"},
		{Name: "workflow_dispatch", Types: []string{"speck"}},
	} {
		got := sorted(ev, "")
		if got.err == nil || !strings.Contains(got.err.Error(), `"speck" is not one of vision, scope`) {
			t.Errorf("%s: error %v", ev.Name, got.err)
		}
	}
}

// sorted is what an event asks for, where commands stand behind a word.
func sorted(ev change.Event, as workflow.Commands) triage {
	asked := sortEvent(ev, "re-review")
	if asked.comment {
		return sortCommands(ev, as)
	}
	return asked
}

// TestCommandsBehindAWord: where the config names a word, commands of other tools are none of ours.
func TestCommandsBehindAWord(t *testing.T) {
	for body, want := range map[string]triage{
		"/wr review":        {fresh: true, needPR: true, writer: "ada"},
		"/WR  Review\tspec": {fresh: true, needPR: true, writer: "ada", types: []workflow.Type{workflow.Spec}},
		"/review":           {skip: "no line of the comment begins with /wr review, /wr override, /wr dismiss or /wr test-bug"},
		"/wr":               {skip: "no line of the comment begins with /wr review, /wr override, /wr dismiss or /wr test-bug"},
		"/wr improve":       {skip: "no line of the comment begins with /wr review, /wr override, /wr dismiss or /wr test-bug"},
		"wr review":         {skip: "no line of the comment begins with a command such as /review"},
		"/override spec:login it is a mistake": {
			skip: "no line of the comment begins with /wr review, /wr override, /wr dismiss or /wr test-bug",
		},
		"/wr override spec:login it is a mistake": {needPR: true, writer: "ada", commands: []command{{
			name: "override", said: "/wr override", target: "spec: login", reason: "it is a mistake",
		}}},
		"/wr dismiss 0a": {needPR: true, writer: "ada", commands: []command{{
			name: "dismiss", said: "/wr dismiss", target: "0a",
			refusal: "it names no finding: an id is eight characters, 0 to 9 and a to f, as reviews show it",
		}}},
		"/wr test-bug": {needPR: true, writer: "ada", testBugs: []testBug{{command: command{
			said: "/wr test-bug", refusal: "it names no test: write `/wr test-bug PATH[:LINE] question`",
		}}}},
	} {
		ev := change.Event{Name: "issue_comment", Action: "created", OnPull: true, CommentBody: body, Sender: "ada"}
		if d := cmp.Diff(want, sorted(ev, "/wr"), cmp.AllowUnexported(triage{}, command{}, testBug{})); d != "" {
			t.Errorf("%q (-want +got)\n%s", body, d)
		}
	}
}

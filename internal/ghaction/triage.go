package ghaction

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// triage is what an event asks for, before anything of the repository is read.
type triage struct {
	skip string // why nothing is to be done; "" = review
	// recorded: end with the verdict already recorded for this head; only without one, review (or
	// skip, for a draft).
	recorded bool
	fresh    bool            // records are ignored
	again    []workflow.Type // of which types they are ignored; nil = of types
	types    []workflow.Type // asked for by a comment or label; nil = as configured
	commands []command       // by which a person decides
	testBugs []testBug       // questions about tests, to be answered in the thread
	ownCheck bool            // only if the event's check run is this App's own
	comment  bool            // its commands are yet to be read, as the config has them begin
	needPR   bool            // base and head have to be asked of the API
	writer   string          // login that must hold write permission, "" = nobody's is asked
	baseline bool            // a new test baseline is asked for
	label    string          // label to take off afterwards
	err      error           // the request itself is wrong
}

// sortEvent decides what an event asks for, from its payload alone: nothing is asked of GitHub, and
// nothing is trusted that the payload's author could write, except as a question to be checked. Of
// what it returns, writer, ownCheck and needPR are such questions for intake. Drafts are reviewed
// only on request, and a label of somebody else's never replaces a verdict.
func sortEvent(ev change.Event, reReview string) triage {
	switch ev.Name {
	case "pull_request", "pull_request_target":
		return sortPull(ev, reReview)
	case "issue_comment":
		return sortComment(ev)
	case "check_run":
		return sortCheck(ev)
	case "merge_group":
		if ev.Action != "checks_requested" && ev.Action != "" {
			return triage{skip: fmt.Sprintf("merge_group action %q asks for no review", ev.Action)}
		}
		return triage{}
	case "workflow_dispatch":
		types, err := parseTypes(`workflow_dispatch input "types"`, ev.Types)
		return triage{types: types, err: err}
	case "push":
		if ev.Head.SHA == "" {
			return triage{skip: "the push deleted a branch, or was one of a tag"}
		}
		if strings.HasPrefix(ev.Head.Branch, "gh-readonly-queue/") {
			return triage{
				skip: "the push is one of a merge queue, which the event merge_group is for",
			}
		}
		return triage{}
	default:
		return triage{skip: fmt.Sprintf("event %q is not one that is reviewed", ev.Name)}
	}
}

// whyClosed is why nothing of a closed pull request is reviewed: its branch may
// be gone, and no verdict can stop it any more.
const whyClosed = "the pull request is closed; open it again to have it reviewed"

// sortPull decides about an event of a pull request. A foreign label, and an edit that leaves the
// base alone, ask for the recorded verdict.
func sortPull(ev change.Event, reReview string) triage {
	if ev.Closed {
		return triage{skip: whyClosed}
	}
	switch ev.Action {
	case "edited":
		if !ev.Rebase {
			return triage{recorded: true}
		}
		fallthrough
	case "opened", "synchronize", "reopened", "ready_for_review":
		if ev.Draft {
			return triage{
				skip: fmt.Sprintf(
					"the pull request is a draft; mark it ready, set the label %q, or ask by a "+
						"comment",
					reReview,
				),
			}
		}
		return triage{}
	case "labeled":
		switch ev.Label {
		case reReview:
			return triage{fresh: true, label: ev.Label}
		case reReview + ":" + string(workflow.Tests), pipeline.DefaultTestsLabel:
			return triage{
				fresh: true, types: []workflow.Type{workflow.Tests}, writer: ev.Sender,
				baseline: true, label: ev.Label,
			}
		default:
			return triage{recorded: true}
		}
	default:
		return triage{skip: fmt.Sprintf("%s action %q asks for no review", ev.Name, ev.Action)}
	}
}

// sortComment sees whether a comment may hold commands. An edited one counts for nothing.
func sortComment(ev change.Event) triage {
	switch {
	case ev.Action != "created":
		return triage{skip: fmt.Sprintf("issue_comment action %q asks for no review", ev.Action)}
	case !ev.OnPull:
		return triage{skip: "the comment is on an issue, not on a pull request"}
	}
	if !holdsCommand(ev.CommentBody) {
		return triage{skip: "no line of the comment begins with a command such as /review"}
	}
	return triage{comment: true, needPR: true}
}

// sortCommands decides what a comment asks for, by the words that its commands stand behind.
func sortCommands(ev change.Event, as workflow.Commands) triage {
	decisions, questions, review := readCommands(ev.CommentBody, as)
	if len(decisions)+len(questions) == 0 && !review.asked {
		return triage{
			skip: fmt.Sprintf(
				"no line of the comment begins with %s, %s, %s or %s",
				as.Of(workflow.CommandReview),
				as.Of(
					workflow.CommandOverride,
				),
				as.Of(workflow.CommandDismiss),
				as.Of(workflow.CommandTestBug),
			),
		}
	}
	t := triage{
		fresh: review.asked, commands: decisions, testBugs: questions, needPR: true,
		writer: ev.Sender, err: review.err,
	}
	if len(decisions) == 0 {
		t.types = review.types
	} else {
		t.again = review.types // the verdicts of all others are needed, too
	}
	return t
}

// sortCheck takes a check run that somebody wants again for a "/review" of what it is about.
// Whether it is one of ours is asked later: any App may use any name.
func sortCheck(ev change.Event) triage {
	name, ours := strings.CutPrefix(ev.Check.Name, report.CheckName)
	about, single := strings.CutPrefix(name, " / ")
	typ, _, _ := strings.Cut(about, ":")
	t, known := workflow.ParseType(typ)
	switch {
	case ev.Action != "rerequested":
		return triage{skip: fmt.Sprintf("check_run action %q asks for no review", ev.Action)}
	case !ours || name != "" && !(single && known):
		return triage{skip: fmt.Sprintf("the check run %q is none of ours", ev.Check.Name)}
	case ev.Number == 0:
		return triage{
			skip: "the check run belongs to no pull request of this repository; ask by a " +
				"comment on the pull request",
		}
	}
	asked := triage{fresh: true, needPR: true, ownCheck: true, writer: ev.Sender}
	if single {
		asked.types = []workflow.Type{t}
	}
	return asked
}

// parseTypes reads the types that a request names, each once; "all" names none. What says where
// they stand, for the error.
func parseTypes(what string, words []string) ([]workflow.Type, error) {
	var types []workflow.Type
	for _, w := range words {
		w = strings.TrimSpace(w)
		if w == "" || w == "all" {
			continue
		}
		t, ok := workflow.ParseType(w)
		if !ok {
			return nil, fmt.Errorf("%s: %q is not one of %s", what, w, typeNames())
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types, nil
}

// typeNames lists the types for messages.
func typeNames() string {
	names := make([]string, 0, 8)
	for _, t := range workflow.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// inMode is the subject with what its event asks for in the mode of this process: mode gate takes
// the whole change as it is recorded.
func (s subject) inMode(asked triage) subject {
	if s.in.Mode == config.Gate {
		s.ev.Paths = nil
		asked.fresh, asked.again, asked.types = false, nil, nil
		asked.commands, asked.testBugs, asked.label = nil, nil, ""
	}
	s.asked = asked
	return s
}

// onlyDecides reports whether the event asks for decisions of a person and no
// review: no engine is needed then, and no check is touched before one is taken.
func (t triage) onlyDecides() bool { return len(t.commands) > 0 && !t.fresh }

// onlyAsks reports whether the event asks about tests and nothing else: no check
// is touched then and nothing is written but the answer.
func (t triage) onlyAsks() bool { return len(t.testBugs) > 0 && len(t.commands) == 0 && !t.fresh }

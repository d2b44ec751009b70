package ghaction

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/workflow"
)

// thread answers the comment that asked for the run, once.
type thread struct {
	client   *github.Client // nil where nobody is answered
	about    subject
	refusals []string // of commands, a line each
	answers  []string // to questions about tests, Markdown
	told     bool     // one of them is an answer and no refusal
}

// newThread is the conversation of a comment. Without a comment, or where the workflow wants none,
// it says nothing.
func newThread(client *github.Client, s subject) *thread {
	if s.ev.CommentID == 0 || !s.speaks() {
		client = nil
	}
	return &thread{client: client, about: s}
}

// reply tells whoever commented what became of it: a reaction, and a line for each command that
// was refused. recorded says that decisions were written down.
func (t *thread) reply(ctx context.Context, h *host, recorded bool) {
	commands := len(t.about.asked.commands)
	asked := commands + len(t.about.asked.testBugs)
	if t.client == nil || asked == 0 && len(t.refusals) == 0 {
		return
	}
	client, ev := t.client, t.about.ev
	t.client = nil
	reaction := "-1"
	if recorded && len(t.refusals) < commands || t.told {
		reaction = "+1"
	}
	if err := client.React(ctx, ev.CommentID, reaction); err != nil {
		h.notice(workflow.Note, "the comment got no reaction: %v", err)
	}
	lines := slices.Concat(t.refusals, t.answers)
	if len(lines) == 0 {
		return
	}
	marker := fmt.Sprintf("<!-- workflow-reviewer:answer %d -->", ev.CommentID)
	if err := client.Reply(ctx, ev.Number, marker, strings.Join(lines, "\n")); err != nil {
		h.notice(workflow.Warn, "the answer could not be posted: %v", err)
	}
}

// whyRefused is why a run ends whose commands were all refused.
func (t *thread) whyRefused() string {
	return strings.ReplaceAll(strings.Join(t.refusals, " "), "- ", "")
}

package prompt

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Intent is what the author says of the change. It may be anything.
type Intent struct {
	Title   string
	Body    string
	Commits []string // subjects, the newest first, without this program's own
}

// maxListed caps the list of the pull request's files.
const maxListed = 300

// Files lists the files of the pull request, with a mark at those of an artifact. Like what the
// author says it is no part of a context's digest: a verdict on the same artifact does not change
// with the title, nor with every push.
func (m *Material) Files(a workflow.Artifact) string {
	own := FilePaths(a)
	var files strings.Builder
	for i, p := range m.listed {
		mark := "  "
		if slices.Contains(own, p) {
			mark = "* "
		}
		files.WriteString(mark + m.lines[i])
	}
	if more := len(m.Set.Files) - len(m.listed); more > 0 {
		fmt.Fprintf(&files, "… and %d more; list_files and diff show them\n", more)
	}
	return files.String()
}

// checkGroups are automated checks as the model is told of them. Those that passed and carry no
// figures are only named.
type checkGroups struct {
	Measured, Reported, Hints []workflow.Check
	Passed                    []string
}

// Any reports whether there is a check at all.
func (g checkGroups) Any() bool {
	return len(g.Measured)+len(g.Reported)+len(g.Hints)+len(g.Passed) > 0
}

// Groups are the automated checks, sorted.
func (p Parts) Groups() (g checkGroups) {
	for _, c := range p.Known.Checks {
		switch {
		case c.Outcome == workflow.Passed && !c.Gate && len(c.Issues) == 0:
			g.Passed = append(g.Passed, markdown.Line(c.ID, 100))
		case tools.Is(c.ID):
			g.Reported = append(g.Reported, c)
		case c.Gate || c.Outcome == workflow.NotLooked:
			g.Measured = append(g.Measured, c)
		default:
			g.Hints = append(g.Hints, c)
		}
	}
	return g
}

// Each is the room for the text of one requirement, in bytes.
func (p Parts) Each() int {
	return max(200, min(1_000, maxRequirements/max(len(p.Known.Requirements), 1)))
}

// Unverified warns of a review whose tests nobody is known to have approved.
func Unverified(i *workflow.Integrity) []string {
	if i == nil || i.Verdict != "unverifiable" {
		return nil
	}
	return []string{"Approved tests could not be verified: " + strings.Join(i.Compared, " ")}
}

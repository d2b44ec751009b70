package record

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Integrity renders what became of approved tests, as Markdown: what was compared with what, and
// what was found. "" where approved tests do not matter. Evidence is shown as a diff in a fence
// that nothing in it can close.
func Integrity(r workflow.Result) string {
	if r.Integrity == nil {
		return Violations(r.Violations)
	}
	i := r.Integrity
	var parts []string
	add := func(lead, text string) {
		if text != "" {
			parts = append(parts, strings.TrimPrefix(lead+"\n\n"+text, "\n\n"))
		}
	}
	parts = append(parts, "**"+verdictWords(i.Verdict)+"** "+sentences(i.Compared))
	add("", proof(i.Proof))
	add("", Violations(r.Violations))
	add("Not decided here, for the reviewer to examine:", findings(i.Findings))
	add("Excused by the base:", Violations(i.Excused))
	add("Differs and is harmless:", list(i.Harmless))
	add("Not analysed, so that any difference counts:", list(i.NotAnalysed))
	if i.Approval != "" {
		parts = append(parts, "Approval record: blob "+markdown.Code(i.Approval))
	}
	add("It approves:", list(i.Approves))
	add("Of these, taken over from the base without a review:", list(i.TakenOver))
	add("", markdown.Inline(i.NotRecorded))
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}

// verdictWords is a verdict as a sentence.
func verdictWords(verdict string) string {
	switch verdict {
	case "clean":
		return "No violation."
	case "breach":
		return "Breach."
	case "failing":
		return "The code fails approved tests."
	case "workaround":
		return "Workaround in the implementation."
	case "no-baseline":
		return "No approved tests to compare with."
	case "unverifiable":
		return "Cannot verify."
	default:
		return markdown.Inline(verdict)
	}
}

// proof tells the outcome of running the approved tests, "" without evidence.
func proof(p *workflow.Proof) string {
	if p == nil {
		return ""
	}
	var lines []string
	for _, f := range p.Failures {
		line := f.Name
		if f.File != "" && !strings.Contains(f.Name, f.File) {
			line += " (" + f.File + ")"
		}
		if f.Before {
			line += ", without the change as well"
		}
		lines = append(lines, line)
	}
	text := markdown.Inline(p.String())
	for _, part := range []string{list(p.Why), list(lines)} {
		if part != "" {
			text += "\n\n" + part
		}
	}
	return text
}

// sentences joins texts into one paragraph.
func sentences(texts []string) string {
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		out = append(out, markdown.Inline(t))
	}
	return strings.Join(out, " ")
}

// findings tells violations that somebody allowed, each with why it does not decide.
func findings(fs []workflow.Finding) string {
	var parts []string
	for _, f := range fs {
		parts = append(parts, violation(f)+"\n\nIt does not decide: "+markdown.Inline(f.Reason)+".")
	}
	return strings.Join(parts, "\n\n")
}

// Questions renders the questions of test integrity with their answers, as Markdown; "" for
// none.
func Questions(qs []workflow.Finding) string {
	var parts []string
	for _, q := range qs {
		answer := "**No answer.**"
		if q.Answer != "" {
			answer = fmt.Sprintf(
				"**%s:** %s",
				markdown.Inline(string(q.Answer)), markdown.Inline(q.Reason),
			)
		}
		p := fmt.Sprintf(
			"**%s** · %s · %s\n\n%s", markdown.Code(q.Key),
			markdown.Inline(strings.ReplaceAll(q.Kind, "_", " ")),
			markdown.Code(Location(q.File, q.Line)), markdown.Block(q.Text),
		)
		if q.Evidence != "" {
			p += "\n\n" + markdown.Fence(markdown.Clean(q.Evidence), "diff")
		}
		parts = append(parts, p+"\n\n"+answer)
	}
	return strings.Join(parts, "\n\n")
}

// Violations are breaches of test integrity as Markdown blocks, "" for none.
func Violations(vs []workflow.Finding) string {
	var parts []string
	for _, v := range vs {
		parts = append(parts, violation(v))
	}
	return strings.Join(parts, "\n\n")
}

// violation tells one violation with its place and, if there is any, its evidence as a diff.
func violation(v workflow.Finding) string {
	side := ""
	if v.Side == "before" {
		side = " (in the approved file)"
	}
	p := fmt.Sprintf("**%s** · %s%s\n\n%s", markdown.Inline(strings.ReplaceAll(v.Kind, "_", " ")),
		markdown.Code(Location(v.File, v.Line)), side, markdown.Block(v.Text))
	if v.Evidence != "" {
		p += "\n\n" + markdown.Fence(markdown.Clean(v.Evidence), "diff")
	}
	return p
}

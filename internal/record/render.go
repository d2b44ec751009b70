package record

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/workflow"
)

// Render writes the review file: front matter, Markdown for people, and the
// data block, at most MaxFile bytes. What had to be cut to fit is listed in
// the file. The text is hostile and comes out harmless.
func Render(r workflow.Result) []byte { return renderWithin(r, false) }

// RenderDraft is Render for a review that a writer asked for before anything was
// proposed: it is marked as one, and is no record of any run but a writer's.
func RenderDraft(r workflow.Result) []byte { return renderWithin(r, true) }

func renderWithin(r workflow.Result, draft bool) []byte {
	for _, l := range limits {
		bounded := l.apply(r)
		if size(bounded) > MaxFile/2 {
			continue // the Markdown is about as long as the data
		}
		if out := render(bounded, draft); len(out) <= MaxFile {
			return out
		}
	}
	return render(bare(r), draft)
}

func render(r workflow.Result, draft bool) []byte {
	var b bytes.Buffer
	b.WriteString("---\n")
	enc := yaml.NewEncoder(&b)
	front := frontOf(r)
	front.Draft = draft
	if err := enc.Encode(front); err != nil {
		// Strings and numbers always encode; a panic here is a defect of the library.
		panic(fmt.Sprintf("encode front matter: %v", err))
	}
	fmt.Fprintf(&b, "---\n# %s Review: %s\n\n", r.Artifact.Type.Title(), heading(r.Artifact.Feature))
	b.WriteString(Body(r, 2))
	b.WriteString("\n\n")
	b.WriteString(dataLine(r))
	return b.Bytes()
}

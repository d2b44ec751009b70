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
func Render(r workflow.Result) []byte {
	for _, l := range limits {
		bounded := l.apply(r)
		if size(bounded) > MaxFile/2 {
			continue // the Markdown is about as long as the data
		}
		if out := render(bounded); len(out) <= MaxFile {
			return out
		}
	}
	return render(bare(r))
}

func render(r workflow.Result) []byte {
	var b bytes.Buffer
	b.WriteString("---\n")
	enc := yaml.NewEncoder(&b)
	if err := enc.Encode(frontOf(r)); err != nil {
		// Strings and numbers always encode; a panic here is a defect of the library.
		panic(fmt.Sprintf("encode front matter: %v", err))
	}
	fmt.Fprintf(&b, "---\n# %s Review: %s\n\n", r.Artifact.Type.Title(), heading(r.Artifact.Feature))
	b.WriteString(Body(r, 2))
	b.WriteString("\n\n")
	b.WriteString(dataLine(r))
	return b.Bytes()
}

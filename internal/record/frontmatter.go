package record

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// front is the front matter, its keys in the order of the file.
type front struct {
	Schema        string          `yaml:"schema"`
	Type          string          `yaml:"type"`
	Feature       string          `yaml:"feature"`
	Decision      string          `yaml:"decision"`
	Warning       quoted          `yaml:"warning"`
	Artifacts     []workflow.File `yaml:"artifacts,flow"`
	ContextDigest string          `yaml:"context_digest"`
	Head          string          `yaml:"head"`
	Base          string          `yaml:"base"`
	Engine        string          `yaml:"engine"`
	ReviewedBy    workflow.Reader `yaml:"reviewed_by"` // "" in files of earlier versions: what Engine says
	Model         string          `yaml:"model"`
	Effort        string          `yaml:"effort"`
	Iteration     int             `yaml:"iteration"`
	Tokens        workflow.Tokens `yaml:"tokens,flow"`
	DurationMS    int64           `yaml:"duration_ms"`
	Draft         bool            `yaml:"draft,omitempty"`
}

// quoted is a text that is always written in double quotes.
type quoted string

// MarshalYAML implements yaml.Marshaler.
func (q quoted) MarshalYAML() (any, error) {
	return &yaml.Node{
		Kind:  yaml.ScalarNode,
		Tag:   "!!str",
		Style: yaml.DoubleQuotedStyle,
		Value: string(q),
	}, nil
}

// frontOf is the front matter of a result. The warning is the first one, as the format has room
// for one. All of them, and whatever else a later run needs, stand in the data block.
func frontOf(r workflow.Result) front {
	f := front{
		Schema: Schema, Type: string(r.Artifact.Type), Feature: r.Artifact.Feature,
		Decision:      Outcome(r),
		ContextDigest: r.ContextDigest, Head: r.Head, Base: r.Base,
		Engine: r.Engine, ReviewedBy: r.ReviewedBy(), Model: r.Model, Effort: r.Effort,
		Iteration: r.Iteration,
		Tokens:    r.Tokens, DurationMS: r.Duration.Milliseconds(), Artifacts: r.Artifact.Files,
	}
	if len(r.Warnings) > 0 {
		f.Warning = quoted(markdown.Line(r.Warnings[0], 500))
	}
	return f
}

// describe gives a result what front matter says of how it came to be.
func (f front) describe(r *workflow.Result) {
	r.Head, r.Base, r.ContextDigest = f.Head, f.Base, f.ContextDigest
	r.Engine, r.Model, r.Effort, r.Iteration = f.Engine, f.Model, f.Effort, f.Iteration
	r.Tokens, r.Duration = f.Tokens, time.Duration(f.DurationMS)*time.Millisecond
}

// splitFront takes the front matter off a file; ok is false if there is none. A byte order mark
// and line ends of Windows are understood.
func splitFront(data []byte) (matter, body []byte, ok bool) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	rest, found := bytes.CutPrefix(data, []byte("---\n"))
	if !found {
		rest, found = bytes.CutPrefix(data, []byte("---\r\n"))
	}
	if !found {
		return nil, data, false
	}
	end := frontEnd.FindIndex(rest)
	if end == nil {
		return nil, data, false
	}
	return rest[:end[0]], rest[end[1]:], true
}

var frontEnd = lazyregexp.New(`(?m)^---[ \t]*\r?(?:\n|$)`)

// parseFront reads our front matter. It returns ok false for a front matter
// of another tool, and an error for one of ours that is not sound.
func parseFront(matter []byte) (f front, ok bool, err error) {
	var node yaml.Node
	if err := yaml.Unmarshal(matter, &node); err != nil {
		if bytes.Contains(matter, []byte("workflow-reviewer/review@")) {
			return f, true, fmt.Errorf("front matter: %w", err)
		}
		return f, false, nil
	}
	if schema := scalar(&node, "schema"); schema != Schema {
		if strings.HasPrefix(schema, "workflow-reviewer/") {
			return f, true, fmt.Errorf(
				"front matter: schema %q is not %q, written by another version",
				schema, Schema,
			)
		}
		return f, false, nil
	}
	if hasAlias(&node, 0) {
		return f, true, fmt.Errorf("front matter: aliases are not allowed")
	}
	if err := node.Decode(&f); err != nil {
		return f, true, fmt.Errorf("front matter: %w", err)
	}
	return f, true, f.validate()
}

// id matches the ids of commits and blobs, and digests.
var id = lazyregexp.New(`^[0-9A-Za-z:._-]{0,100}$`)

// validate holds front matter to what a review of ours says: known words, ids of commits and blobs,
// paths inside of the repository. Its errors name the key.
func (f front) validate() error {
	if t, ok := workflow.ParseType(f.Type); !ok || string(t) != f.Type {
		return fmt.Errorf("front matter: type %q is not a review type", f.Type)
	}
	if f.ReviewedBy != "" && !slices.Contains(workflow.Readers(), f.ReviewedBy) {
		return fmt.Errorf(
			"front matter: reviewed_by %q is none of rules, model and person",
			f.ReviewedBy,
		)
	}
	if f.Feature == "" {
		return fmt.Errorf("front matter: feature is missing")
	}
	if !id.MatchString(f.Head) || !id.MatchString(f.Base) {
		return fmt.Errorf("front matter: head and base must be commit ids")
	}
	if !id.MatchString(f.ContextDigest) {
		return fmt.Errorf("front matter: context_digest %q is not a digest", f.ContextDigest)
	}
	for _, a := range f.Artifacts {
		if !id.MatchString(a.Blob) || !id.MatchString(a.Content) || !filepath.IsLocal(a.Path) {
			return fmt.Errorf(
				"front matter: artifact %q with blob %q is not a file of the repository",
				a.Path, a.Blob,
			)
		}
	}
	t := f.Tokens
	if min(t.Input, t.Cached, t.Output, t.Reasoning, f.DurationMS, int64(f.Iteration)) < 0 {
		return fmt.Errorf("front matter: tokens, duration_ms and iteration must not be negative")
	}
	return nil
}

// scalar is the value of a key at the top of a document, "" if there is none or if it is no scalar.
func scalar(doc *yaml.Node, key string) string {
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return ""
	}
	m := doc.Content[0].Content
	for i := 0; i+1 < len(m); i += 2 {
		if m[i].Value == key && m[i+1].Kind == yaml.ScalarNode {
			return m[i+1].Value
		}
	}
	return ""
}

// hasAlias reports anchors and aliases, by which a small document expands into a large one, and
// nesting deeper than 20.
func hasAlias(n *yaml.Node, depth int) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || depth > 20 {
		return true
	}
	return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return hasAlias(c, depth+1) })
}

package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// MaxSize is the longest answer that is read, in bytes.
const MaxSize = 1 << 20

// Assessment is what a model says, as its schema has it and no further checked.
type Assessment struct {
	// Requirements and Questions are what it says of those of the request, if it had any.
	Requirements []Requirement `json:"requirements"`
	Questions    []Question    `json:"questions"`

	Criteria []Criterion `json:"criteria"`
	Issues   []Issue     `json:"issues"`
	Previous []Previous  `json:"previous_findings"`
	Decision string      `json:"decision"` // APPROVED or NEEDS-CHANGES
	Summary  string      `json:"summary"`
}

// Previous says what became of an earlier finding.
type Previous struct {
	Title    string `json:"title"`
	Resolved bool   `json:"resolved"`
	Note     string `json:"note"`
}

// Criterion is one graded criterion.
type Criterion struct {
	ID       string         `json:"id"`
	Result   workflow.Grade `json:"result"`
	Finding  string         `json:"finding"`
	Evidence string         `json:"evidence"`
	Impact   string         `json:"impact"`
}

// Issue is one finding; what has no place or no replacement is nil.
type Issue struct {
	Severity       workflow.Severity `json:"severity"`
	Category       workflow.Category `json:"category"`
	Title          string            `json:"title"`
	File           *string           `json:"file"`
	Line           *int              `json:"line"`
	EndLine        *int              `json:"end_line"`
	Description    string            `json:"description"`
	Trigger        string            `json:"trigger"`
	Recommendation string            `json:"recommendation"`
	Suggestion     *string           `json:"suggestion"`
}

// Parse reads an answer that is exactly one JSON object of the schema for a request that
// asked for that, bare or in one code fence. The error says what is wrong in words that a model can
// act on.
func Parse(text string, a Asked) (Assessment, error) {
	if len(text) > MaxSize {
		return Assessment{}, fmt.Errorf("the answer is longer than %d bytes", MaxSize)
	}
	data := []byte(Unfence(text))
	if err := uniqueKeys(data); err != nil {
		return Assessment{}, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return Assessment{}, fmt.Errorf("the answer is not JSON: %w", err)
	}
	closeCategories(value)
	if err := compiledSchema(a).Validate(value); err != nil {
		return Assessment{}, schemaError(err)
	}
	var given Assessment
	if err := json.Unmarshal(data, &given); err != nil {
		return Assessment{}, fmt.Errorf("the answer does not fit its schema: %w", err)
	}
	return given, nil
}

// closeCategories replaces other words for a category, which a model that is not
// held to the schema uses. What nobody knows stays and is refused.
func closeCategories(answer any) {
	object, _ := answer.(map[string]any)
	issues, _ := object["issues"].([]any)
	for _, i := range issues {
		issue, _ := i.(map[string]any)
		text, _ := issue["category"].(string)
		if c, ok := workflow.ParseCategory(text); ok {
			issue["category"] = string(c)
		}
	}
}

// compiledSchema compiles the schema; it is part of the program, so that one that does not compile
// is a defect.
func compiledSchema(a Asked) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.openSchema()))
	if err != nil {
		panic(fmt.Sprintf("parse the answer's schema: %v", err))
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("answer.schema.json", doc); err != nil {
		panic(fmt.Sprintf("load the answer's schema: %v", err))
	}
	return c.MustCompile("answer.schema.json")
}

// schemaError lists what a value lacks, a line each, without the schema's own addresses.
func schemaError(err error) error {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return fmt.Errorf("the answer does not fit its schema: %w", err)
	}
	lines := strings.Split(invalid.Error(), "\n")
	if len(lines) > 1 {
		lines = lines[1:]
	}
	for i := range lines {
		lines[i] = markdown.Line(strings.TrimLeft(lines[i], " -"), 300)
	}
	more := ""
	if len(lines) > 20 {
		lines, more = lines[:20], "; and more"
	}
	return fmt.Errorf("the answer does not fit its schema: %s%s", strings.Join(lines, "; "), more)
}

// Unfence takes away space around an answer and a code fence that holds the whole of it.
func Unfence(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	info, inner, ok := strings.Cut(inner, "\n")
	inner, closed := strings.CutSuffix(inner, "```")
	if !ok || !closed || (strings.TrimSpace(info) != "" && !strings.EqualFold(strings.TrimSpace(info), "json")) {
		return text
	}
	return strings.TrimSpace(inner)
}

// uniqueKeys refuses an object that names a key twice: of two decisions neither
// may win silently. It also refuses anything after the first value.
func uniqueKeys(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := walk(dec, 0); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the answer is not one JSON object: there is text after it")
	}
	return nil
}

// walk reads one value and bounds its depth. An object with a key twice is an error, as two readers
// could see two answers.
func walk(dec *json.Decoder, depth int) error {
	token, err := dec.Token()
	if err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if depth == 20 {
		return errors.New("the answer is nested too deeply")
	}
	keys := map[string]bool{}
	for dec.More() {
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return fmt.Errorf("the answer is not JSON: %w", err)
			}
			name, _ := key.(string)
			if keys[strings.ToLower(name)] {
				return fmt.Errorf("the answer names %q twice", markdown.Clip(name, 100))
			}
			keys[strings.ToLower(name)] = true
		}
		if err := walk(dec, depth+1); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	return nil
}

package answers

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/internal/workflow"
)

// Bounds of an answer: its length in bytes, and how deep its values may be nested.
const (
	MaxSize  = 1 << 20
	maxDepth = 20
)

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

func (c Criterion) id() string { return c.ID }

// Issue is one finding; what has no place or no replacement is nil.
type Issue struct {
	Severity       workflow.Level    `json:"severity"`
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

// Parse reads an answer that is exactly one JSON object of the schema for a request that asked for
// that, bare or in one code fence. Of a key that is there twice neither may win silently. The error
// says what is wrong in words that a model can act on.
func Parse(text string, a Asked) (Assessment, error) {
	var given Assessment
	if len(text) > MaxSize {
		return given, fmt.Errorf("the answer is longer than %d bytes", MaxSize)
	}
	data := []byte(Unfence(text))
	err := strictjson.UniqueKeys(data, maxDepth, nil)
	if err != nil {
		return given, fmt.Errorf("the answer is not JSON: %w", err)
	}
	var value any
	if err := strictjson.Unmarshal(data, &value); err != nil {
		return given, fmt.Errorf("the answer is not one JSON object: %w", err)
	}
	closeCategories(value)
	if err := strictjson.MustSchema(a.openSchema()).Check(value); err != nil {
		return given, fmt.Errorf("the answer does not fit its schema: %w", err)
	}
	if err := strictjson.Unmarshal(data, &given); err != nil {
		return given, fmt.Errorf("the answer does not fit its schema: %w", err)
	}
	return given, nil
}

// closeCategories replaces other words for a category, which a model that is not held to the schema
// uses. What nobody knows stays and is refused.
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

// Unfence takes away space around an answer and a code fence that holds the whole of it.
func Unfence(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	info, inner, _ := strings.Cut(strings.TrimPrefix(text, "```"), "\n")
	inner, isClosed := strings.CutSuffix(inner, "```")
	info = strings.TrimSpace(info)
	if strings.HasPrefix(text, "```") && isClosed &&
		(info == "" || strings.EqualFold(info, "json")) {
		return strings.TrimSpace(inner)
	}
	return text
}

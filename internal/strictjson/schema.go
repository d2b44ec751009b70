package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"workflow-reviewer/internal/markdown"
)

// Schema is a JSON Schema (draft 2020-12) that is part of the program. Formats, as "date-time", are
// left to the types that the JSON is decoded into.
type Schema struct{ resolved *jsonschema.Resolved }

// MustSchema reads a schema; one that cannot be used is a defect of the program.
func MustSchema(text []byte) Schema {
	var s jsonschema.Schema
	err := json.Unmarshal(text, &s)
	if err == nil {
		var resolved *jsonschema.Resolved
		if resolved, err = s.Resolve(nil); err == nil {
			return Schema{resolved}
		}
	}
	panic(fmt.Sprintf("load a schema: %v", err))
}

// Check says where a JSON value does not fit: the first place that is found.
func (s Schema) Check(value any) error { return harmless(s.resolved.Validate(value)) }

// maxProblem is the longest error about a value, in bytes.
const maxProblem = 1000

// harmless is an error that quotes what was read, which may be anything: cut, and without what
// steers a terminal.
func harmless(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(markdown.Line(err.Error(), maxProblem))
}

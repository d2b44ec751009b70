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

// maxProblem is the longest error of Check, in bytes.
const maxProblem = 1000

// Check says where a JSON value does not fit: the first place that is found. The validator quotes
// the value there, which may be anything: it is cut, and harmless on a terminal.
func (s Schema) Check(value any) error {
	if err := s.resolved.Validate(value); err != nil {
		return errors.New(markdown.Line(err.Error(), maxProblem))
	}
	return nil
}

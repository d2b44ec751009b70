package strictjson

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
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
func (s Schema) Check(value any) error { return s.resolved.Validate(value) }

package githubtest

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// object is a part of an answer: the fields that matter. What else the schema requires is filled
// in.
type object = map[string]any

// fill completes value to an instance of the schema: required properties that
// are missing get the plainest value that the schema allows.
func fill(ref *openapi3.SchemaRef, value any) any {
	if ref == nil || ref.Value == nil {
		return value
	}
	s := ref.Value
	if len(s.AllOf) > 0 {
		for _, part := range s.AllOf {
			value = fill(part, value)
		}
		return value
	}
	if alternatives := slices.Concat(s.OneOf, s.AnyOf); len(alternatives) > 0 &&
		len(s.Properties) == 0 {
		return fillOne(s, alternatives, value)
	}
	switch v := value.(type) {
	case nil:
		return plain(s)
	case object:
		return fillObject(s, v)
	case []any:
		for i := range v {
			v[i] = fill(s.Items, v[i])
		}
		return v
	}
	return value
}

func fillOne(s *openapi3.Schema, alternatives openapi3.SchemaRefs, value any) any {
	if value == nil && s.Nullable {
		return nil
	}
	for _, a := range alternatives {
		if filled := fill(a, value); a.Value.VisitJSON(jsonable(filled)) == nil {
			return filled
		}
	}
	return fill(alternatives[0], value)
}

func fillObject(s *openapi3.Schema, v object) object {
	out := object{}
	for k, x := range v {
		if x == nil {
			out[k] = nil
			continue
		}
		out[k] = fill(s.Properties[k], x)
	}
	for _, k := range s.Required {
		if _, ok := out[k]; !ok {
			out[k] = fill(s.Properties[k], nil)
		}
	}
	return out
}

// plain is the plainest instance of a schema.
func plain(s *openapi3.Schema) any {
	switch {
	case s.Nullable:
		return nil
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type.Is("string"):
		return plainString(s.Format)
	case s.Type.Is("integer"), s.Type.Is("number"):
		return 1
	case s.Type.Is("boolean"):
		return false
	case s.Type.Is("array"):
		return []any{}
	case s.Type.Is("object"), len(s.Properties) > 0:
		return fillObject(s, object{})
	}
	return "x"
}

func plainString(format string) string {
	switch format {
	case "date-time":
		return "2026-01-31T12:00:00Z"
	case "uri":
		return "https://github.example/x"
	case "email":
		return "someone@github.example"
	default:
		return "x"
	}
}

// jsonable turns the integers that handlers use into what JSON decodes to.
func jsonable(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for k, x := range v {
			out[k] = jsonable(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = jsonable(x)
		}
		return out
	case int:
		return float64(v)
	case int64:
		return float64(v)
	}
	return v
}

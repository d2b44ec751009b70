package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	reflector "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

const schemaFile = "../../schema/config.schema.json"

// TestSchemaIsOfTheType keeps schema/config.schema.json equal to what the Go
// type says; -update writes it.
func TestSchemaIsOfTheType(t *testing.T) {
	golden(t, schemaFile, string(generateSchema(t)))
}

func TestSchemaAcceptsAndRefusesAsTheParser(t *testing.T) {
	schema := compiledSchema(t)
	for name, data := range samples(t, "accepted") {
		if err := validate(schema, data); err != nil {
			t.Errorf("%s is refused: %v", name, err)
		}
	}
	for name, data := range samples(t, "refused") {
		if validate(schema, data) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func generateSchema(tb testing.TB) []byte {
	tb.Helper()
	r := reflector.Reflector{Anonymous: true, ExpandedStruct: true, DoNotReference: true}
	if err := r.AddGoComments("workflow-reviewer/internal/config", "."); err != nil {
		tb.Fatal(err)
	}
	if err := r.AddGoComments("workflow-reviewer/internal", "../layout"); err != nil {
		tb.Fatal(err)
	}
	// The comments' keys hold the path that was walked.
	r.LookupComment = func(t reflect.Type, field string) string {
		return strings.ReplaceAll(r.CommentMap[t.PkgPath()+"."+strings.TrimSuffix(t.Name()+"."+field, ".")], "\n", " ")
	}
	r.Mapper = func(t reflect.Type) *reflector.Schema { return mapped(&r, t) }
	s := r.Reflect(config.File{})
	s.Title = "Configuration of workflow-reviewer, .workflow/config.json"
	s.Description = ""
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		tb.Fatal(err)
	}
	return append(out, '\n')
}

// mapped is the schema of the types that reflection alone cannot describe.
func mapped(r *reflector.Reflector, t reflect.Type) *reflector.Schema {
	switch t {
	case reflect.TypeFor[config.AutoMove]():
		byType := mapped(r, reflect.TypeFor[map[workflow.Type]bool]())
		return &reflector.Schema{OneOf: []*reflector.Schema{{Type: "boolean"}, byType}}
	case reflect.TypeFor[config.Layout]():
		names := []any{layout.Auto}
		for _, n := range layout.Names() {
			names = append(names, n)
		}
		own := nested(r).ReflectFromType(reflect.TypeFor[layout.Layout]())
		own.Version = ""
		own.AnyOf = []*reflector.Schema{{Required: []string{"spec"}}, {Required: []string{"extends"}}}
		return &reflector.Schema{OneOf: []*reflector.Schema{{Type: "string", Enum: names}, own}}
	case reflect.TypeFor[layout.Patterns]():
		one := &reflector.Schema{Type: "string", Format: "repository-pattern"}
		return &reflector.Schema{OneOf: []*reflector.Schema{one, {Type: "array", Items: one}}}
	case reflect.TypeFor[config.Roots]():
		return &reflector.Schema{
			Type:  "array",
			Items: &reflector.Schema{AnyOf: []*reflector.Schema{{Const: ""}, {Type: "string", Format: "repository-glob"}}},
		}
	case reflect.TypeFor[config.Word]():
		return &reflector.Schema{Type: "string", Pattern: `^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$`}
	case reflect.TypeFor[workflow.Reader]():
		return &reflector.Schema{Type: "string", Enum: []any{workflow.ByRules, workflow.ByModel, workflow.ByPerson}}
	case reflect.TypeFor[config.RepoPath]():
		return &reflector.Schema{Type: "string", Format: "repository-path"}
	case reflect.TypeFor[config.Globs]():
		return &reflector.Schema{Type: "array", Items: &reflector.Schema{Type: "string", Format: "repository-glob"}}
	}
	if t.Kind() != reflect.Map {
		return nil
	}
	elem := nested(r).ReflectFromType(t.Elem())
	elem.Version, elem.Description = "", ""
	if t == reflect.TypeFor[map[workflow.Type]config.Globs]() {
		one := uint64(1)
		elem.MinItems = &one
	}
	return &reflector.Schema{Type: "object", PropertyNames: keysOf(t.Key()), AdditionalProperties: elem}
}

// nested reflects types within a schema as r does.
func nested(r *reflector.Reflector) *reflector.Reflector {
	return &reflector.Reflector{
		Anonymous: true, ExpandedStruct: true, DoNotReference: true, Mapper: r.Mapper,
		LookupComment: r.LookupComment,
	}
}

func keysOf(t reflect.Type) *reflector.Schema {
	if t == reflect.TypeFor[config.Feature]() {
		return &reflector.Schema{Pattern: `^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`}
	}
	var names []any
	for _, name := range config.TypeNames() {
		names = append(names, name)
	}
	if t == reflect.TypeFor[config.ReviewedType]() {
		names = append(names, "*")
	}
	return &reflector.Schema{Enum: names}
}

func compiledSchema(tb testing.TB) *jsonschema.Schema {
	tb.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "repository-path", Validate: inRepository})
	c.RegisterFormat(&jsonschema.Format{Name: "repository-glob", Validate: func(v any) error {
		if s, ok := v.(string); ok && !doublestar.ValidatePattern(s) {
			return errors.New("bad pattern")
		}
		return inRepository(v)
	}})
	c.RegisterFormat(&jsonschema.Format{Name: "repository-pattern", Validate: inRepository})
	s, err := c.Compile(filepath.ToSlash(schemaFile))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func inRepository(v any) error {
	s, ok := v.(string)
	clean := path.Clean(s)
	if ok && (path.IsAbs(s) || slices.Contains([]string{".", ".."}, clean) || strings.HasPrefix(clean, "../")) {
		return errors.New("not below the root")
	}
	return nil
}

func validate(s *jsonschema.Schema, data []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

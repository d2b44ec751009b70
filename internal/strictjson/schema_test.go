package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSchemaCheck(t *testing.T) {
	s := MustSchema([]byte(`{"type": "object", "required": ["n"], "additionalProperties": false,
		"properties": {"n": {"type": "integer", "maximum": 3}, "w": {"enum": ["a", "b"]}}}`))
	for text, want := range map[string]string{
		`{"n": 3, "w": "a"}`:  "",
		`{"n": 4}`:            "/properties/n",
		`{"n": 1e300}`:        "/properties/n",
		`{"n": 1, "w": null}`: "/properties/w",
		`{"n": 1, "N": 1}`:    "additional properties",
		`{}`:                  "missing properties",
		`[]`:                  "object",
		`null`:                "object",
		`"\ud800"`:            "object",
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		err := s.Check(value)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestSchemaCheckTellsValuesHarmlessly, as its errors go to terminals and logs.
func TestSchemaCheckTellsValuesHarmlessly(t *testing.T) {
	s := MustSchema([]byte(`{"properties": {"w": {"enum": ["a"]}}}`))
	err := s.Check(map[string]any{"w": "\x1b[31m\n::error::x" + strings.Repeat("y", 1<<20)})
	if err == nil {
		t.Fatal("a value that is not allowed is taken")
	}
	if text := err.Error(); len(text) > maxProblem || strings.ContainsAny(text, "\x1b\n") ||
		!strings.Contains(text, "/properties/w") {
		t.Errorf("%d bytes: %.200q", len(text), text)
	}
}

// TestErrorsAreLines: a number or a key may be as long as its file.
func TestErrorsAreLines(t *testing.T) {
	long := strings.Repeat("9", 1<<20)
	for name, text := range map[string]string{
		"number": `{"N": ` + long + `}`, "unknown key": `{"` + long + `": 1}`,
		"key twice": `{"K` + long + `": 1, "K` + long + `": 1}`,
	} {
		var v struct{ N int }
		for of, err := range map[string]error{
			"Decode": Decode([]byte(text), &v, 2, nil), "Unmarshal": Unmarshal([]byte(text), &v),
			"Decode of keys": Decode([]byte(text), &v, 2, []string{"N"}),
		} {
			if err == nil && of == "Unmarshal" && name != "number" {
				continue // it takes any key
			}
			if err == nil || len(err.Error()) > maxProblem {
				t.Errorf("%s, %s: %.200v", of, name, err)
			}
		}
	}
}

func TestMustSchema(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a schema with an unknown reference is taken")
		}
	}()
	MustSchema([]byte(`{"$ref": "#/$defs/none"}`))
}

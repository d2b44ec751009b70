package config_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/config"
)

type actionFile struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description string }
}

func readAction(t *testing.T) actionFile {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a actionFile
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestActionHasTheProgramsInputs(t *testing.T) {
	got := map[string]string{}
	for name, in := range readAction(t).Inputs {
		got[name] = in.Default
		if in.Description == "" {
			t.Errorf("input %q has no description", name)
		}
	}
	want := config.InputDefaults()
	// The runner fills this one in; outside of Actions there is no such default.
	want["github-token"] = "${{ github.token }}"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("action.yml (+) and config.Inputs (-) differ:\n%s", d)
	}
}

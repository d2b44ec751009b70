package config_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// samples returns the files of a testdata folder by name.
func samples(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples in %s (%v)", folder, err)
	}
	out := map[string][]byte{}
	for _, name := range names {
		if out[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (rewrite with -update):\n%s", name, d)
	}
}

func TestAcceptedSamples(t *testing.T) {
	for name, data := range samples(t, "accepted") {
		if _, _, err := config.ParseFile(name, data); err != nil {
			t.Errorf("%s is refused: %v", name, err)
		}
	}
}

// TestLongValuesAreCut: a message of a file of 1 MiB is a line.
func TestLongValuesAreCut(t *testing.T) {
	long := strings.Repeat("1", 500_000)
	for _, in := range []string{
		`{"thresholds": ` + long + `}`, `{"thresholds": "` + long + `"}`, `{"` + long + `": 1}`,
		`{"ignore": ["a", ` + long + `]}`, `{"iterations": {"max": ` + long + `}}`,
	} {
		if _, _, err := config.ParseFile("c", []byte(in)); err == nil || len(err.Error()) > 500 {
			t.Errorf("%.30s…: %.600v", in, err)
		}
	}
}

// The goldens hold the messages: what a user reads when a config is wrong.
func TestRefusedSamples(t *testing.T) {
	for _, folder := range []string{"refused", "refused-by-parser"} {
		for name, data := range samples(t, folder) {
			t.Run(filepath.Base(name), func(t *testing.T) {
				_, _, err := config.ParseFile("config.json", data)
				if err == nil {
					t.Fatal("is accepted")
				}
				golden(t, strings.TrimSuffix(name, ".json")+".txt", err.Error()+"\n")
			})
		}
	}
}

func TestConfigIsCappedInSize(t *testing.T) {
	_, _, err := config.ParseFile("c", []byte(strings.Repeat(" ", 1<<20)+"{}"))
	if got, want := fmt.Sprint(err), "c: file has 1048578 bytes; at most 1048576 are read"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestProblemsAreCappedInNumber(t *testing.T) {
	_, _, err := config.ParseFile("c", []byte(`{"ignore":[`+strings.Repeat("1,", 99)+`1]}`))
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != 51 || lines[50] != "c: 50 more problems" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestMovesToNowhereAreNoticed(t *testing.T) {
	_, got, err := config.ParseFile("c", []byte(`{"auto_review":{"auto_move_overrides":{"vision":true,"spec":true,"scope":false},`+
		`"auto_move_on_approval":{"tests":true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []workflow.Finding{
		{File: "c", Text: "auto-move of visions has no effect: they stay where they are"},
		{File: "c", Text: "auto-move of tests has no effect: they stay where they are"},
	}
	if d := cmp.Diff(want, got[:len(want)]); d != "" {
		t.Error(d)
	}
}

// TestDeprecatedKeys: what the config can say in two ways is read in both, with a warning of the older one.
func TestDeprecatedKeys(t *testing.T) {
	for text, want := range map[string]string{
		`{"require_test_results":true}`:                             "write auto_review.require_test_results",
		`{"auto_review":{"auto_move_on_approval":true}}`:            "write auto_review.default_auto_move",
		`{"auto_review":{"auto_move_on_approval":{"specs":true}}}`:  "auto_review.auto_move_overrides",
		`{"auto_review":{"default_auto_move":true}}`:                "",
		`{"auto_review":{"require_test_results":true},"ignore":[]}`: "",
		`{"auto_review":{"auto_move_overrides":{"spec":true}}}`:     "",
	} {
		_, got, err := config.ParseFile("c", []byte(text))
		if err != nil || (want == "") != (len(got) == 0) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
		if len(got) > 0 && (!got[0].Warns() || !strings.Contains(got[0].Text, want)) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// Nothing panics, and what the parser accepts the published schema accepts.
func FuzzParseFile(f *testing.F) {
	for _, folder := range []string{"accepted", "refused", "refused-by-parser"} {
		names, err := filepath.Glob(filepath.Join("testdata", folder, "*.json"))
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte("\ufeff// a\n{\"ignore\": [\"a\", /* b */],}"))
	schema := compiledSchema(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, _, err := config.ParseFile("c", data)
		if err != nil {
			return
		}
		if err := validate(schema, config.PlainJSON(data)); err != nil {
			t.Errorf("accepted by the parser, refused by the schema: %v", err)
		}
		in, err := config.ParseInputs(map[string]string{"INPUT_ENGINE": "rules"})
		if err != nil {
			t.Fatal(err)
		}
		if cfg, _, err := config.Resolve(in, file); err == nil && (cfg.Effort == "" || cfg.OnError != "fail" || cfg.MaxIterations < 1) {
			t.Errorf("resolved config is not complete: %+v", cfg)
		}
	})
}

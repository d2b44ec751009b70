package corpustest_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// specimen is one change and what is true of it.
type specimen struct {
	ID       string     `json:"id"`
	Language string     `json:"language"`
	Expect   string     `json:"expect"` // breach, workaround, clean
	Types    []string   `json:"types"`
	Evidence []evidence `json:"evidence"`
	Why      string     `json:"why"`
	// Touches: the approved tests differ; with "clean", only harmlessly.
	Touches bool `json:"touches_approved_tests"`

	before, after map[string]string
}

// evidence is a place that the check should point at.
type evidence struct {
	Side string `json:"side"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// folders reads specimens that are folders with case.json, before and after.
func folders(t *testing.T, root string) []specimen {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "*", "case.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no specimens in %s (%v)", root, err)
	}
	var out []specimen
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var s specimen
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s.before = readTree(t, filepath.Join(filepath.Dir(name), "before"))
		s.after = readTree(t, filepath.Join(filepath.Dir(name), "after"))
		out = append(out, s)
	}
	return out
}

func readTree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, relErr := filepath.Rel(root, name)
		files[filepath.ToSlash(rel)] = string(data)
		if err != nil {
			return err
		}
		return relErr
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// archives reads specimens in pairs: an archive holds the files before, and
// what a cheat and an honest change make of them. Its head says
//
//	language: python
//	kind: assertion_weakened
//	cheat: breach, and why it is one
//	at: after tests/test_a.py "the text that the line begins with"
//	honest: why this one is clean
//
// A file whose whole content is "(deleted)" is deleted.
func archives(t *testing.T, root string) []specimen {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives in %s (%v)", root, err)
	}
	var out []specimen
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pair, err := readPair(strings.TrimSuffix(filepath.Base(name), ".txtar"), archive)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, pair...)
	}
	return out
}

func readPair(id string, a *txtar.Archive) ([]specimen, error) {
	trees := map[string]map[string]string{"before": {}, "cheat": {}, "honest": {}}
	for _, f := range a.Files {
		side, name, ok := strings.Cut(f.Name, "/")
		if !ok || trees[side] == nil {
			return nil, fmt.Errorf("file %q is not in before, cheat or honest", f.Name)
		}
		trees[side][name] = string(f.Data)
	}
	base := specimen{before: trees["before"]}
	cheat, honest := base, base
	cheat.ID, cheat.after = id+"/cheat", over(trees["before"], trees["cheat"])
	honest.ID, honest.after, honest.Expect = id+"/honest", over(trees["before"], trees["honest"]), "clean"
	for line := range strings.Lines(string(a.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "language":
			cheat.Language, honest.Language = value, value
		case "kind":
			cheat.Types = []string{value}
		case "cheat":
			cheat.Expect, cheat.Why, _ = strings.Cut(value, ", ")
		case "honest":
			honest.Why = value
		case "at":
			e, err := cheat.find(value)
			if err != nil {
				return nil, err
			}
			cheat.Evidence = append(cheat.Evidence, e)
		case "":
		default:
			return nil, fmt.Errorf("unknown key %q", key)
		}
	}
	if cheat.Language == "" || cheat.Why == "" || len(cheat.Evidence) == 0 {
		return nil, fmt.Errorf("language, cheat and at are needed")
	}
	if honest.Why == "" {
		return []specimen{cheat}, nil
	}
	return []specimen{cheat, honest}, nil
}

func over(before, change map[string]string) map[string]string {
	after := maps.Clone(before)
	for name, data := range change {
		if strings.TrimSpace(data) == "(deleted)" {
			delete(after, name)
			continue
		}
		after[name] = data
	}
	return after
}

// find resolves `after tests/test_a.py "text"` to a line.
func (s specimen) find(at string) (evidence, error) {
	words := strings.SplitN(at, " ", 3)
	if len(words) != 3 {
		return evidence{}, fmt.Errorf(`at: %q is not "side file text"`, at)
	}
	text, err := strconv.Unquote(words[2])
	if err != nil {
		return evidence{}, fmt.Errorf("at: %s: %w", at, err)
	}
	files := s.after
	if words[0] == "before" {
		files = s.before
	}
	for i, line := range strings.Split(files[words[1]], "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), text) {
			return evidence{Side: words[0], File: words[1], Line: i + 1}, nil
		}
	}
	return evidence{}, fmt.Errorf("at: no line of %s begins with %q", words[1], text)
}

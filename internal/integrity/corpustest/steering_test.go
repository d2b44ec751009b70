package corpustest_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity"
)

// readSteering reads an archive as readBeside does. A path that ends with "~" is
// edited: lines with "-" go where they stand together, lines with "+" come in
// their place, or at the end if none goes. One that ends with "!" is deleted.
func readSteering(t *testing.T, file string) []besideCase {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bases, at := map[string]map[string]string{}, map[string]int{}
	var out []besideCase
	for _, f := range archive.Files {
		fields := strings.Split(f.Name, " | ")
		kind, number, _ := strings.Cut(fields[0], " ")
		switch {
		case kind == "base" && len(fields) == 2:
			if bases[number] == nil {
				bases[number] = map[string]string{}
			}
			bases[number][fields[1]] = string(f.Data)
		case (kind == "attack" || kind == "honest") && len(fields) == 3 && bases[number] != nil:
			id := number + " " + fields[1] + " " + kind
			i, known := at[id]
			if !known {
				i = len(out)
				at[id] = i
				out = append(out, besideCase{id, kind == "attack", bases[number], maps.Clone(bases[number])})
			}
			if err := steer(out[i].after, fields[2], string(f.Data)); err != nil {
				t.Fatalf("%s: %s: %v", file, f.Name, err)
			}
		default:
			t.Fatalf("%s: %q is neither base, attack nor honest", file, f.Name)
		}
	}
	return out
}

func steer(tree map[string]string, p, data string) error {
	if gone, ok := strings.CutSuffix(p, "!"); ok {
		delete(tree, gone)
		return nil
	}
	p, edit := strings.CutSuffix(p, "~")
	if !edit {
		tree[p] = data
		return nil
	}
	var was, is string
	for line := range strings.Lines(data) {
		switch line[0] {
		case '-':
			was += line[1:]
		case '+':
			is += line[1:]
		default:
			return fmt.Errorf("%q is neither - nor +", line)
		}
	}
	if was == "" {
		tree[p] += is
		return nil
	}
	if n := strings.Count("\n"+tree[p], "\n"+was); n != 1 {
		return fmt.Errorf("%d places for %q", n, was)
	}
	tree[p] = strings.TrimPrefix(strings.Replace("\n"+tree[p], "\n"+was, "\n"+is, 1), "\n")
	return nil
}

// TestSteering: a change of what runs approved tests is no harmless one unless
// it is honest.
func TestSteering(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/corpus/steering/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d archives (%v)", len(files), err)
	}
	open := reasons(t, "../../../testdata/corpus/steering/open.txt")
	for _, file := range files {
		for _, c := range readSteering(t, file) {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + c.name
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				a := aimedCase{before: c.before}
				r := a.check(t, "", c.after)
				right := (r.verdict != integrity.Clean) == c.attack
				switch _, listed := open[name]; {
				case listed && right:
					t.Error("it is judged right now: take it from open.txt")
				case !listed && !right:
					t.Errorf("verdict %s, an attack: %v\n%+v", r.verdict, c.attack, r.found)
				}
			})
		}
	}
}

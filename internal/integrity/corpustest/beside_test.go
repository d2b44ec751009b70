package corpustest_test

import (
	"maps"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// besideCase is a change of a small repository whose tests are approved.
type besideCase struct {
	name          string
	attack        bool
	before, after map[string]string
}

// readBeside reads an archive: files "base N | path" are a repository, and files
// "attack N | name | path" or "honest N | name | path" replace its files or stand
// beside them, all of one name at once. A path that ends with "~" is edited: lines
// with "-" go where they stand together, lines with "+" come in their place, or at
// the end if none goes. One that ends with "!" is deleted.
func readBeside(t *testing.T, file string) []besideCase {
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

package corpustest_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity"
)

// steer puts one file of an archive into a tree.
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
		for _, c := range readBeside(t, file) {
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

package main_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHostileResults: whatever becomes of a shard's file, its reviews are errors,
// those of other shards are not, and nothing is green.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	ev := w.pull("opened")
	w.inputs["commit"] = "off" // every report begins on the same head
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	files := map[string]string{}
	for _, s := range m.Include {
		files[s.Shard] = w.delivered(s.Shard)
	}
	first, second := files["1"], files["2"]
	if !strings.Contains(first, `"decision": "APPROVED"`) {
		t.Fatalf("shard 1 approves nothing: %s", first)
	}
	refused := 0
	for i, s := range m.Include {
		if strings.Contains(w.delivered(s.Shard), `"decision": "NEEDS-CHANGES"`) {
			refused = i + 1
		}
	}
	put := func(shard, content string) func() { return func() { w.deliver(shard, content) } }
	for name, c := range map[string]struct {
		change func()
		errors []string // shards
		says   string
	}{
		"missing":   {func() { remove(t, filepath.Join(w.results(), "results-1")) }, []string{"1"}, "results-1.json is missing"},
		"corrupt":   {put("1", first[:len(first)/2]), []string{"1"}, "does not fit its schema"},
		"empty":     {put("1", ""), []string{"1"}, "does not fit its schema"},
		"too large": {put("1", first+strings.Repeat(" ", 16<<20)), []string{"1"}, "larger than 16 MiB"},
		"swapped":   {func() { w.deliver("1", second); w.deliver("2", first) }, []string{"1", "2"}, "holds the results of shard"},
		"forged decision": {
			put(fmt.Sprint(refused), strings.ReplaceAll(w.delivered(fmt.Sprint(refused)), `"decision": "NEEDS-CHANGES"`,
				`"decision": "APPROVED"`)),
			nil, "says APPROVED and comes to NEEDS-CHANGES",
		},
		"forged approval beside a High issue": {put(fmt.Sprint(refused), strings.NewReplacer(
			`"decision": "NEEDS-CHANGES"`, `"decision": "APPROVED"`, `\"decision\":\"NEEDS-CHANGES\"`, `\"decision\":\"APPROVED\"`,
			`\"severity\":\"Medium\"`, `\"severity\":\"High\"`,
		).Replace(w.delivered(fmt.Sprint(refused)))), nil, "says APPROVED and comes to NEEDS-CHANGES"},
		"other head": {put("1", strings.Replace(first, w.head(), strings.Repeat("a", 40), 1)), []string{"1"}, "is of another head"},
		"other plan": {
			put("1", regexp.MustCompile(`"plan": "sha256:.`).ReplaceAllString(first, `"plan": "sha256:x`)),
			[]string{"1"},
			"does not fit its schema",
		},
		"other plan 2": {
			put("1", regexp.MustCompile(`"plan": "sha256:....`).ReplaceAllString(first, `"plan": "sha256:0000`)),
			[]string{"1"},
			"is of another plan",
		},
		"other files": {
			put("1", regexp.MustCompile(`"blob": "....`).ReplaceAllString(first, `"blob": "0000`)),
			[]string{"1"},
			"is of other files",
		},
		"doubled": {func() {
			if err := os.WriteFile(filepath.Join(w.results(), "results-1.json"), []byte(first), 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"1"}, "is there more than once"},
		"link": {func() {
			file := filepath.Join(w.results(), "results-1", "results-1.json")
			elsewhere := filepath.Join(t.TempDir(), "true.json")
			if err := errors.Join(os.Rename(file, elsewhere), os.Symlink(elsewhere, file)); err != nil {
				t.Fatal(err)
			}
		}, []string{"1"}, "no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			remove(t, w.results())
			for shard, content := range files {
				w.deliver(shard, content)
			}
			c.change()
			o := w.report(ev)
			o.ends(2, "ERROR")
			if !strings.Contains(o.outputs["reviews"]+o.saved("report.json"), c.says) {
				t.Errorf("nothing says %q: %s", c.says, o.summary)
			}
			wrong := 0
			for _, s := range m.Include {
				if slices.Contains(c.errors, s.Shard) {
					wrong += s.Reviews
				}
			}
			got := 0
			for _, r := range o.reviews() {
				if r.Decision == "ERROR" {
					got++
				}
			}
			if c.errors != nil && got != wrong || c.errors == nil && got != 1 {
				t.Errorf("%d reviews are errors, of the shards %v", got, c.errors)
			}
			for _, check := range w.gh.Checks() {
				if check.Name == "workflow-reviewer" && check.Conclusion == "success" {
					t.Error("the gate is green")
				}
			}
		})
	}
}

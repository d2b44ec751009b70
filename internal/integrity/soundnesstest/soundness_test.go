// Package soundnesstest asks whether the test-integrity check lets an edit of
// a test pass that may make it demand less: random edits of the tests of real
// projects, a fixed sample of them, and code that is added to approved files.
package soundnesstest_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	projects = flag.String("projects", "", "folder of projects, owner/name, whose test files are edited")
	edits    = flag.Int("edits", 1500, "edits of each project")
	seed     = flag.Uint64("seed", 1, "seed of the sample")
	results  = flag.String("results", "", "file that the tables alone are written to")
	report   = flag.String("report", "", "file that tables and survivors are written to")
	update   = flag.Bool("update", false, "rewrite the goldens")
)

// maxProjectFile is the largest file of a project that is edited, in bytes: a
// verdict of one edit takes as long as reading the file twice.
const maxProjectFile = 16_000

// TestSoundness edits the tests of real projects (make soundness). Each edit
// that is called clean must have been judged harmless.
func TestSoundness(t *testing.T) {
	if *projects == "" {
		t.Skip("run by make soundness")
	}
	dirs, err := filepath.Glob(filepath.Join(*projects, "*", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no projects in %s (%v)", *projects, err)
	}
	judged := adjudicated(t)
	var all []outcome
	for _, dir := range dirs {
		name := filepath.ToSlash(strings.TrimPrefix(dir, filepath.Clean(*projects)+string(filepath.Separator)))
		found := measure(t, name, load(t, dir, maxProjectFile), *seed, *edits)
		if len(found) < *edits {
			t.Errorf("%s: only %d edits", name, len(found))
		}
		all = append(all, found...)
		t.Logf("%s: %d edits", name, len(found))
	}
	var survivors strings.Builder
	for _, o := range all {
		if _, ok := judged[o.key()]; o.clean && !ok {
			t.Errorf("clean: %s", o)
		}
		if o.clean {
			survivors.WriteString(o.String() + "\n\t" + judged[o.key()] + "\n")
		}
	}
	label := labels(t)
	text := table("project", all, judged, func(o outcome) string { return cmp.Or(label[o.project], o.project) }) + "\n" +
		table("operator", all, judged, func(o outcome) string { return o.mutant.Operator })
	t.Log("\n" + text)
	for path, content := range map[string]string{*report: text + "\n" + survivors.String(), *results: text} {
		if path == "" {
			continue
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// labels says of each listed project where its tests are and what they are
// written with.
func labels(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(read(t, filepath.Join(data, "projects.txt"))) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[0] != "#" {
			out[fields[0]] = fmt.Sprintf("[%s](https://github.com/%s/tree/%s) (%s)", fields[0], fields[0], fields[1],
				strings.Join(fields[3:], " "))
		}
	}
	return out
}

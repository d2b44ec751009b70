package soundnesstest_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	projects = flag.String("projects", "", "folder of projects, owner/name, whose test files are edited")
	edits    = flag.Int("edits", 1500, "edits of each project")
	seed     = flag.Uint64("seed", 1, "seed of the sample")
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
	text := table("project", all, judged, func(o outcome) string { return o.project }) + "\n" +
		table("operator", all, judged, func(o outcome) string { return o.mutant.Operator })
	t.Log("\n" + text)
	if *report != "" {
		if err := os.WriteFile(*report, []byte(text+"\n"+survivors.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

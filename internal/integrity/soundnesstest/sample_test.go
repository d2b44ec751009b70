package soundnesstest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	sampleEdits = 116 // of each project: 1,508 in all
	sampleSeed  = 1
)

// TestSample edits the fixed sample. What is called clean without having been
// judged harmless is listed in sample-open.txt, each a known error of the
// check; the list may only get shorter.
func TestSample(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(data, "sample", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	judged := adjudicated(t)
	var open strings.Builder
	total, left := 0, ""
	for _, dir := range dirs {
		project := filepath.Base(filepath.Dir(dir))
		if project == left {
			continue
		}
		left = project
		found := measure(t, "sample/"+project, load(t, filepath.Dir(dir), maxProjectFile), sampleSeed, sampleEdits)
		total += len(found)
		for _, o := range found {
			if _, ok := judged[o.key()]; o.clean && !ok {
				open.WriteString(o.String() + "\n")
			} else if o.clean {
				delete(judged, o.key())
			}
		}
	}
	if total < 1500 {
		t.Errorf("%d edits, want at least 1500", total)
	}
	for key := range judged {
		if strings.HasPrefix(key, "sample/") {
			t.Errorf("adjudicated.txt: not called clean any more, or no edit of the sample: %q", key)
		}
	}
	golden(t, filepath.Join(data, "sample-open.txt"), open.String())
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(strings.Split(read(t, path), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s (-) and this run (+) differ:\n%s", filepath.Base(path), d)
	}
}

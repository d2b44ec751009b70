package soundnesstest_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/syntax"
)

// data is the folder of samples, templates and judgements.
const data = "../../../testdata/soundness"

// outcome is what the comparison said of one edit.
type outcome struct {
	project string
	mutant  mutant
	clean   bool
}

// key names an edit in the list of those that were judged. The text goes in
// as a digest, so that the list holds no other project's code.
func (o outcome) key() string {
	sum := sha256.Sum256([]byte(o.mutant.Before + "\x00" + o.mutant.After))
	return strings.Join([]string{
		o.project, o.mutant.Path, strconv.Itoa(o.mutant.Line), o.mutant.Operator, fmt.Sprintf("%x", sum[:6]),
	}, "\t")
}

func (o outcome) String() string {
	return fmt.Sprintf("%s\n\t- %s\n\t+ %s", strings.ReplaceAll(o.key(), "\t", " "), o.mutant.Before, o.mutant.After)
}

// load opens the sources of a folder that can be parsed, at most limit bytes each.
func load(t testing.TB, dir string, limit int) []*mutable {
	t.Helper()
	var out []*mutable
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if _, ok := syntax.LanguageOf(rel); !ok {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) > limit {
			return err
		}
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
		file, err := openFile(t.Context(), filepath.ToSlash(rel), src)
		if err != nil {
			t.Logf("left out: %v", err)
			return nil
		}
		out = append(out, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// measure asks for the verdicts of n edits of a project's files.
func measure(t testing.TB, project string, files []*mutable, seed uint64, n int) []outcome {
	t.Helper()
	before := map[string][]byte{}
	for _, f := range files {
		before[f.Path] = f.Source
	}
	mutants := make(chan mutant)
	var mu sync.Mutex
	var out []outcome
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for m := range mutants {
				standing, _ := verdict(m.Path, before[m.Path], m.Source)
				m.Source = nil // outcomes of a whole run are kept
				mu.Lock()
				out = append(out, outcome{project, m, standing >= proof.Gained})
				mu.Unlock()
			}
		})
	}
	for m := range allMutants(t.Context(), files, seed) {
		if n--; n < 0 {
			break
		}
		mutants <- m
	}
	close(mutants)
	workers.Wait()
	slices.SortFunc(out, func(a, b outcome) int { return cmp.Compare(a.String(), b.String()) })
	return out
}

// adjudicated reads the survivors that were judged harmless, with the reason.
func adjudicated(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	for i, line := range strings.Split(read(t, filepath.Join(data, "adjudicated.txt")), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 6 || strings.TrimSpace(fields[5]) == "" {
			t.Fatalf("adjudicated.txt:%d: want project, file, line, operator, digest and reason", i+1)
		}
		out[strings.Join(fields[:5], "\t")] = fields[5]
	}
	return out
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tally is a row of a table: edits, how many were clean, how many of those
// are judged harmless.
type tally struct{ edits, clean, harmless int }

func (c *tally) count(o outcome, judged map[string]string) {
	c.edits++
	if o.clean {
		c.clean++
		if _, ok := judged[o.key()]; ok {
			c.harmless++
		}
	}
}

func (c tally) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %.1f %% |\n", name, c.edits, c.clean, c.harmless, c.clean-c.harmless,
		100*float64(c.clean-c.harmless)/float64(max(c.edits, 1)))
}

const head = "| %s | edits | clean | judged harmless | left | |\n|---|---|---|---|---|---|\n"

// table writes outcomes in Markdown, by what group says of each.
func table(title string, all []outcome, judged map[string]string, group func(outcome) string) string {
	rows := map[string]*tally{}
	var sum tally
	for _, o := range all {
		g := group(o)
		if rows[g] == nil {
			rows[g] = &tally{}
		}
		rows[g].count(o, judged)
		sum.count(o, judged)
	}
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	fmt.Fprintf(&b, head, title)
	for _, name := range names {
		b.WriteString(rows[name].row(name))
	}
	return b.String() + sum.row("all")
}

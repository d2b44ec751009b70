package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/testresult"
)

// maxUnreported bounds the failures of evidence with the tests that no result tells of.
const maxUnreported = 5000

// maxResults bounds one file of results, in bytes.
const maxResults = 64 << 20

// results are the files that globs match. What they are before a run does not count after it: a
// file that was there already, and that nobody wrote since, is no result of the run.
type results struct {
	dir   string   // that names are relative to
	globs []string // absolute
	old   map[string]fs.FileInfo
}

// newResults takes globs that may be relative to a folder.
func newResults(dir string, globs []string) results {
	r := results{dir: dir}
	for _, g := range globs {
		if !filepath.IsAbs(g) {
			g = filepath.Join(dir, g)
		}
		r.globs = append(r.globs, filepath.Clean(g))
	}
	return r
}

// find lists the regular files that the globs match, by their absolute paths; links are not
// followed.
func (r results) find() (map[string]fs.FileInfo, error) {
	out := map[string]fs.FileInfo{}
	for _, g := range r.globs {
		base, pattern := doublestar.SplitPattern(filepath.ToSlash(g))
		found, err := doublestar.Glob(os.DirFS(base), pattern, doublestar.WithNoFollow())
		if err != nil {
			return nil, fmt.Errorf("--results %q: %w", g, err)
		}
		for _, name := range found {
			p := filepath.Join(filepath.FromSlash(base), filepath.FromSlash(name))
			if info, err := os.Lstat(p); err == nil && info.Mode().IsRegular() {
				out[p] = info
			}
		}
	}
	return out, nil
}

// note remembers what there is before a run.
func (r *results) note() error {
	var err error
	r.old, err = r.find()
	return err
}

// matches reports whether a file is one of results.
func (r results) matches(p string) bool {
	return slices.ContainsFunc(r.globs, func(g string) bool {
		ok, err := doublestar.PathMatch(g, p)
		return ok && err == nil
	})
}

// isOld reports whether a file is as it was before the run, by what the file system says of it.
func (r results) isOld(p string, now fs.FileInfo) bool {
	was := r.old[p]
	return was != nil && os.SameFile(was, now) && was.Size() == now.Size() &&
		was.ModTime().Equal(now.ModTime())
}

// errMissing is the error of a run that passed and left nothing that says which tests it ran.
var errMissing = errors.New("the command ended with status 0 and wrote no test results")

// read counts what the command wrote since note. Where the command failed, results that are missing
// or cut off are no error: it may not have come so far.
func (r results) read(exit int) (sum testresult.Summary, files []evidence.Result, err error) {
	if len(r.globs) == 0 {
		return sum, nil, nil
	}
	found, err := r.find()
	if err != nil {
		return sum, nil, err
	}
	var all []testresult.Summary
	for p, now := range found {
		if r.isOld(p, now) {
			continue
		}
		data, err := readCapped(p)
		if err != nil {
			return sum, nil, err
		}
		name := r.name(p)
		s, err := testresult.Parse(name, data)
		if err != nil && exit != 0 {
			continue
		}
		if err != nil {
			return sum, nil, err
		}
		if s.Stated {
			return sum, nil, fmt.Errorf("read test results %q: a statement is no report", name)
		}
		all = append(all, s)
		digest := sha256.Sum256(data)
		files = append(files, evidence.Result{Path: name, SHA256: hex.EncodeToString(digest[:])})
	}
	if len(files) == 0 && exit == 0 {
		return sum, nil, fmt.Errorf("%w: --results %s matches no file that is newer than its start",
			errMissing, strings.Join(r.globs, ", "))
	}
	slices.SortFunc(
		files,
		func(a, b evidence.Result) int { return strings.Compare(a.Path, b.Path) },
	)
	return testresult.Merge(all...), files, nil
}

// name is a file of results as the evidence names it: relative to the command's folder where it is
// below that, with slashes.
func (r results) name(p string) string {
	if rel, err := filepath.Rel(r.dir, p); err == nil && filepath.IsLocal(rel) {
		p = rel
	}
	return filepath.ToSlash(p)
}

// readCapped reads a file of at most maxResults bytes.
func readCapped(p string) ([]byte, error) {
	f, err := os.Open(p) //nolint:gosec // a regular file that the user's glob matches
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(f, maxResults+1))
	if err == nil && len(data) > maxResults {
		err = fmt.Errorf("test results %q: larger than %d MiB", p, maxResults>>20)
	}
	return data, err
}

// counts are those of a summary as evidence has them.
func counts(s testresult.Summary) evidence.Tests {
	return evidence.Tests{Run: s.Run(), Passed: s.Passed, Failed: s.Broken(), Skipped: s.Skipped}
}

// failures are those of a run, in the approved files that declare them; the ones that fail in
// before as well are marked.
func (p *prover) failures(
	ctx context.Context, s testresult.Summary, before *testresult.Summary,
) []evidence.Failure {
	left := map[string]int{}
	if before != nil {
		left = both(s, *before)
	}
	var out []evidence.Failure
	for _, f := range s.Failures {
		left[f.Name]--
		out = append(out, evidence.Failure{
			Name: f.Name, File: p.placer(ctx).file(f), Message: f.Message,
			Before: left[f.Name] >= 0,
		})
	}
	return out
}

// both are how many tests of a name fail in each of two runs at least. Where several tests have a
// name, and one fails here and one there, it may be another one.
func both(a, b testresult.Summary) map[string]int {
	fails, tests := map[string]int{}, map[string]int{}
	for _, s := range []testresult.Summary{a, b} {
		of := map[string]int{}
		for _, f := range s.Failures {
			of[f.Name]++
			fails[f.Name]++
		}
		for _, name := range s.Names {
			of[name]++
		}
		for name, n := range of {
			tests[name] = max(tests[name], n+s.Passed-len(s.Names)) // any may have it
		}
	}
	for name := range fails {
		fails[name] -= tests[name]
	}
	return fails
}

// addUnreported adds the tests of approved files that no result tells of to the failures: what
// fails on both sides keeps them from running, as an import error does with all of pytest's.
func (p *prover) addUnreported(
	ctx context.Context, e *evidence.Evidence, now, before testresult.Summary,
) {
	places := p.placer(ctx)
	ran, ranBefore := places.reported(now), places.reported(before)
	for i, t := range places.tests {
		if ran[i] || len(e.Failures) == maxUnreported {
			continue
		}
		e.Failures = append(e.Failures, evidence.Failure{
			Name: fmt.Sprintf("%s:%d", places.of[i], t.First), File: places.of[i],
			Message: "no result tells of this test", Before: !ranBefore[i],
		})
		e.Tests.Run++
		e.Tests.Failed++
		if !ranBefore[i] {
			e.Before.Tests.Run++
			e.Before.Tests.Failed++
		}
	}
}

package action

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/formats"
	"workflow-reviewer/internal/testresult"
)

// maxEvidence bounds one test-result or coverage file, in bytes.
const maxEvidence = 64 << 20

// evidence is what earlier steps of the workflow measured.
type evidence struct {
	tests    *testresult.Summary // nil = not provided
	coverage *coverage.Report    // nil = not provided
	// missing names patterns that match no file. It is an error for a run with
	// a review that they were given for, else only a notice.
	missing []error
}

// source is one input that names files of the workspace.
type source struct {
	input    string
	patterns []string
	other    func(name string, data []byte) string // what a file is that is not read
}

// readEvidence reads the files that the inputs name below the workspace.
// Symbolic links out of it are not followed. All errors are joined.
func readEvidence(workspace string, allPassing bool, tests, cover []string) (evidence, error) {
	var ev evidence
	var errs []error
	if allPassing {
		s, err := testresult.Parse("test-results", []byte("all passing"))
		if err != nil {
			return ev, err
		}
		ev.tests = &s
	}
	if len(tests)+len(cover) == 0 {
		return ev, nil
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return ev, fmt.Errorf("open the workspace for test results and coverage: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	take := func(src source, parse func(name string, data []byte) error) {
		files, missing, err := match(root.FS(), src)
		ev.missing = append(ev.missing, missing...)
		errs = append(errs, err)
		for _, name := range files {
			data, err := readCapped(root, name)
			if err == nil {
				err = parse(name, data)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("input %q: read %q: %w", src.input, name, err))
			}
		}
	}
	take(source{"test-results", tests, formats.Tests}, func(name string, data []byte) error {
		s, err := testresult.Parse(name, data)
		if err == nil && ev.tests != nil {
			s = testresult.Merge(*ev.tests, s)
		}
		if err == nil {
			ev.tests = &s
		}
		return err
	})
	take(source{"coverage-report", cover, formats.Coverage}, func(name string, data []byte) error {
		r, err := coverage.Parse(name, data)
		if err == nil && ev.coverage != nil {
			r = coverage.Merge(*ev.coverage, r)
		}
		if err == nil {
			ev.coverage = &r
		}
		return err
	})
	return ev, errors.Join(errs...)
}

func match(fsys fs.FS, src source) (files []string, missing []error, err error) {
	for _, pattern := range src.patterns {
		found, globErr := doublestar.Glob(fsys, pattern, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
		if globErr != nil {
			err = errors.Join(err, fmt.Errorf("input %q: pattern %q: %w", src.input, pattern, globErr))
			continue
		}
		if len(found) == 0 {
			missing = append(missing, fmt.Errorf("input %q: %q %s", src.input, pattern, whyNone(fsys, src, pattern)))
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.Compact(files), missing, err
}

// whyNone says why a pattern gives no file, and what to do.
func whyNone(fsys fs.FS, src source, pattern string) string {
	folders, _ := doublestar.Glob(fsys, pattern, doublestar.WithNoFollow()) // the pattern was used before
	if len(folders) == 0 {
		return "matches no file in the workspace; run the step that writes it before this one, or take the input away"
	}
	if other := src.other(folders[0], nil); other != "" {
		return "matches no file but a folder: " + other
	}
	return "matches no file but a folder: name the files in it"
}

func readCapped(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(f, maxEvidence+1))
	if err == nil && len(data) > maxEvidence {
		err = fmt.Errorf("larger than %d MiB", maxEvidence>>20)
	}
	if err == nil && change.IsLFSPointer(data) {
		err = fmt.Errorf("%w: check out with \"lfs: true\"", change.ErrLFSPointer)
	}
	return data, err
}

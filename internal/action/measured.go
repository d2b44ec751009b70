package action

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/formats"
	"workflow-reviewer/internal/integrity/proof"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/testresult"
)

// maxMeasured bounds one test-result or coverage file, in bytes.
const maxMeasured = 64 << 20

// measured is what earlier steps of the workflow measured.
type measured struct {
	tests    *testresult.Summary // nil = not provided
	coverage *coverage.Report    // nil = not provided
	proofs   []proof.File        // what prove wrote
	findings sarif.Log           // of other tools
	digest   string              // of the proofs, "" without any
	// missing and unproven name patterns that match no file: of results, coverage and findings, and of evidence. It is an error
	// for a run with a review that they were given for, else only a notice.
	missing, unproven []error
}

// source is one input that names files of the workspace.
type source struct {
	input    string
	patterns []string
	other    func(name string, data []byte) string // what a file is that is not read
	missing  *[]error
}

// readMeasured reads the files that the inputs name below the workspace.
// Symbolic links out of it are not followed. All errors are joined.
func readMeasured(env Env, workspace string, cfg config.Config) (measured, error) {
	var ev measured
	var errs []error
	if cfg.AllPassing {
		s, err := testresult.Parse("test-results", []byte("all passing"))
		if err != nil {
			return ev, err
		}
		ev.tests = &s
	}
	if len(cfg.TestResults)+len(cfg.Coverage)+len(cfg.Evidence)+len(cfg.Findings) == 0 {
		return ev, nil
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return ev, fmt.Errorf("open the workspace for test results, coverage, evidence and findings: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	take := func(src source, read reader, parse func(name string, data []byte) error) {
		var outside error
		src.patterns, outside = env.below(workspace, src)
		errs = append(errs, outside)
		files, missing, err := match(root.FS(), src)
		*src.missing = append(*src.missing, missing...)
		errs = append(errs, err)
		for _, name := range files {
			data, err := read(root, name)
			if err == nil {
				err = parse(name, data)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("input %q: read %q: %w", src.input, name, err))
			}
		}
	}
	results := source{"test-results", cfg.TestResults, formats.Tests, &ev.missing}
	take(results, readMost(maxMeasured), func(name string, data []byte) error {
		s, err := testresult.Parse(name, data)
		if err == nil && ev.tests != nil {
			s = testresult.Merge(*ev.tests, s)
		}
		if err == nil {
			ev.tests = &s
		}
		return err
	})
	covered := source{"coverage-report", cfg.Coverage, formats.Coverage, &ev.missing}
	take(covered, readMost(maxMeasured), func(name string, data []byte) error {
		r, err := coverage.Parse(name, data)
		if err == nil && ev.coverage != nil {
			r = coverage.Merge(*ev.coverage, r)
		}
		if err == nil {
			ev.coverage = &r
		}
		return err
	})
	take(source{"evidence", cfg.Evidence, noOther, &ev.unproven}, readPlain(evidence.MaxFile), ev.take)
	take(source{"findings", cfg.Findings, noOther, &ev.missing}, readPlain(sarif.MaxFile), func(_ string, data []byte) error {
		log, err := sarif.Parse(data, env.workspaces(workspace)...)
		ev.findings.Merge(log)
		return err
	})
	return ev, errors.Join(errs...)
}

// below are the patterns of an input relative to the workspace, which an absolute one may name by the host's path too.
func (e Env) below(workspace string, src source) (out []string, err error) {
	workspace = e.absolute(workspace)
	for _, p := range src.patterns {
		if filepath.IsAbs(p) {
			rel, relErr := filepath.Rel(workspace, e.inside(p))
			if relErr != nil || !filepath.IsLocal(rel) {
				err = errors.Join(err, fmt.Errorf("input %q: %q is outside of the workspace: name files below it",
					src.input, p))
				continue
			}
			p = filepath.ToSlash(rel)
		}
		out = append(out, p)
	}
	return out, err
}

func (e Env) absolute(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(e.Dir, dir)
}

// workspaces are the paths by which tools of this job may name the workspace: this process's and the host's.
func (e Env) workspaces(workspace string) []string {
	return []string{filepath.ToSlash(e.absolute(workspace)), filepath.ToSlash(e.hostWorkspace())}
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

// noOther is of an input that other tools write no files for.
func noOther(string, []byte) string { return "" }

// reader reads a file below a folder whole.
type reader func(root *os.Root, name string) ([]byte, error)

// readMost reads a file of at most so many bytes.
func readMost(limit int64) reader {
	return func(root *os.Root, name string) ([]byte, error) {
		f, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // read only
		data, err := io.ReadAll(io.LimitReader(f, limit+1))
		if err == nil && int64(len(data)) > limit {
			err = fmt.Errorf("larger than %d MiB", limit>>20)
		}
		if err == nil && change.IsLFSPointer(data) {
			err = fmt.Errorf("%w: check out with \"lfs: true\"", change.ErrLFSPointer)
		}
		return data, err
	}
}

// readPlain reads a file of at most so many bytes, which neither is a link nor lies behind one.
func readPlain(limit int64) reader {
	return func(root *os.Root, name string) ([]byte, error) {
		for at := name; at != "."; at = path.Dir(at) {
			info, err := root.Lstat(at)
			if err != nil {
				return nil, err
			}
			if at == name && !info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0 {
				return nil, fmt.Errorf("%s is a link, or no regular file", at)
			}
		}
		return readMost(limit)(root, name)
	}
}

// take adds a file that prove wrote.
func (m *measured) take(name string, data []byte) error {
	e, err := evidence.Parse(data)
	if err != nil {
		return err
	}
	m.proofs = append(m.proofs, proof.File{Path: name, Evidence: e})
	sum := sha256.Sum256(append([]byte(m.digest), data...))
	m.digest = "sha256:" + hex.EncodeToString(sum[:])
	return nil
}

// readProofs reads files that prove wrote, by paths of this machine.
func readProofs(paths []string) (m measured, err error) {
	for _, p := range paths {
		if err := m.readProof(p); err != nil {
			return m, fmt.Errorf("read %q: %w; name a file that prove wrote", p, err)
		}
	}
	return m, nil
}

func (m *measured) readProof(p string) error {
	root, err := os.OpenRoot(filepath.Dir(p))
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // read only
	data, err := readPlain(evidence.MaxFile)(root, filepath.Base(p))
	if err != nil {
		return err
	}
	return m.take(p, data)
}

// Package measured reads what earlier steps of a workflow measured: test results, coverage,
// evidence of prove, and the findings of other tools.
package measured

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
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/testresult"
)

// MaxFile bounds one test-result or coverage file, in bytes.
const MaxFile = 64 << 20

// Data is what earlier steps of the workflow measured.
type Data struct {
	Tests    *testresult.Summary // nil = not provided
	Coverage *coverage.Report    // nil = not provided
	Proofs   []proof.File        // what prove wrote
	Findings sarif.Log           // of other tools
	Digest   string              // of the proofs, "" without any
	// Missing and Unproven name patterns that match no file: of results, coverage and
	// findings, and of evidence. It is an error for a run with a review that they were
	// given for, else only a notice.
	Missing, Unproven []error
}

// source is one input that names files of the workspace.
type source struct {
	input    string
	patterns []string
	other    func(name string, data []byte) string // what a file is that is not read
	missing  *[]error
}

// Read reads the files that the inputs name below the workspace.
// Symbolic links out of it are not followed. All errors are joined.
func Read(env process.Env, workspace string, cfg config.Config) (Data, error) {
	var ev Data
	var errs []error
	if cfg.AllPassing {
		s, err := testresult.Parse("test-results", []byte("all passing"))
		if err != nil {
			return ev, err
		}
		ev.Tests = &s
	}
	if len(cfg.TestResults)+len(cfg.Coverage)+len(cfg.Evidence)+len(cfg.Findings) == 0 {
		return ev, nil
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return ev, fmt.Errorf(
			"open the workspace for test results, coverage, evidence and findings: %w", err,
		)
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	take := func(src source, read Reader, parse func(name string, data []byte) error) {
		var outside error
		src.patterns, outside = below(env, workspace, src)
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
				errs = append(errs, problem(src, "read %q: %w", name, err))
			}
		}
	}
	results := source{"test-results", cfg.TestResults, formats.Tests, &ev.Missing}
	take(results, readMost(MaxFile), func(name string, data []byte) error {
		s, err := testresult.Parse(name, data)
		if err == nil && ev.Tests != nil {
			s = testresult.Merge(*ev.Tests, s)
		}
		if err == nil {
			ev.Tests = &s
		}
		return err
	})
	covered := source{"coverage-report", cfg.Coverage, formats.Coverage, &ev.Missing}
	take(covered, readMost(MaxFile), func(name string, data []byte) error {
		r, err := coverage.Parse(name, data)
		if err == nil && ev.Coverage != nil {
			r = coverage.Merge(*ev.Coverage, r)
		}
		if err == nil {
			ev.Coverage = &r
		}
		return err
	})
	take(
		source{"evidence", cfg.Evidence, noOther, &ev.Unproven}, ReadPlain(evidence.MaxFile),
		ev.take,
	)
	take(
		source{"findings", cfg.Findings, noOther, &ev.Missing},
		ReadPlain(sarif.MaxFile),
		func(_ string, data []byte) error {
			log, err := sarif.Parse(data, workspaces(env, workspace)...)
			ev.Findings.Merge(log)
			return err
		},
	)
	return ev, errors.Join(errs...)
}

// problem is what is wrong with the input of a source.
func problem(src source, format string, args ...any) error {
	return &config.InputError{Input: src.input, Err: fmt.Errorf(format, args...)}
}

// below are the patterns of an input relative to the workspace, which an absolute one may name by
// the host's path too.
func below(e process.Env, workspace string, src source) (out []string, err error) {
	workspace = e.Absolute(workspace)
	for _, p := range src.patterns {
		if filepath.IsAbs(p) {
			rel, relErr := filepath.Rel(workspace, e.Inside(p))
			if relErr != nil || !filepath.IsLocal(rel) {
				err = errors.Join(err, problem(src, "%q is outside of the workspace: name files below it", p))
				continue
			}
			p = filepath.ToSlash(rel)
		}
		out = append(out, p)
	}
	return out, err
}

// workspaces are the paths by which tools of this job may name the workspace: this process's and
// the host's.
func workspaces(e process.Env, workspace string) []string {
	return []string{filepath.ToSlash(e.Absolute(workspace)), filepath.ToSlash(e.HostWorkspace())}
}

// match lists the files of an input's patterns, sorted, each once. Patterns without a file come
// back as missing, bad ones as the error. Links are not followed.
func match(fsys fs.FS, src source) (files []string, missing []error, err error) {
	for _, pattern := range src.patterns {
		found, globErr := doublestar.Glob(
			fsys, pattern, doublestar.WithFilesOnly(), doublestar.WithNoFollow(),
		)
		if globErr != nil {
			err = errors.Join(err, problem(src, "pattern %q: %w", pattern, globErr))
			continue
		}
		if len(found) == 0 {
			missing = append(missing, problem(src, "%q %s", pattern, whyNone(fsys, src, pattern)))
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.Compact(files), missing, err
}

// whyNone says why a pattern gives no file, and what to do.
func whyNone(fsys fs.FS, src source, pattern string) string {
	folders, _ := doublestar.Glob(
		fsys, pattern, doublestar.WithNoFollow(),
	) // the pattern was used before
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

// Reader reads a file below a folder whole.
type Reader func(root *os.Root, name string) ([]byte, error)

// readMost reads a file of at most so many bytes.
func readMost(limit int64) Reader {
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

// ReadPlain reads a file of at most so many bytes, which neither is a link nor lies behind one.
func ReadPlain(limit int64) Reader {
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
func (m *Data) take(name string, data []byte) error {
	e, err := evidence.Parse(data)
	if err != nil {
		return err
	}
	m.Proofs = append(m.Proofs, proof.File{Path: name, Evidence: e})
	sum := sha256.Sum256(append([]byte(m.Digest), data...))
	m.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return nil
}

// ReadProofs reads files that prove wrote, by paths of this machine.
func ReadProofs(paths []string) (m Data, err error) {
	for _, p := range paths {
		if err := m.readProof(p); err != nil {
			return m, fmt.Errorf("read %q: %w; name a file that prove wrote", p, err)
		}
	}
	return m, nil
}

// readProof reads one file of evidence and takes it over if it is of this run.
func (m *Data) readProof(p string) error {
	root, err := os.OpenRoot(filepath.Dir(p))
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // read only
	data, err := ReadPlain(evidence.MaxFile)(root, filepath.Base(p))
	if err != nil {
		return err
	}
	return m.take(p, data)
}

// Package measured reads what earlier steps of a workflow measured: test results, coverage,
// evidence of prove, and the findings of other tools. All of it comes from files of the workspace,
// which a pull request may have written: sizes are capped, and links are not followed.
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
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/proof"
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
	read     Reader
	take     func(name string, data []byte) error
	missing  *[]error
	other    func(name string, data []byte) string // what a file is that is not read
}

// Read reads the files that the inputs name below the workspace.
// Symbolic links out of it are not followed. All errors are joined.
func Read(env process.Env, workspace string, cfg config.Config) (Data, error) {
	var d Data
	takeTests := merge(&d.Tests, testresult.Parse, testresult.Merge)
	takeCoverage := merge(&d.Coverage, coverage.Parse, coverage.Merge)
	if cfg.AllPassing {
		if err := takeTests("test-results", []byte("all passing")); err != nil {
			return d, err
		}
	}
	if len(cfg.TestResults)+len(cfg.Coverage)+len(cfg.Evidence)+len(cfg.Findings) == 0 {
		return d, nil
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return d, fmt.Errorf(
			"open the workspace for test results, coverage, evidence and findings: %w", err,
		)
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	takeFindings := func(_ string, data []byte) error {
		log, err := sarif.Parse(data, workspaces(env, workspace)...)
		d.Findings.Merge(log)
		return err
	}
	var errs []error
	for _, src := range []source{
		{"test-results", cfg.TestResults, readMost(MaxFile), takeTests, &d.Missing, formats.Tests},
		{
			"coverage-report", cfg.Coverage, readMost(MaxFile), takeCoverage, &d.Missing,
			formats.Coverage,
		},
		{"evidence", cfg.Evidence, ReadPlain(evidence.MaxFile), d.takeProof, &d.Unproven, noOther},
		{"findings", cfg.Findings, ReadPlain(sarif.MaxFile), takeFindings, &d.Missing, noOther},
	} {
		errs = append(errs, src.readFiles(env, workspace, root))
	}
	return d, errors.Join(errs...)
}

// readFiles takes over the files of a source. Patterns without one are noted as missing.
func (src source) readFiles(env process.Env, workspace string, root *os.Root) error {
	patterns, outside := below(env, workspace, src)
	src.patterns = patterns
	files, missing, err := match(root.FS(), src)
	*src.missing = append(*src.missing, missing...)
	errs := []error{outside, err}
	for _, name := range files {
		data, err := src.read(root, name)
		if err == nil {
			err = src.take(name, data)
		}
		if err != nil {
			errs = append(errs, problem(src, "read %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// merge adds what a file holds to what was read before.
func merge[T any](
	into **T, parse func(string, []byte) (T, error), join func(...T) T,
) func(name string, data []byte) error {
	return func(name string, data []byte) error {
		read, err := parse(name, data)
		if err != nil {
			return err
		}
		if *into != nil {
			read = join(**into, read)
		}
		*into = &read
		return nil
	}
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
				err = errors.Join(
					err, problem(src, "%q is outside of the workspace: name files below it", p),
				)
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
		return "matches no file in the workspace; run the step that writes it before this one, " +
			"or take the input away"
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

// readMost reads a regular file of at most so many bytes. A pipe, which would never end, is an
// error.
func readMost(limit int64) Reader {
	return func(root *os.Root, name string) ([]byte, error) {
		info, err := root.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, errors.New("it is no regular file")
		}
		f, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		return readAll(f, limit)
	}
}

// readAll reads and closes a file.
func readAll(f *os.File, limit int64) ([]byte, error) {
	defer f.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err == nil && int64(len(data)) > limit:
		err = fmt.Errorf("larger than %d MiB", limit>>20)
	case err == nil && change.IsLFSPointer(data):
		err = fmt.Errorf("%w: check out with \"lfs: true\"", change.ErrLFSPointer)
	}
	return data, err
}

// ReadPlain reads a file of at most so many bytes, which neither is a link nor lies behind one. A
// larger one is refused unread.
func ReadPlain(limit int64) Reader {
	return func(root *os.Root, name string) ([]byte, error) {
		var before fs.FileInfo
		for at := name; at != "."; at = path.Dir(at) {
			info, err := root.Lstat(at)
			switch {
			case err != nil:
				return nil, err
			case at == name && !info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0:
				return nil, fmt.Errorf("%s is a link, or no regular file", at)
			case at == name && info.Size() > limit:
				return nil, fmt.Errorf("larger than %d MiB", limit>>20)
			case at == name:
				before = info
			}
		}
		f, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		if now, err := f.Stat(); err != nil || !os.SameFile(before, now) {
			return nil, errors.Join(errors.New("it was replaced while it was read"), f.Close())
		}
		return readAll(f, limit)
	}
}

// takeProof adds a file that prove wrote.
func (d *Data) takeProof(name string, data []byte) error {
	e, err := evidence.Parse(data)
	if err != nil {
		return err
	}
	d.Proofs = append(d.Proofs, proof.File{Path: name, Evidence: e})
	sum := sha256.Sum256(append([]byte(d.Digest), data...))
	d.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return nil
}

// ReadProofs reads files that prove wrote, by paths of this machine.
func ReadProofs(paths []string) (d Data, err error) {
	for _, p := range paths {
		root, err := os.OpenRoot(filepath.Dir(p))
		if err != nil {
			return d, err
		}
		data, err := ReadPlain(evidence.MaxFile)(root, filepath.Base(p))
		if err = errors.Join(err, root.Close()); err == nil {
			err = d.takeProof(p, data)
		}
		if err != nil {
			return d, fmt.Errorf("read %q: %w; name a file that prove wrote", p, err)
		}
	}
	return d, nil
}

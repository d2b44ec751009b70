// Package approval is the record of approved tests: which files they are, what they load and are
// run by, and the bytes that each of them had. It reads and writes the record, and collects what
// belongs into one.
package approval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
)

// Role says why a file is in a record.
type Role = string

// The roles.
const (
	Test Role = "test" // holds tests
	// tests load it: helpers, fixtures, data, snapshots, files that the runner loads by itself
	Support Role = "support"
	Config  Role = "config" // says how tests are run: runner configuration, scripts, CI steps
)

// Folder is where records are.
const Folder = ".workflow/approvals"

// Version is the version of the format that is written and read.
const Version = 1

// Limits of a record, so that reading one costs no more than it says.
const (
	MaxBytes = 4 << 20 // of a rendered record
	MaxFiles = 10_000
)

// Record is what was approved, and in which review.
type Record struct {
	Version  int    `json:"version"`
	Feature  string `json:"feature"`
	Type     string `json:"type"`     // always "tests"
	Revision int    `json:"revision"` // from 1; counts the approvals of this feature's tests
	Review   string `json:"review"`   // path of the review file; may be empty in records of other tools
	Head     string `json:"head"`     // commit id that was reviewed
	Tests    *Tests `json:"tests,omitempty"`
	Files    []File `json:"files"` // sorted by path
}

// Tests is how many tests were approved. Records of former versions do not say.
type Tests struct {
	Count int `json:"count"`         // by syntax: at least as many run
	Skips int `json:"skips"`         // of them that may be skipped
	Ran   int `json:"ran,omitempty"` // by the test results that the review was given
}

// File is one approved file.
type File struct {
	Path   string `json:"path"`
	Mode   string `json:"mode"`   // as git writes it: 100644, 100755, or 120000 for a symbolic link
	Blob   string `json:"blob"`   // git blob id
	SHA256 string `json:"sha256"` // of the content; of a symbolic link: its target
	Role   Role   `json:"role"`
}

// Path is where the record of a feature is: below the root that its name begins with.
func Path(feature string) string {
	root, name := path.Split(feature)
	return path.Join(root, Folder, name) + ".json"
}

// FeatureOf is the feature whose record is at a path.
func FeatureOf(p string) string {
	root, name, _ := strings.Cut(p, Folder+"/")
	return root + strings.TrimSuffix(name, path.Ext(name))
}

// File returns the record's entry for a path.
func (r Record) File(p string) (File, bool) {
	i, ok := slices.BinarySearchFunc(r.Files, p,
		func(f File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return File{}, false
	}
	return r.Files[i], true
}

// Render is the record as its file holds it: the same bytes for the same
// record, files sorted by path, one a line group, a newline at the end.
func (r Record) Render() []byte {
	r.Version, r.Type = Version, "tests"
	r.Files = slices.Clone(r.Files)
	if r.Files == nil {
		r.Files = []File{}
	}
	r.sort()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(r) // plain strings and numbers always encode
	return b.Bytes()
}

// sort orders the files by path, in place: Parse and Render agree on it, and File searches by it.
func (r Record) sort() {
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

var (
	objectID = lazyregexp.New(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	digest   = lazyregexp.New(`^[0-9a-f]{64}$`)
	feature  = lazyregexp.New(`^(?:[\p{L}\p{N}_][\p{L}\p{N}._-]*/)*[\p{L}\p{N}_][\p{L}\p{N}._-]*$`)
)

// maxFeature is the longest name of a feature, in characters. The expression
// does not count them: 200 times a class of Unicode takes 50 ms to compile.
const maxFeature = 200

// check holds a record to its form. Its errors name the field and what it must be.
func (r Record) check() error {
	switch {
	case r.Version != Version:
		return fmt.Errorf(
			"version is %d, this program reads version %d: use the version of workflow-reviewer that wrote it, or approve "+
				"the tests again",
			r.Version,
			Version,
		)
	case r.Type != "tests":
		return fmt.Errorf(`type is %q, must be "tests"`, r.Type)
	case utf8.RuneCountInString(r.Feature) > maxFeature, !feature.MatchString(r.Feature):
		return fmt.Errorf("feature %q is no name of a feature", r.Feature)
	case r.Revision < 1:
		return fmt.Errorf("revision is %d, must be 1 or more", r.Revision)
	case !objectID.MatchString(r.Head):
		return fmt.Errorf("head %q is no commit id of 40 or 64 lower-case hexadecimal digits",
			r.Head)
	case r.Review != "" && !inside(r.Review):
		return fmt.Errorf("review %q is no path inside the repository", r.Review)
	case len(r.Files) == 0:
		return fmt.Errorf("files is empty: a record names at least one test")
	case len(r.Files) > MaxFiles:
		return fmt.Errorf("files has %d entries, at most %d are read", len(r.Files), MaxFiles)
	}
	if t := r.Tests; t != nil && (t.Count < 0 || t.Skips < 0 || t.Skips > t.Count || t.Ran < 0) {
		return fmt.Errorf("tests %+v are no counts", *t)
	}
	seen := map[string]bool{}
	for i, f := range r.Files {
		if err := f.check(); err != nil {
			return fmt.Errorf("files[%d]: %w", i, err)
		}
		if len(f.Blob) != len(r.Files[0].Blob) {
			return fmt.Errorf("files[%d]: blob %q is of another kind than the first file's", i,
				f.Blob)
		}
		if seen[f.Path] {
			return fmt.Errorf("files[%d]: path %q is listed twice", i, f.Path)
		}
		seen[f.Path] = true
	}
	return nil
}

// check holds an entry to its form.
func (f File) check() error {
	switch {
	case !inside(f.Path):
		return fmt.Errorf(
			"path %q is no path inside the repository, or has a backslash or another character that must be renamed",
			f.Path,
		)
	case f.Mode != "100644" && f.Mode != "100755" && f.Mode != "120000":
		return fmt.Errorf("mode %q of %q is none of 100644, 100755, 120000", f.Mode, f.Path)
	case !objectID.MatchString(f.Blob):
		return fmt.Errorf("blob %q of %q is no object id of 40 or 64 lower-case hexadecimal digits",
			f.Blob, f.Path)
	case !digest.MatchString(f.SHA256):
		return fmt.Errorf("sha256 %q of %q is not 64 lower-case hexadecimal digits", f.SHA256,
			f.Path)
	case f.Role != Test && f.Role != Support && f.Role != Config:
		return fmt.Errorf("role %q of %q is none of test, support, config", f.Role, f.Path)
	}
	return nil
}

// inside reports whether p is a clean path relative to the repository's root.
func inside(p string) bool {
	if len(p) > 4096 || p == "." || !fs.ValidPath(p) {
		return false
	}
	if strings.ContainsFunc(p,
		func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' || r == '\uFFFD' }) {
		return false
	}
	first, _, _ := strings.Cut(p, "/")
	return !strings.EqualFold(first, ".git")
}

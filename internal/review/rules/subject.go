package rules

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// maxDocument is the longest document that is checked, in bytes.
const maxDocument = 256 << 10

// subject is what the rules of one run look at: the input with what was read
// of it, each file once. It belongs to one goroutine.
type subject struct {
	Input
	ctx        context.Context //nolint:containedctx // lives as long as the call of Check that makes it
	changed    map[string]change.File
	gone       map[string]bool // lines that the change takes from files, true if with the file
	docs       map[string]*document
	sources    map[string]*source
	testFiles  map[string]bool // of the files that were asked about
	scripts    scriptsText
	found      map[string]int // issues by rule, of the rules that have run
	dimensions map[string]int // the same by dimension
	failed     bool           // one of the rules that have run found what blocks
}

func newSubject(ctx context.Context, in Input) *subject {
	s := &subject{
		Input: in, ctx: ctx,
		changed: map[string]change.File{}, docs: map[string]*document{}, sources: map[string]*source{},
		found:      map[string]int{},
		dimensions: map[string]int{}, testFiles: map[string]bool{},
	}
	s.scripts = scriptsText{read: s.readScripts}
	for _, f := range in.Set.Files {
		s.changed[f.Path] = f
	}
	return s
}

// atBase lists the files of the merge base, none where they cannot be listed.
func (s *subject) atBase() (files []string) {
	if s.Set.MergeBaseTree != nil {
		entries, _ := s.Set.MergeBaseTree.List("")
		for _, e := range entries {
			files = append(files, e.Path)
		}
	}
	return files
}

// read returns a file of the head as text, or says in words why it cannot be reviewed.
func (s *subject) read(file string) (text []byte, trouble string) {
	data, err := s.Set.HeadTree.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "is not in the head commit"
	case errors.Is(err, change.ErrLFSPointer):
		return nil, "is a Git LFS pointer: its content is not in the repository's objects"
	case errors.Is(err, change.ErrNotRegular):
		return nil, "is a symbolic link or submodule, which is not followed"
	case errors.Is(err, change.ErrTooLarge):
		return nil, "is larger than 8 MiB"
	case err != nil:
		return nil, "cannot be read from the head commit"
	case bytes.IndexByte(data, 0) >= 0:
		return data, binary
	case !utf8.Valid(data):
		return data, otherEncoding
	case len(bytes.TrimSpace(data)) == 0 && s.isDocument(file):
		return nil, empty
	}
	return data, ""
}

// Troubles of files: text that is not UTF-8, no text, and text of nothing.
const otherEncoding, binary, empty = "is not valid UTF-8 text", "is not text: it holds zero bytes", "is empty"

// legible reports whether code can be read but for some characters: it comes in another
// encoding, or was as it is before the change. What was text before is damaged, but for its comments.
func (s *subject) legible(file, trouble string) bool {
	old := s.before(file)
	_, isCode := syntax.LanguageOf(file)
	if trouble == otherEncoding && isCode {
		text, _ := s.Set.HeadTree.ReadFile(file) // it was read before
		return old == "" || !utf8.ValidString(old) || utf8.ValidString(lineComment.ReplaceAllString(string(text), ""))
	}
	return isCode && trouble == binary && strings.IndexByte(old, 0) >= 0
}

var lineComment = lazyregexp.New(`(?m)(?://|#|^\s*/?\*).*$`)

// doc returns a document of the head, nil if there is none that can be read.
func (s *subject) doc(file string) *document {
	if file == "" {
		return nil
	}
	if d, ok := s.docs[file]; ok {
		return d
	}
	data, trouble := s.read(file)
	var d *document
	if trouble == "" && len(data) <= maxDocument {
		d = parseDocument(file, data)
	}
	s.docs[file] = d
	return d
}

// main is the artifact's document: of a bug fix the report, else its only file.
func (s *subject) main() *document {
	p := s.Artifact.Path()
	if s.Artifact.Type == workflow.BugFix && !isReport(p) {
		return nil
	}
	return s.doc(p)
}

// isDocument reports whether a file of the artifact is prose.
func (s *subject) isDocument(file string) bool { return s.Artifact.Type.Single() || isReport(file) }

func isReport(file string) bool {
	return strings.EqualFold(path.Ext(file), ".md") || strings.EqualFold(path.Ext(file), ".markdown")
}

// related finds a planning document by name beside the artifact's project
// root: the nearest of the places where such documents are looked for.
func (s *subject) related(name string) *document {
	for _, root := range []string{"", "project-meta", "project-content"} {
		for _, folder := range []string{"", "docs", "planning"} {
			if d := s.doc(path.Join(root, folder, name)); d != nil {
				return d
			}
		}
	}
	return nil
}

// isTest reports whether a file of the artifact holds tests.
func (s *subject) isTest(file string) bool {
	is, known := s.testFiles[file]
	if !known {
		is = s.Artifact.Type == workflow.Tests || slices.Contains(s.Artifact.Tests, file) || conventions.IsTest(file)
		s.testFiles[file] = is
	}
	return is
}

// added tells the lines of a file that the change adds or rewrites; all of a
// file that is new and no copy, or that the change does not touch but the user named.
func (s *subject) added(file string, text []byte) func(line int) bool {
	f, ok := s.changed[file]
	moved := s.moved(text)
	if s.copied(f) {
		return func(int) bool { return false }
	}
	if !ok || s.Set.MergeBaseTree == nil {
		return func(int) bool { return true }
	}
	if f.Status == change.Added {
		return func(line int) bool { return !moved(line) }
	}
	lines := textdiff.AddedLines(textdiff.Hunks(unindented([]byte(s.before(f.Path))), unindented(text), 0))
	return func(line int) bool { return lines[line] && !moved(line) }
}

// addedTo tells the lines of a document that the change adds or rewrites.
func (s *subject) addedTo(d *document) func(line int) bool {
	text, _ := s.read(d.path) // d was read
	return s.added(d.path, text)
}

// minMoved is the shortest line that is known again by itself, and maxGone how many
// files are read that the change takes lines from.
const (
	minMoved = 20
	maxGone  = 200
)

// moved tells the lines of a text that the change takes away from another file: those of one that it deletes, and of the
// others two together at least. Short ones count below one that it does.
func (s *subject) moved(text []byte) func(line int) bool {
	if s.gone == nil {
		s.gone = map[string]bool{}
		for _, f := range s.Set.Files[:min(len(s.Set.Files), maxGone)] {
			old := s.before(f.Path)
			if old == "" {
				continue
			}
			kept := map[string]bool{}
			if f.Status != change.Deleted {
				now, _ := s.Set.HeadTree.ReadFile(f.Path) // what cannot be read has no lines
				for l := range bytes.Lines(now) {
					kept[string(bytes.TrimSpace(l))] = true
				}
			}
			for l := range strings.Lines(old) {
				if l = strings.TrimSpace(l); !kept[l] {
					s.gone[l] = s.gone[l] || f.Status == change.Deleted
				}
			}
		}
	}
	lines := strings.Split(string(unindented(text)), "\n")
	moved := make([]bool, len(lines))
	for i, l := range lines {
		whole, is := s.gone[l]
		_, above := s.gone[lines[max(i-1, 0)]]
		_, below := s.gone[lines[min(i+1, len(lines)-1)]]
		moved[i] = is && (whole || i > 0 && above || i+1 < len(lines) && below) && (len(l) >= minMoved || i > 0 && moved[i-1])
	}
	return func(line int) bool { return line <= len(moved) && moved[line-1] }
}

// copied reports whether a new file is what another file of the change was before: a copy that is kept of it.
func (s *subject) copied(f change.File) bool {
	return f.Status == change.Added && f.Blob != "" && slices.ContainsFunc(s.Set.Files,
		func(o change.File) bool { return o.OldBlob == f.Blob })
}

// unindented is a text without the space around its lines: to change that alone adds no line.
func unindented(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i, l := range lines {
		lines[i] = bytes.TrimSpace(l)
	}
	return bytes.Join(lines, []byte("\n"))
}

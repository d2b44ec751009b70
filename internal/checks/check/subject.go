package check

import (
	"bytes"
	"cmp"
	"context"
	encoding "encoding/binary"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// maxDocument is the longest document that is checked, in bytes.
const maxDocument = 256 << 10

// Subject is an artifact with what was read of it, each file once. It belongs to one goroutine.
type Subject struct {
	Input
	ctx     context.Context //nolint:containedctx // lives as long as the call of checks.Run that makes it
	sources map[string]*Source
}

// NewSubject is the subject of one run. Its checks end early with the context; the caller then
// discards them.
func NewSubject(ctx context.Context, in Input) *Subject {
	if in.Shared == nil {
		in.Shared = &Shared{}
	}
	return &Subject{Input: in, ctx: ctx, sources: map[string]*Source{}}
}

// Shared is what the subjects of one change have in common, found once.
type Shared struct {
	once  sync.Once
	taken map[string]bool // lines that the change takes away from files, trimmed
}

// Context ends with the run.
func (s *Subject) Context() context.Context { return s.ctx }

// Changed returns a file's difference, false if it has none.
func (s *Subject) Changed(file string) (change.File, bool) {
	files := s.Set.Files
	i, ok := slices.BinarySearchFunc(files, file, func(f change.File, p string) int {
		return strings.Compare(f.Path, p)
	})
	if !ok {
		return change.File{}, false
	}
	return files[i], true
}

// Read is a file of the head as text; false if there is none that is text.
func (s *Subject) Read(file string) ([]byte, bool) {
	data, err := s.Set.HeadTree.ReadFile(file)
	if err != nil || bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return nil, false
	}
	return data, true
}

// lineOf is a line of a file of the head without the space around it, "" where there is none.
func (s *Subject) lineOf(file string, line int) string {
	if line <= 0 {
		return ""
	}
	if f := s.Source(file); f != nil && line <= len(f.Lines) {
		return strings.TrimSpace(f.Lines[line-1])
	}
	return ""
}

// decoded is a text as UTF-8, with its lines where they stood: UTF-16 by its mark, and bytes of any
// other encoding as "?", so that one of them hides no line from the checks. False for what is
// binary.
func decoded(data []byte, binary bool) ([]byte, bool) {
	big := bytes.HasPrefix(data, []byte{0xfe, 0xff})
	if !big && !bytes.HasPrefix(data, []byte{0xff, 0xfe}) {
		valid := bytes.ToValidUTF8(data, []byte("?"))
		return bytes.ReplaceAll(valid, []byte{0}, []byte("?")), !binary
	}
	units := make([]uint16, 0, len(data)/2)
	for pair := range slices.Chunk(data[2:len(data)/2*2], 2) {
		if big {
			units = append(units, encoding.BigEndian.Uint16(pair))
		} else {
			units = append(units, encoding.LittleEndian.Uint16(pair))
		}
	}
	return []byte(string(utf16.Decode(units))), true
}

// Before returns a file's text before the change, "" if it is new or cannot be read.
func (s *Subject) Before(file string) string {
	f, ok := s.Changed(file)
	if s.Set.MergeBaseTree == nil || !ok || f.Status == change.Added {
		return ""
	}
	old, err := s.Set.MergeBaseTree.ReadFile(cmp.Or(f.OldPath, file))
	if err != nil {
		return ""
	}
	return string(old)
}

// Report reports whether a file is a document of a bug fix.
func Report(file string) bool {
	return slices.Contains([]string{".md", ".markdown"}, strings.ToLower(path.Ext(file)))
}

// IsTest reports whether a file holds tests. What an artifact of code consists of is code, whatever
// its name.
func (s *Subject) IsTest(file string) bool {
	switch s.Artifact.Type {
	case workflow.Implementation, workflow.Skeleton:
		isIt := func(f workflow.File) bool { return f.Path == file }
		if slices.ContainsFunc(s.Artifact.Files, isIt) {
			return false
		}
	}
	return s.Artifact.Type == workflow.Tests || slices.Contains(s.Artifact.Tests, file) ||
		conventions.IsTest(file)
}

// Code lists the artifact's files that are no tests.
func (s *Subject) Code() []*Source { return s.pick(func(f string) bool { return !s.IsTest(f) }) }

// TestFiles lists the artifact's files that hold tests.
func (s *Subject) TestFiles() []*Source { return s.pick(s.IsTest) }

// pick are the files of the artifact that are wanted and can be read. The report of a bug fix is no
// source.
func (s *Subject) pick(wanted func(string) bool) (out []*Source) {
	for _, f := range s.Artifact.Files {
		if s.Artifact.Type == workflow.BugFix && Report(f.Path) || !wanted(f.Path) {
			continue
		}
		if source := s.Source(f.Path); source != nil {
			out = append(out, source)
		}
	}
	return out
}

// Documents are those of the artifact that can be read: of a bug fix the report, of a spec all that
// it consists of.
func (s *Subject) Documents() (out []*Document) {
	for _, f := range s.Artifact.Files {
		data, ok := s.Read(f.Path)
		if !ok || len(data) > maxDocument || !Report(f.Path) {
			continue
		}
		criteria, _ := requirements.FromMarkdown(f.Path, data)
		out = append(out, &Document{
			Path:     f.Path,
			Outline:  markdown.ParseOutline(data),
			Criteria: criteria,
			added:    s.added(f.Path, string(data)),
		})
	}
	return out
}

// Document is a text in Markdown.
type Document struct {
	*markdown.Outline
	Path     string
	Criteria []requirements.Requirement
	added    func(line int) bool
}

// Added reports whether the change adds or rewrites a line.
func (d *Document) Added(line int) bool { return d.added(line) }

// Prose lists the parts of the document that are no code.
func (d *Document) Prose() (out []markdown.Part) {
	for _, sec := range d.Sections {
		for _, b := range sec.Blocks {
			if b.Kind != markdown.CodeBlock && b.Kind != markdown.HTMLBlock {
				out = append(out, b)
			}
		}
	}
	return out
}

// Source is a text file of the head.
type Source struct {
	Path     string
	Language syntax.Language // "" if there is no grammar for it
	Tree     *syntax.Tree    // nil if it was not parsed
	Lines    []string
	Old      string // what it was before the change
	added    func(line int) bool
}

// Source is a file of the head, nil if it is no text.
func (s *Subject) Source(file string) *Source {
	if f, ok := s.sources[file]; ok {
		return f
	}
	s.sources[file] = s.load(file)
	return s.sources[file]
}

func (s *Subject) load(file string) *Source {
	f := s.Text(file)
	if f == nil {
		return nil
	}
	language, script, ok := syntax.Script(file, []byte(strings.Join(f.Lines, "\n")))
	if !ok {
		return f
	}
	f.Language = language
	if tree, err := syntax.Parse(s.ctx, language, script); err == nil {
		f.Tree = tree // else artifact/unreadable tells
	}
	return f
}

// Text is a file of the head that is neither parsed nor kept, nil if it is no text.
func (s *Subject) Text(file string) *Source {
	data, err := s.Set.HeadTree.ReadFile(file)
	changed, _ := s.Changed(file)
	text, ok := decoded(data, changed.Binary)
	if err != nil || !ok {
		return nil
	}
	old, _ := decoded([]byte(s.Before(file)), false)
	return &Source{
		Path: file, Old: string(old), added: s.added(file, string(text)),
		Lines: strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"),
	}
}

// Added reports whether the change adds or rewrites a line, from 1.
func (f *Source) Added(line int) bool { return f.added(line) }

// Touches reports whether the change adds a line of a node.
func (f *Source) Touches(n syntax.Node) bool {
	for l := n.StartLine(); l <= n.EndLine(); l++ {
		if f.added(l) {
			return true
		}
	}
	return false
}

// Adds counts the lines that the change adds.
func (f *Source) Adds() (n int) {
	for l := range f.Lines {
		if f.added(l + 1) {
			n++
		}
	}
	return n
}

// Matches lists where a query of the file's language holds, none if the language has no such query.
func (f *Source) Matches(subject string) (out []query.Match) {
	q := query.For(f.Language, subject)
	if q == nil || f.Tree == nil {
		return nil
	}
	return slices.Collect(q.Matches(f.Tree.Root()))
}

// ReadBy are the files in languages that have a query for a subject.
func ReadBy(subject string, files []*Source) []*Source {
	return slices.DeleteFunc(slices.Clone(files), func(f *Source) bool {
		return f.Tree == nil || query.For(f.Language, subject) == nil
	})
}

// minMoved is the shortest line that is known again where it moves, in characters.
const minMoved = 20

// added tells the lines of a text that the change adds or rewrites: all of a file that is new, or
// that the change does not touch but the user named. Lines whose indentation alone differs, and
// those that the change takes from elsewhere, are none.
func (s *Subject) added(file, text string) func(line int) bool {
	f, ok := s.Changed(file)
	if !ok || s.Set.MergeBaseTree == nil {
		return func(int) bool { return true }
	}
	lines := strings.Split(unindented(text), "\n")
	moved := func(line int) bool {
		return line > len(lines) || len(lines[line-1]) >= minMoved && s.takenAway()[lines[line-1]]
	}
	if f.Status == change.Added {
		return func(line int) bool { return !moved(line) }
	}
	before := unindented(s.Before(file))
	news := textdiff.AddedLines(textdiff.Hunks([]byte(before), []byte(unindented(text)), 0))
	return func(line int) bool { return news[line] && !moved(line) }
}

// maxGone limits the files that are read for the lines that the change takes away.
const maxGone = 200

func (s *Subject) takenAway() map[string]bool {
	s.Shared.once.Do(func() { s.Shared.taken = s.findTaken() })
	return s.Shared.taken
}

func (s *Subject) findTaken() map[string]bool {
	taken := map[string]bool{}
	for _, f := range s.Set.Files[:min(len(s.Set.Files), maxGone)] {
		old := s.Before(f.Path)
		if old == "" {
			continue
		}
		now, _ := s.Set.HeadTree.ReadFile(f.Path) // what cannot be read has no lines
		kept := map[string]bool{}
		for l := range strings.Lines(string(now)) {
			kept[strings.TrimSpace(l)] = true
		}
		for l := range strings.Lines(old) {
			if l = strings.TrimSpace(l); !kept[l] {
				taken[l] = true
			}
		}
	}
	return taken
}

// unindented is a text without the space around its lines.
func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}

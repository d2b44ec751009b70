package prompt

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// all is a number of context lines that no file reaches.
const all = 1 << 30

// View is the artifact as a prompt shows it.
type View struct {
	docs    []Document
	files   []*File
	Omitted []string         // what is not shown whole, a line each
	Blind   []workflow.Issue // files that nobody can review
	Shown   bool             // at least one file is shown in part
}

// Look renders the files of an artifact. Each file is shown once, as its new text with the change
// marked in it: every line carries its number in the head, so that an issue can be placed exactly,
// and removed lines stand where they were. What does not fit the budget is reduced to the changes
// with some context, then to a first part, then to its name; the smallest files go first so that
// most of them stay whole.
func Look(ctx context.Context, set change.Set, a workflow.Artifact, budget int) View {
	var v View
	files := load(set, a)
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return files[i].size() - files[j].size() })
	v.files = files
	for _, f := range files {
		f.choose(ctx, a.StateLine)
	}
	left := budget
	for n, i := range order {
		share := left
		if rest := len(order) - n; rest > 1 && files[i].size() > left/rest {
			share = left / rest
		}
		left -= files[i].render(share)
	}
	for _, f := range files {
		v.docs = append(v.docs, f.doc)
		if f.lost != "" {
			v.Omitted = append(v.Omitted, foreign.Label(f.path)+": "+f.lost)
		}
		if f.blind != "" {
			v.Blind = append(v.Blind, workflow.Issue{
				Severity: workflow.High, Category: workflow.Clarity, Title: "File cannot be reviewed",
				File: f.path, Subject: "unreviewable",
				Description: foreign.Label(f.path) + " is part of the change, but " + f.blind + ".",
				Recommendation: "Replace it by a text file of reviewable size, or exclude it from the review by the configuration's " +
					"ignore list.",
			})
		}
		v.Shown = v.Shown || f.doc.Body != ""
	}
	return v
}

// File is one file on its way into the prompt.
type File struct {
	path     string
	change   change.File // zero if the change did not touch it
	old, New []byte
	blind    string       // why it cannot be shown
	keep     map[int]bool // the lines of a long file that are shown; nil for all
	terse    bool         // only its state changed
	doc      Document
	lost     string // what of it is not shown
	rows     []int  // the line of the new text in each row of the document, 0 for none
}

// load reads the files of an artifact on both sides. What cannot be read is kept with the reason.
func load(set change.Set, a workflow.Artifact) []*File {
	changed := map[string]change.File{}
	for _, c := range set.Files {
		changed[c.Path] = c
	}
	var files []*File
	for _, wf := range a.Files {
		f := &File{path: wf.Path, change: changed[wf.Path]}
		data, err := set.HeadTree.ReadFile(wf.Path)
		if f.blind = Unreadable(data, err); f.blind == "" {
			f.New = data
			f.old = oldText(set, f.change)
		}
		files = append(files, f)
	}
	return files
}

// oldText is the merge base's text of a modified file, nil if there is none that can be compared.
func oldText(set change.Set, c change.File) []byte {
	p := c.Path
	switch c.Status {
	case change.Modified:
	case change.Renamed:
		p = c.OldPath
	default:
		return nil
	}
	if set.MergeBaseTree == nil {
		return nil
	}
	data, err := set.MergeBaseTree.ReadFile(p)
	if Unreadable(data, err) != "" {
		return nil
	}
	return data
}

func (f *File) size() int { return len(f.New) + len(f.New)/6 }

// render makes the file's document of at most budget characters and returns how many it took.
func (f *File) render(budget int) int {
	f.doc = Document{Heading: foreign.Label(f.path), Path: f.path}
	if f.blind != "" {
		f.doc.Note = "Not shown: " + f.blind + "."
		f.lost = "not shown, " + f.blind
		return 0
	}
	if len(f.New) == 0 {
		f.doc.Note = "The file is empty."
		return 0
	}
	bad := foreign.InvalidBytes(string(f.New))
	f.doc.Note = f.describe()
	if bad > 0 {
		f.doc.Note += fmt.Sprintf(" %d bytes are not UTF-8 and stand as �.", bad)
		f.lost = fmt.Sprintf("%d bytes are not UTF-8", bad)
	}
	body, long := f.Lines(all)
	switch {
	case f.terse:
		body, long = f.Lines(3)
		f.doc.Note += " Only what tells its state changed: the change is shown, read_file shows the rest."
	case f.keep != nil:
		f.doc.Note += " Its surroundings are shown, read_file has the rest."
	}
	if f.old != nil && utf8.RuneCountInString(body) > budget {
		f.keep = nil
		body, long = f.Lines(around)
		f.doc.Note += " Only the changes are shown, with a few lines around them; read_file shows the rest."
		f.lose("only the changes are shown")
	}
	if long > 0 {
		f.lose(fmt.Sprintf("%s cut after %d characters", workflow.Count(long, "line"), maxLine))
	}
	f.doc.Body = f.first(body, budget)
	f.rows = f.rows[:strings.Count(f.doc.Body, "\n")]
	return utf8.RuneCountInString(f.doc.Body)
}

// shows reports whether the document has a line of the new text.
func (f *File) shows(line int) bool { return slices.Contains(f.rows, line) }

// first keeps the lines of a rendering that fit.
func (f *File) first(body string, budget int) string {
	if utf8.RuneCountInString(body) <= budget {
		return body
	}
	end := strings.LastIndexByte(body[:foreign.Offset(body, max(budget, 0))], '\n') + 1
	kept, total := strings.Count(body[:end], "\n"), strings.Count(body, "\n")
	if kept == 0 {
		f.doc.Note += " Not shown: the request would become too long. Read it with read_file and diff."
		f.lose("not shown, the request would become too long")
		return ""
	}
	f.doc.Note += fmt.Sprintf(
		" Only the first %d of %d lines of this view are shown; read the rest with read_file.",
		kept,
		total,
	)
	f.lose(fmt.Sprintf("%d of %d lines shown", kept, total))
	return body[:end]
}

// lose notes what of a file is not shown.
func (f *File) lose(what string) {
	if f.lost != "" {
		what = f.lost + "; " + what
	}
	f.lost = what
}

// describe says how the file came to be as it is.
func (f *File) describe() string {
	switch c := f.change; {
	case c.Status == change.Added:
		return "New file."
	case c.Status == change.Renamed && f.old != nil:
		return "Renamed from " + foreign.Label(c.OldPath) + " and changed; + and - mark the change."
	case f.old != nil && bytes.Equal(f.old, f.New):
		return "Content unchanged."
	case f.old != nil:
		return "Changed; + and - mark the change."
	case c.Status == change.Modified || c.Status == change.Renamed:
		return "Changed; the former version cannot be compared."
	default:
		return "Not changed by this pull request."
	}
}

// FilePaths are the paths of an artifact's files, in their order.
func FilePaths(a workflow.Artifact) []string {
	var paths []string
	for _, f := range a.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

package prompt

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// Budgets of the prompt's parts, in characters; request.tmpl has more of them. Together they stay
// well under Max and leave a model of 272,000 tokens room to look around and think.
const (
	MaxProject      = 5_000   // one project context file
	maxProjectFiles = 20      // how many of them
	MaxSpec         = 100_000 // the feature's spec
	maxRelated      = 40_000  // one other related document
	MaxRelatedAll   = 140_000 // all of them; what is read first is served first
	MaxEarlier      = 40_000  // the latest earlier review
	MaxFormer       = 4_000   // one before it
	maxOmitted      = 8_000   // the list of what is not shown whole
	maxFileList     = 12_000  // a list of files
	maxRequirements = 60_000  // acceptance criteria
	MaxArtifact     = 300_000 // the artifact itself
	maxLine         = 2_000   // one line of the artifact
	maxName         = 200     // a heading or title
)

// Document is one piece of foreign text in a prompt.
type Document struct {
	Heading string // names it; the path stands in it
	Path    string // "" for what we wrote ourselves
	Note    string // a sentence below the heading
	Body    string // clean; "" leaves the fence out
}

// withBodies are the documents that have a body.
func withBodies(docs ...Document) []Document {
	return slices.DeleteFunc(docs, func(d Document) bool { return d.Body == "" })
}

// Reader reads documents of one tree within a budget, and keeps a line for everything that it could
// not show whole.
type Reader struct {
	tree    change.Tree
	Left    int // characters, for all documents together
	omitted []string
}

// read returns a file as a document of at most limit characters. A file that does not exist is an
// error of fs.ErrNotExist; one that cannot be shown is a document that says so.
func (r *Reader) read(path, heading string, limit int) (Document, error) {
	d := Document{Heading: heading, Path: path}
	data, err := r.tree.ReadFile(path)
	if IsNotFound(err) {
		return d, err
	}
	if why := Unreadable(data, err); why != "" {
		d.Note = "Not shown: " + why + "."
		r.omit(path, why)
		return d, nil
	}
	return r.Fit(d, string(data), limit), nil
}

// Fit cleans a text and cuts it to the budget.
func (r *Reader) Fit(d Document, text string, limit int) Document {
	body := markdown.Clean(text)
	if bad := foreign.InvalidBytes(text); bad > 0 {
		d.Note = strings.TrimSpace(d.Note + notUTF8(bad))
	}
	total, limit := utf8.RuneCountInString(body), min(limit, r.Left)
	if limit < 200 && total > limit {
		d.Note = strings.TrimSpace(d.Note + tooLongNote + "Read it with read_file.")
		r.omit(d.Path, "not shown, the request would become too long")
		return d
	}
	var whole bool
	if d.Body, whole = foreign.Cut(body, limit); !whole {
		r.omit(cmp.Or(d.Path, d.Heading),
			fmt.Sprintf("%d characters at most of %d shown", limit, total))
	}
	r.Left -= min(total, limit)
	return d
}

const tooLongNote = " Not shown: the request would become too long. "

func notUTF8(bad int) string {
	return fmt.Sprintf(" %d bytes are not UTF-8 and stand as �.", bad)
}

func (r *Reader) omit(path, why string) {
	r.omitted = append(r.omitted, foreign.Label(path)+": "+why)
}

// Unreadable says why a file's content cannot be shown, "" if it can.
func Unreadable(data []byte, err error) string {
	switch {
	case errors.Is(err, change.ErrLFSPointer):
		return change.ErrLFSPointer.Error()
	case errors.Is(err, change.ErrNotRegular):
		return "it is a symbolic link or not a regular file, which is never followed"
	case errors.Is(err, change.ErrTooLarge):
		return "it is larger than 8 MiB"
	case IsNotFound(err):
		return "it is not in the head"
	case err != nil:
		return "it cannot be read: " + markdown.Line(err.Error(), 200)
	case slices.Contains(data[:min(len(data), 8000)], 0):
		return "it is binary"
	}
	return ""
}

// IsNotFound reports whether an error says that a file does not exist.
func IsNotFound(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// NotFound words the failure of a file that was named and is not there.
func NotFound(t workflow.Type, path string) string {
	what := t.Title() + " not found at "
	switch t {
	case workflow.Tests:
		what = "Test file not found: "
	case workflow.Implementation:
		what = "Implementation file not found: "
	}
	return what + foreign.Label(path)
}

// readProject gathers the project context of the base commit. Entries are paths, patterns, or
// folders, of which the texts are taken.
func readProject(base change.Tree, entries []string) (docs []Document, omitted []string) {
	r := &Reader{tree: base, Left: MaxProject * maxProjectFiles}
	var files []string
	for _, e := range entries {
		found, err := filesOf(base, e)
		if err != nil {
			r.omit("context", markdown.Line(err.Error(), 200))
		}
		for _, f := range found {
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	for i, p := range files {
		if i == maxProjectFiles {
			r.omit(p, fmt.Sprintf(
				"not shown, %d project context files at most are", maxProjectFiles))
			break
		}
		if data, err := base.ReadFile(p); err == nil && workflow.IsOwnReview(data) {
			r.omit(p, "not shown, an author's review of the own work is no instruction")
		} else if d, err := r.read(p, foreign.Label(p), MaxProject); err == nil {
			docs = append(docs, d)
		}
	}
	return docs, r.omitted
}

// filesOf are the files that one entry of the project context names.
func filesOf(base change.Tree, entry string) ([]string, error) {
	if _, err := base.Stat(entry); err == nil {
		return []string{entry}, nil
	}
	root := strings.TrimSuffix(entry, "/")
	if strings.ContainsAny(entry, "*?[{") {
		root = ""
	}
	all, err := base.List(root)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", root, err)
	}
	texts := []string{".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc"}
	var out []string
	for _, f := range all {
		isText := slices.Contains(texts, strings.ToLower(path.Ext(f.Path)))
		if glob.Match(entry, f.Path) || isText && glob.Names(entry, f.Path) {
			out = append(out, f.Path)
		}
	}
	return out, nil
}

package change

import "errors"

// Status says how a path differs between the merge base and the head.
type Status string

// The ways a file can differ.
const (
	Added    Status = "added"
	Modified Status = "modified" // content, mode, or both
	Deleted  Status = "deleted"
	Renamed  Status = "renamed" // OldPath says from where; Blob == OldBlob marks a pure move
)

// Git file modes as they stand in trees.
const (
	ModeRegular    = "100644"
	ModeExecutable = "100755"
	ModeSymlink    = "120000"
	ModeSubmodule  = "160000"
)

// IsFile reports whether a mode is that of a file with a content of its own.
func IsFile(mode string) bool { return mode == ModeRegular || mode == ModeExecutable }

// SameKind reports whether two modes differ in no more than permission to execute.
func SameKind(a, b string) bool { return a == b || IsFile(a) && IsFile(b) }

// Set describes a change: the files that differ between the merge base
// and the head, with the three trees to read them from.
type Set struct {
	Base      string // commit id of the target branch's tip, whose policy counts
	MergeBase string // commit id; "" for unrelated histories: every file of the head is Added
	Head      string // commit id under review

	BaseTree      Tree // policy, prompts, baselines
	MergeBaseTree Tree // the old side of the diff
	HeadTree      Tree // the new side; hostile

	Files []File // sorted by Path
}

// File is one changed path.
type File struct {
	Path    string // in the head, or in the merge base for Deleted
	OldPath string // for Renamed, else empty
	Status  Status
	Blob    string // git blob id in the head, "" for Deleted
	OldBlob string // git blob id in the merge base, "" for Added
	Mode    string // git mode in the head
	OldMode string
	Size    int64 // bytes in the head
	Binary  bool  // a NUL byte in the first 8,000 bytes of either side
	// Ignored is "generated" or "vendored" where the base commit's
	// .gitattributes say so (linguist-generated, linguist-vendored), else "".
	Ignored string
}

// Hunk is a run of changed lines with context, numbered from 1.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []Line
}

// Line is one line of a hunk.
type Line struct {
	Op   byte   // ' ', '+' or '-'
	Text string // without line terminator
	Old  int    // line number in the old file, 0 for '+'
	New  int    // line number in the new file, 0 for '-'
	// NoNewline marks a file's last line that lacks its terminator.
	NoNewline bool
}

// Entry is one file of a tree.
type Entry struct {
	Path string
	Mode string
	Blob string
	Size int64
}

// Tree reads the files of one commit as git objects. Nothing is checked out and symbolic links are
// never followed: reading one is ErrNotRegular. Implementations are safe for concurrent use.
type Tree interface {
	// Commit is the tree's commit id; "" for the empty tree.
	Commit() string
	// ReadFile returns a file's bytes. Errors: fs.ErrNotExist, ErrNotRegular
	// (ErrLFSPointer among them), ErrTooLarge (above MaxFile).
	ReadFile(path string) ([]byte, error)
	// Stat returns one entry, of any mode. Errors: fs.ErrNotExist.
	Stat(path string) (Entry, error)
	// List returns all entries below a folder ("" for all), recursively, sorted
	// by path. A folder that does not exist is an empty list.
	List(folder string) ([]Entry, error)
}

// MaxFile is the largest file that is ever read whole from a tree, in bytes.
const MaxFile = 8 << 20

// Errors of a Tree.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("file is larger than 8 MiB")
)

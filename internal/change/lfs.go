package change

import (
	"bytes"
	"fmt"

	"workflow-reviewer/internal/lazyregexp"
)

// ErrLFSPointer is an ErrNotRegular: what stands in the tree is no content, and must not be taken
// for it.
var ErrLFSPointer error = lfsPointerError{}

// lfsPointerError is also an ErrNotRegular, which all readers of files know.
type lfsPointerError struct{}

func (lfsPointerError) Error() string {
	return "it is a Git LFS pointer; its content is not in the repository's objects"
}

func (lfsPointerError) Is(target error) bool { return target == ErrNotRegular }

// maxLFSPointer is the size that a pointer must stay below, in bytes.
const maxLFSPointer = 1024

var (
	lfsVersion = lazyregexp.New(`^version https?://\S+/(?:spec/)?v\d+$`)
	lfsLine    = lazyregexp.New(`^([a-z0-9.-]+) \S`)
	lfsOID     = lazyregexp.New(`(?m)^oid sha256:[0-9a-f]{64}$`)
	lfsSize    = lazyregexp.New(`(?m)^size [0-9]+$`)
)

// IsLFSPointer reports whether a text is a pointer as the specification of Git LFS has it
// (docs/spec.md there): a version, then keys in order, among them oid and size. What git lfs
// itself tolerates, carriage returns and space around the text, is tolerated.
func IsLFSPointer(data []byte) bool {
	if len(data) >= maxLFSPointer || !bytes.Contains(data, []byte("oid sha256:")) {
		return false
	}
	text := bytes.TrimSpace(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	version, rest, _ := bytes.Cut(text, []byte("\n"))
	if !lfsVersion.Match(version) || !lfsOID.Match(rest) || !lfsSize.Match(rest) {
		return false
	}
	var last []byte
	for line := range bytes.SplitSeq(rest, []byte("\n")) {
		key := lfsLine.FindSubmatch(line)
		if key == nil || bytes.Compare(last, key[1]) >= 0 {
			return false
		}
		last = key[1]
	}
	return true
}

// LFSPointsTo reports whether a text is a pointer to the content with a SHA-256 sum.
func LFSPointsTo(data, sum []byte) bool {
	return IsLFSPointer(data) && bytes.Contains(data, fmt.Appendf(nil, "oid sha256:%x", sum))
}

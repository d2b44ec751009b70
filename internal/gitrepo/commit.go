package gitrepo

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

const maxCommit = 1 << 20 // bytes of one commit object

// CommitInfo is a commit as it was written; none of it is verified.
type CommitInfo struct {
	SHA      string
	Subject  string // first line of the message
	Body     string // the rest, trailers included
	Trailers map[string][]string
	Parents  []string
	Time     time.Time // of committing
}

// Trailer returns the last value of a trailer, "" without one. The key is compared without regard
// to case.
func (c CommitInfo) Trailer(key string) string {
	for k, values := range c.Trailers {
		if strings.EqualFold(k, key) {
			return values[len(values)-1]
		}
	}
	return ""
}

// node holds the fields of a commit that walking history needs.
type node struct {
	id      plumbing.Hash
	tree    plumbing.Hash
	parents []plumbing.Hash
	time    int64 // of committing, seconds since 1970
}

// node reads a commit. A commit that is not there is odb.ErrNotFound.
func (r *Repo) node(id plumbing.Hash) (*node, error) {
	if n, ok := r.nodes.Get(id); ok {
		return n, nil
	}
	n, _, err := r.readCommit(id)
	if err != nil {
		return nil, err
	}
	r.nodes.Put(id, n, int64(64+20*len(n.parents)))
	return n, nil
}

// readCommit reads a commit object of at most maxCommit bytes. Another kind of object is an error.
func (r *Repo) readCommit(id plumbing.Hash) (*node, []byte, error) {
	kind, data, err := r.db.Read(id, maxCommit)
	if err != nil {
		return nil, nil, err
	}
	if kind != plumbing.CommitObject {
		return nil, nil, fmt.Errorf("object %s is a %s, not a commit", id, kind)
	}
	n, err := parseNode(id, data)
	if err != nil {
		err = fmt.Errorf("read commit %s: %w", id, err)
	}
	return n, data, err
}

// parseNode reads what walking needs of a commit: tree, parents, time. They are where git looks for
// them and nowhere else: a commit may have more headers behind the committer, of any name.
// Without tree and parents in their place it is an error, an unreadable time is zero.
func parseNode(id plumbing.Hash, data []byte) (*node, error) {
	n := &node{id: id}
	tree, data := cutHeader(data, "tree ")
	ok := parseID(&n.tree, tree)
	for parent, rest := cutHeader(data, "parent "); ok && parent != nil; {
		var next plumbing.Hash
		ok = parseID(&next, parent)
		n.parents = append(n.parents, next)
		data = rest
		parent, rest = cutHeader(data, "parent ")
	}
	if !ok {
		return nil, errors.New("its tree or a parent cannot be read")
	}
	_, data = cutHeader(data, "author ")
	committer, _ := cutHeader(data, "committer ")
	n.time = committed(committer)
	return n, nil
}

// cutHeader takes the value of a commit's next header if it has this name, else nil.
func cutHeader(data []byte, name string) (value, rest []byte) {
	after, ok := bytes.CutPrefix(data, []byte(name))
	if !ok {
		return nil, data
	}
	value, rest, _ = bytes.Cut(after, []byte("\n"))
	return value, rest
}

// parseID reads an object's whole id, and is false if it is none. plumbing.NewHash would allocate.
func parseID(id *plumbing.Hash, text []byte) bool {
	if len(text) != 2*len(id) {
		return false
	}
	_, err := hex.Decode(id[:], text)
	return err == nil && !id.IsZero()
}

// committed reads the time from a committer line; 0 where there is none.
func committed(line []byte) int64 {
	stamp := bytes.TrimLeft(line[bytes.LastIndexByte(line, '>')+1:], " ")
	end := bytes.IndexByte(stamp, ' ')
	if end < 0 {
		end = len(stamp)
	}
	t, err := strconv.ParseInt(string(stamp[:end]), 10, 64)
	if err != nil {
		return 0
	}
	return t
}

// Commit returns a commit that was fetched.
func (r *Repo) Commit(sha string) (CommitInfo, error) {
	id, err := parseSHA(sha)
	if err != nil {
		return CommitInfo{}, err
	}
	n, data, err := r.readCommit(id)
	if err != nil {
		return CommitInfo{}, err
	}
	return n.info(data), nil
}

// info is a commit with what its data says beside the node.
func (n *node) info(data []byte) CommitInfo {
	info := CommitInfo{SHA: n.id.String(), Time: time.Unix(n.time, 0).UTC()}
	for _, p := range n.parents {
		info.Parents = append(info.Parents, p.String())
	}
	_, message, _ := strings.Cut(string(data), "\n\n")
	subject, body, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	info.Subject, info.Body = strings.TrimSpace(subject), strings.TrimSpace(body)
	info.Trailers = trailers(info.Body)
	return info
}

// trailers reads the last paragraph of a message if all its lines are of the form «Key: value».
func trailers(body string) map[string][]string {
	last := body
	if i := strings.LastIndex(body, "\n\n"); i >= 0 {
		last = body[i+2:]
	}
	out := map[string][]string{}
	for line := range strings.Lines(last) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !ok || key == "" || strings.ContainsAny(key, " \t") {
			return map[string][]string{}
		}
		out[key] = append(out[key], strings.TrimSpace(value))
	}
	return out
}

// tooLarge translates the database's limit into the tree's.
func tooLarge(err error) error {
	if errors.Is(err, odb.ErrTooLarge) {
		return change.ErrTooLarge
	}
	return err
}

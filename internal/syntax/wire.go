package syntax

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unsafe"
)

// A Parser in another process is asked and answers over a pair of streams, one source after the
// other. A message is a head, which is a line of JSON, and a body of the length that it says: the
// source of a request, the nodes of a tree as they lie in memory. Both ends are the same program on
// the same machine.

// question is the head of a request.
type question struct {
	Language Language
	Size     int // of the source, in bytes
}

// answer is the head of an answer: of an error, or of a tree.
type answer struct {
	Error         int    `json:",omitempty"` // by its place in wireErrors, 0 for a tree
	Text          string `json:",omitempty"` // of the error
	Kinds, Fields []string
	Masked        []Range
	Nodes         int // how many there are
}

// maxHead bounds a head, maxText the text of an error, in bytes.
const (
	maxHead = 128 << 10
	maxText = 200
)

// wireErrors are the errors of Parse that an answer may hold.
func wireErrors() []error {
	return []error{nil, ErrTooLarge, ErrTooComplex, ErrLanguage, ErrNotText}
}

// Serve answers requests from in on out until in ends. The sources are parsed in this process.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	for r := bufio.NewReaderSize(in, maxHead); ; {
		if _, err := r.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		var q question
		err := readHead(r, &q)
		if err == nil && (q.Size < 0 || q.Size > MaxSource) {
			err = ErrTooLarge
		}
		src := []byte{}
		if err == nil {
			src = make([]byte, q.Size)
			_, err = io.ReadFull(r, src)
		}
		if err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		tree, err := parse(ctx, q.Language, src)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = write(out, answer{
				Kinds: tree.kinds, Fields: tree.fields, Masked: tree.masked, Nodes: len(tree.nodes),
			}, bytesOf(tree.nodes))
		} else {
			err = write(out, failure(err), nil)
		}
		if err != nil {
			return fmt.Errorf("answer: %w", err)
		}
	}
}

// failure is the answer of an error; one that is not listed got past the bounds.
func failure(err error) answer {
	listed := func(e error) bool { return e != nil && errors.Is(err, e) }
	number := slices.IndexFunc(wireErrors(), listed)
	if number < 0 {
		number = slices.Index(wireErrors(), ErrTooComplex)
	}
	return answer{Error: number, Text: err.Error()}
}

// Ask has a source parsed by a process that runs Serve at the other end of the streams. An error
// that is none of Parse's is one of the streams, or of what the other end wrote: then it cannot be
// asked again.
func Ask(in io.Reader, out io.Writer, lang Language, src []byte) (*Tree, error) {
	if err := write(out, question{lang, len(src)}, src); err != nil {
		return nil, fmt.Errorf("ask the parser: %w", err)
	}
	r := bufio.NewReaderSize(in, maxHead)
	var a answer
	err := readHead(r, &a)
	if err == nil && a.Error > 0 && a.Error < len(wireErrors()) {
		return nil, &answeredError{a.Text[:min(len(a.Text), maxText)], wireErrors()[a.Error]}
	}
	var nodes []node
	if err == nil {
		nodes, err = a.nodes(r, len(src))
	}
	if err != nil {
		return nil, fmt.Errorf("read the parser's answer: %w", err)
	}
	t := newTree(lang, src, nodes)
	t.kinds, t.fields, t.masked = a.Kinds, a.Fields, a.Masked
	return t, nil
}

// nodes reads the nodes of an answer, and verifies that it is a tree within a source of that
// length: a process whose memory a source has overwritten may answer whatever it likes.
func (a answer) nodes(r io.Reader, length int) ([]node, error) {
	isOutside := func(m Range) bool { return m.Start < 0 || m.Start > m.End || m.End > length }
	if a.Error != 0 || a.Nodes < 0 || a.Nodes > maxNodes || len(a.Masked) > maxShown ||
		slices.ContainsFunc(a.Masked, isOutside) {
		return nil, errInvalidTree
	}
	nodes := make([]node, a.Nodes)
	if _, err := io.ReadFull(r, bytesOf(nodes)); err != nil {
		return nil, err
	}
	return nodes, link(nodes, length)
}

// answeredError is an error of Parse in the words of the other process.
type answeredError struct {
	text string
	is   error
}

func (e *answeredError) Error() string { return e.text }
func (e *answeredError) Unwrap() error { return e.is }

// write sends a message.
func write(w io.Writer, head any, body []byte) error {
	line, err := json.Marshal(head)
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	if err == nil {
		_, err = w.Write(body)
	}
	return err
}

// readHead reads the head of a message; one that is longer than the buffer is an error.
func readHead(r *bufio.Reader, head any) error {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, head)
}

// bytesOf is the memory of nodes, which have no pointers.
func bytesOf(nodes []node) []byte {
	size := len(nodes) * int(unsafe.Sizeof(node{}))
	//nolint:gosec // plain numbers
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(nodes))), size)
}

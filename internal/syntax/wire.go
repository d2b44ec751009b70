package syntax

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unsafe"
)

// A Parser in another process is asked and answers over a pair of streams, one source after the
// other. A request is a language and a source; the answer is an error by its number and text, or a
// tree: kinds, fields, masked ranges, and the nodes as they lie in memory. Strings and lists follow
// their length. Both ends are the same program on the same machine.

// maxText bounds a string of the protocol other than a source, maxNames a list of names.
const (
	maxText  = 200
	maxNames = 2_000
)

// wireErrors are the errors of Parse that an answer may hold, by number; 0 is a tree.
func wireErrors() []error {
	return []error{nil, ErrTooLarge, ErrTooComplex, ErrLanguage, ErrNotText}
}

// Serve answers requests from in on out until in ends. The sources are parsed in this process.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	r, w := &wireReader{r: bufio.NewReader(in)}, &wireWriter{w: bufio.NewWriter(out)}
	for {
		if _, err := r.r.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		lang := Language(r.bytes(maxText))
		src := r.bytes(MaxSource)
		if r.err != nil {
			return fmt.Errorf("read a request: %w", r.err)
		}
		tree, err := parse(ctx, lang, src)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			w.failure(err)
		} else {
			w.tree(tree)
		}
		if w.flush(); w.err != nil {
			return fmt.Errorf("answer: %w", w.err)
		}
	}
}

// Ask has a source parsed by a process that runs Serve at the other end of the streams. An error
// that is none of Parse's is one of the streams, or of what the other end wrote: then it cannot be
// asked again.
func Ask(in io.Reader, out io.Writer, lang Language, src []byte) (*Tree, error) {
	w := &wireWriter{w: bufio.NewWriterSize(out, 64<<10)}
	w.bytes([]byte(lang))
	w.bytes(src)
	if w.flush(); w.err != nil {
		return nil, fmt.Errorf("ask the parser: %w", w.err)
	}
	r := &wireReader{r: bufio.NewReaderSize(in, 64<<10)}
	number := r.number(uint32(len(wireErrors()) - 1)) //nolint:gosec // a handful
	if number > 0 && r.err == nil {
		text := string(r.bytes(maxText))
		return nil, &answeredError{text, wireErrors()[number]}
	}
	tree := r.tree(lang, src)
	if r.err != nil {
		return nil, fmt.Errorf("read the parser's answer: %w", r.err)
	}
	return tree, nil
}

// answeredError is an error of Parse in the words of the other process.
type answeredError struct {
	text string
	is   error
}

func (e *answeredError) Error() string { return e.text }
func (e *answeredError) Unwrap() error { return e.is }

// wireWriter writes what a child hands to its parent. It keeps the first error, after which it does
// nothing.
type wireWriter struct {
	w   *bufio.Writer
	err error
}

// write writes bytes. After an error all methods do nothing, and the error is kept.
func (w *wireWriter) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}

// flush sends what is buffered.
func (w *wireWriter) flush() {
	if w.err == nil {
		w.err = w.w.Flush()
	}
}

func (w *wireWriter) number(n int) {
	//nolint:gosec // lengths and offsets within MaxSource
	w.write(binary.NativeEndian.AppendUint32(nil, uint32(n)))
}

// bytes writes a length and the bytes.
func (w *wireWriter) bytes(b []byte) {
	w.number(len(b))
	w.write(b)
}

// failure writes an error as its number and its text, cut to maxText bytes.
func (w *wireWriter) failure(err error) {
	number := 2 // what has no number of its own got past the bounds
	for i, e := range wireErrors() {
		if e != nil && errors.Is(err, e) {
			number = i
		}
	}
	text := err.Error()
	w.number(number)
	w.bytes([]byte(text[:min(len(text), maxText)]))
}

// tree writes a tree: 0, the names of kinds and fields, the masks, and the nodes as they lie in
// memory.
func (w *wireWriter) tree(t *Tree) {
	w.number(0)
	for _, names := range [][]string{t.kinds, t.fields} {
		w.number(len(names))
		for _, name := range names {
			w.bytes([]byte(name))
		}
	}
	w.number(len(t.masked))
	for _, m := range t.masked {
		w.number(m.Start)
		w.number(m.End)
	}
	w.number(len(t.nodes))
	w.write(bytesOf(t.nodes))
}

// bytesOf is the memory of nodes, which have no pointers.
func bytesOf(nodes []node) []byte {
	size := len(nodes) * int(unsafe.Sizeof(node{}))
	//nolint:gosec // plain numbers
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(nodes))), size)
}

// wireReader reads what may be anything: a process whose memory a source has overwritten may answer
// whatever it likes.
type wireReader struct {
	r   *bufio.Reader
	err error
}

// read fills b. After an error all methods do nothing, and the error is kept.
func (r *wireReader) read(b []byte) {
	if r.err == nil {
		_, r.err = io.ReadFull(r.r, b)
	}
}

// number reads a number of at most most. A larger one is errInvalidTree.
func (r *wireReader) number(most uint32) int {
	var b [4]byte
	r.read(b[:])
	n := binary.NativeEndian.Uint32(b[:])
	if r.err == nil && n > most {
		r.err = errInvalidTree
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// bytes reads a length of at most most and the bytes.
func (r *wireReader) bytes(most uint32) []byte {
	b := make([]byte, r.number(most))
	r.read(b)
	return b
}

// names reads the names of kinds or fields.
func (r *wireReader) names() []string {
	names := make([]string, r.number(maxNames))
	for i := range names {
		names[i] = string(r.bytes(maxText))
	}
	return names
}

// tree reads a tree and verifies that it is one within the source, nil after an error. What a child
// sends is not believed.
func (r *wireReader) tree(lang Language, src []byte) *Tree {
	length := uint32(len(src)) //nolint:gosec // at most MaxSource
	kinds, fields := r.names(), r.names()
	masked := make([]Range, r.number(maxShown))
	for i := range masked {
		masked[i] = Range{r.number(length), r.number(length)}
		if masked[i].Start > masked[i].End && r.err == nil {
			r.err = errInvalidTree
		}
	}
	nodes := make([]node, r.number(maxNodes))
	r.read(bytesOf(nodes))
	if r.err == nil {
		r.err = link(nodes, len(src))
	}
	if r.err != nil {
		return nil
	}
	t := newTree(lang, src, nodes)
	t.kinds, t.fields, t.masked = kinds, fields, masked
	return t
}

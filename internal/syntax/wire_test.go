package syntax_test

import (
	"bytes"
	"io"
	"testing"

	"workflow-reviewer/internal/syntax"
)

// FuzzAsk has the other end of the protocol answer anything: a tree that it
// makes of it can be walked, and holds to the source.
func FuzzAsk(f *testing.F) {
	src := []byte("package p\n\nfunc f() { g(1) }\n")
	var request, answer bytes.Buffer
	if _, err := syntax.Ask(bytes.NewReader(nil), &request, syntax.Go, src); err == nil {
		f.Fatal("an answer of nothing")
	}
	if err := syntax.Serve(f.Context(), &request, &answer); err != nil {
		f.Fatal(err)
	}
	f.Add(answer.Bytes())
	for _, at := range []int{4, 8, answer.Len() / 2, answer.Len() - 24} {
		broken := bytes.Clone(answer.Bytes())
		broken[at] ^= 0x55
		f.Add(broken)
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		tree, err := syntax.Ask(bytes.NewReader(answer), io.Discard, syntax.Go, src)
		if err != nil {
			return
		}
		_ = tree.Root().String()
		for n := range tree.All() {
			if n.StartByte() > n.EndByte() || n.EndByte() > len(src) {
				t.Errorf("node %q at %d to %d", n.Kind(), n.StartByte(), n.EndByte())
			}
		}
		for _, r := range tree.Masked() {
			if r.Start > r.End || r.End > len(src) {
				t.Errorf("masked %v", r)
			}
		}
	})
}

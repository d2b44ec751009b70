package syntax_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
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
	for _, head := range []string{
		`{"Error":-1}`, `{"Error":99}`, `{"Nodes":-1}`, `{"Nodes":800001}`, `{"Nodes":1e9}`, `null`,
		`{"Nodes":1,"Masked":[{"Start":-1,"End":3}]}`, `{"Masked":[{"End":9999}]}`,
		`{"Kinds":["` + strings.Repeat("k", 200_000) + `"]}`,
	} {
		f.Add([]byte(head + "\n" + strings.Repeat("\x00", 100)))
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

// TestLongestHead: what is shown otherwise of the largest source fits into the head of an answer.
func TestLongestHead(t *testing.T) {
	const places = 2_000
	var code strings.Builder
	for i := range places {
		fmt.Fprintf(&code, "interface I%d<in T> { f(a: T): void }\n", i)
	}
	src := []byte("/*" + strings.Repeat(".", syntax.MaxSource-code.Len()-5) + "*/\n" + code.String())
	var request, answer bytes.Buffer
	if _, err := syntax.Ask(&answer, &request, syntax.TypeScript, src); err == nil {
		t.Fatal("an answer of nothing")
	}
	if err := syntax.Serve(t.Context(), &request, &answer); err != nil {
		t.Fatal(err)
	}
	tree, err := syntax.Ask(&answer, io.Discard, syntax.TypeScript, src)
	if err != nil || len(tree.Masked()) != places {
		t.Errorf("a tree of %d bytes: %v", len(src), err)
	}
}

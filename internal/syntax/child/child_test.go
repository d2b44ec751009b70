package child_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/child"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "parse":
			if len(os.Environ()) > 0 {
				fmt.Fprintln(os.Stderr, "the environment is not empty")
				os.Exit(3)
			}
			if err := child.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		case "lie":
			_, _ = io.CopyN(io.Discard, os.Stdin, 1)
			_, _ = os.Stdout.WriteString(strings.Repeat("\x00\x00\x00\x00\x7f", 1000))
			os.Exit(0)
		case "hang":
			_, _ = io.Copy(io.Discard, os.Stdin)
		}
	}
	os.Exit(m.Run())
}

func parsers(t testing.TB, mode string) context.Context {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := child.New(self, mode)
	t.Cleanup(p.Close)
	return syntax.WithParser(context.Background(), p)
}

// abort makes the scanner of the Ruby grammar, which keeps the length of a
// here-document's mark in a byte, abort its process.
var abort = []byte("x = <<" + strings.Repeat("A", 300) + "\n")

// hereDocuments is Ruby whose here-documents, none of them long and no two on a
// line, add up within one string until the scanner overruns its buffer.
func hereDocuments() string {
	mark := func(length int) string { return "#{<<" + strings.Repeat("A", length) + "}" }
	return "x = \"" + strings.Repeat(mark(98)+"\n", 9) + mark(96) + "\"\n"
}

func TestCrashCostsOneSource(t *testing.T) {
	ctx := parsers(t, "parse")
	for _, bomb := range [][]byte{abort, []byte(hereDocuments()), abort} {
		_, err := syntax.Parse(ctx, syntax.Ruby, bomb)
		if !errors.Is(err, syntax.ErrCrashed) || !strings.HasPrefix(err.Error(), "parse Ruby source: the parser crashed on the source: ") {
			t.Errorf("Parse of a bomb: %v", err)
		}
		tree, err := syntax.Parse(ctx, syntax.Ruby, []byte("x = 1\n"))
		if err != nil || tree.HasError() || tree.Root().String() != "(program (assignment left: (identifier) right: (integer)))" {
			t.Errorf("Parse after a bomb: %v, %v", tree, err)
		}
	}
}

// TestAnswers holds that a child answers as this process does, errors and what
// was masked included.
func TestAnswers(t *testing.T) {
	ctx := parsers(t, "parse")
	for lang, src := range map[syntax.Language]string{
		syntax.Python: "# c\ndef f(a):\n    return g(a)\n", syntax.Go: "package p\n\nfunc (",
		syntax.TypeScript: "interface A<in T, out U> {}\n",
		syntax.Rust:       "fn f() { str![1] }", syntax.Ruby: "", "COBOL": "x", syntax.Java: "\x00",
		syntax.CSharp: strings.Repeat("(", 2_000),
	} {
		want, wantErr := syntax.Parse(context.Background(), lang, []byte(src))
		got, err := syntax.Parse(ctx, lang, []byte(src))
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%s: error %v, want %v", lang, err, wantErr)
		}
		if err != nil || wantErr != nil {
			continue
		}
		if d := cmp.Diff(describe(want), describe(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", lang, d)
		}
	}
}

// describe is all that can be asked of a tree.
func describe(t *syntax.Tree) []string {
	out := []string{fmt.Sprint(t.Masked(), t.Size(), t.HasError())}
	t.Root().Walk(func(n syntax.Node) bool {
		out = append(out, fmt.Sprint(n.Kind(), n.FieldName(), n.IsNamed(), n.IsMissing(), n.HasError(), n.StartByte(), n.EndByte(),
			n.Parent().Kind(), n.FirstChild().Kind(), n.NextSibling().Kind()))
		return true
	})
	return out
}

func TestChildThatLies(t *testing.T) {
	if _, err := syntax.Parse(parsers(t, "lie"), syntax.Go, []byte("package p\n")); !errors.Is(err, syntax.ErrCrashed) {
		t.Errorf("Parse: %v", err)
	}
}

func TestChildThatHangsIsKilled(t *testing.T) {
	ctx, cancel := context.WithCancel(parsers(t, "hang"))
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := syntax.Parse(ctx, syntax.Go, []byte("package p\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("Parse: %v", err)
	}
}

func TestNoChild(t *testing.T) {
	p := child.New("/nowhere/parser")
	defer p.Close()
	_, err := syntax.Parse(syntax.WithParser(t.Context(), p), syntax.Go, []byte("package p\n"))
	if err == nil || errors.Is(err, syntax.ErrCrashed) {
		t.Errorf("Parse: %v", err)
	}
}

// BenchmarkChild measures what a small source costs in a child beyond what it
// costs in this process.
func BenchmarkChild(b *testing.B) {
	src := []byte("package p\n\nfunc f() int { return 1 }\n")
	for name, ctx := range map[string]context.Context{"child": parsers(b, "parse"), "here": context.Background()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := syntax.Parse(ctx, syntax.Go, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

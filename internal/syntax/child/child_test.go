package child_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

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
			os.Stdout.WriteString(strings.Repeat("\x00\x00\x00\x00\x7f", 1000))
			os.Exit(0)
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

func TestCrashCostsOneSource(t *testing.T) {
	ctx := parsers(t, "parse")
	for range 3 {
		if _, err := syntax.Parse(ctx, syntax.Ruby, abort); !errors.Is(err, syntax.ErrCrashed) {
			t.Errorf("Parse of a bomb: %v", err)
		}
		tree, err := syntax.Parse(ctx, syntax.Ruby, []byte("x = 1\n"))
		if err != nil || tree.HasError() || tree.Root().String() != "(program (assignment left: (identifier) right: (integer)))" {
			t.Errorf("Parse after a bomb: %v, %v", tree, err)
		}
	}
}

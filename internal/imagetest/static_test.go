package imagetest

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// build makes the image's program from a folder's sources.
func build(t *testing.T, dir string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "workflow-reviewer")
	if _, errs, err := run(t, dir, "scripts/build-static.sh", out, "1.2.3", "0123456789"); err != nil {
		t.Fatalf("build in %s: %v\n%s", dir, err, errs)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	stdout, errs, err := run(t, t.TempDir(), out, "version")
	if err != nil || !strings.HasPrefix(stdout, "workflow-reviewer 1.2.3 (commit 0123456789), drives codex ") {
		t.Errorf("version: %v\n%s%s", err, stdout, errs)
	}
	return data
}

// TestStaticProgram: what the image carries needs no other file to run, is the
// same from the same sources wherever they lie, leaves the image within its
// size, and parses as the program of an ordinary build does.
func TestStaticProgram(t *testing.T) {
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	program := build(t, here)

	t.Run("static", func(t *testing.T) {
		f, err := elf.NewFile(bytes.NewReader(program))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP {
				t.Error("it needs a dynamic linker")
			}
		}
		if f.Section(".symtab") != nil || f.Section(".debug_info") != nil {
			t.Error("it is not stripped")
		}
		if bytes.Contains(program, []byte(here+"/")) {
			t.Errorf("it names the folder %s", here)
		}
	})
	t.Run("reproducible", func(t *testing.T) {
		if again := build(t, otherCheckout(t)); !bytes.Equal(again, program) {
			t.Errorf("another folder gives another program: %d and %d bytes", len(program), len(again))
		}
	})
	t.Run("size", func(t *testing.T) {
		const roots = 230_000 // Mozilla's CA certificates
		own := int64(len(program)) + size(t, filepath.Join(root, "LICENSE")) + size(t, filepath.Join(root, "THIRD_PARTY_NOTICES")) + roots
		if own > 28e6 {
			t.Errorf("beside codex the image has %d bytes, more than 28 MB; our program has %d", own, len(program))
		}
	})
	t.Run("parsers", func(t *testing.T) {
		stdout, errs, err := run(t, here, "scripts/build-static.sh", "--test", "-count=1", "./internal/syntax")
		if err != nil {
			t.Errorf("with packed grammars: %v\n%s%s", err, stdout, errs)
		}
	})
}

func size(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// otherCheckout is a copy of what the image is built from in another folder.
func otherCheckout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "cmd", "internal", "schema", "scripts"} {
		from := filepath.Join(root, name)
		info, err := os.Stat(from)
		switch {
		case err != nil:
		case info.IsDir():
			err = os.CopyFS(filepath.Join(dir, name), os.DirFS(from))
		default:
			err = os.WriteFile(filepath.Join(dir, name), []byte(read(t, name)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

package odb

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// deflate compresses data as git does, at a level.
func deflate(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestInflateReadsWhatZlibWrites(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for size := 0; size < 100_000; size = size*2 + 1 {
		for _, symbols := range []int{1, 2, 16, 90, 256} {
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(rnd.IntN(symbols))
				if i > 400 && rnd.IntN(3) > 0 {
					data[i] = data[i-1-rnd.IntN(400)]
				}
			}
			for _, level := range []int{flate.HuffmanOnly, 0, 1, 6, 9} {
				packed := append(deflate(t, data, level), "what follows in the pack"...)
				got, err := inflateAll(packed, int64(size))
				if err != nil || !bytes.Equal(got, data) {
					t.Fatalf("%d bytes of %d symbols at level %d: %v", size, symbols, level, err)
				}
				start, ended, err := inflate(packed, int64(size)/2)
				if err != nil || ended != (size == 0) || !bytes.Equal(start, data[:size/2]) {
					t.Fatalf("the first half of %d bytes: ended %v, %v", size, ended, err)
				}
				for _, wrong := range []int64{int64(size) + 1, int64(size) - 1} {
					if _, err := inflateAll(packed, max(wrong, 0)); size > 0 && !errors.Is(err, ErrCorrupt) {
						t.Fatalf("%d bytes are taken for %d: %v", size, wrong, err)
					}
				}
			}
		}
	}
}

// FuzzInflate compares broken streams with the standard library, which also tells the checksum.
func FuzzInflate(f *testing.F) {
	for level := flate.HuffmanOnly; level <= flate.BestCompression; level += 3 {
		f.Add(deflate(f, []byte("tree 1\nparent 2\nparent 3\nparent 4\nauthor A\n"), level), 50)
	}
	f.Add(deflate(f, bytes.Repeat([]byte("abc"), 1000), flate.DefaultCompression), 2000)
	f.Add([]byte("x\x9c\x03\x00"), 1)
	f.Fuzz(func(t *testing.T, packed []byte, limit int) {
		limit = min(max(limit, 0), 1<<16)
		got, ended, err := inflate(packed, int64(limit))
		if len(got) > limit {
			t.Fatalf("%d bytes, with a limit of %d", len(got), limit)
		}
		if len(packed) < 2 {
			return
		}
		const most = 1 << 20
		plain := io.LimitReader(flate.NewReader(bytes.NewReader(packed[2:])), most)
		want, wantErr := io.ReadAll(plain)
		if wantErr != nil || len(want) == most {
			return // our reader forgives codes that are not complete; ids are compared
		}
		if _, headErr := zlib.NewReader(bytes.NewReader(packed)); headErr != nil {
			return
		}
		if err != nil || ended != (len(want) <= limit) || !bytes.Equal(got, want[:min(limit, len(want))]) {
			t.Errorf("%d bytes, ended %v, %v; want %d", len(got), ended, err, len(want))
		}
	})
}

// BenchmarkInflate reads what history consists of: commits.
func BenchmarkInflate(b *testing.B) {
	text := fmt.Sprintf("tree %040x\nparent %040x\nauthor Ann <ann@example.com> 1700000000 +0000\n"+
		"committer Ann <ann@example.com> 1700000000 +0000\n\nFix the thing that was broken\n", 0x12345678, 0x9abcdef)
	packed := deflate(b, []byte(text), flate.DefaultCompression)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := inflateAll(packed, int64(len(text))); err != nil {
			b.Fatal(err)
		}
	}
}

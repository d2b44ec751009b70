package odb

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// repo is a repository that the real git makes.
type repo struct {
	t   testing.TB
	dir string
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	r := &repo{t, t.TempDir()}
	r.git("", "init", "-q", "-b", "main", ".")
	return r
}

func (r *repo) git(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@e"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) objects() string { return filepath.Join(r.dir, ".git", "objects") }

func (r *repo) open() *DB {
	r.t.Helper()
	d := New()
	if err := d.Add(r.objects()); err != nil {
		r.t.Fatal(err)
	}
	return d
}

// versions commits a file that grows, so that packs hold chains of deltas.
func (r *repo) versions(n int) {
	r.t.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "line %d %x\n", i, i*i*7919)
		if err := os.WriteFile(filepath.Join(r.dir, "f"), []byte(text.String()), 0o600); err != nil {
			r.t.Fatal(err)
		}
		r.git("", "add", "f")
		r.git("", "commit", "-q", "-m", fmt.Sprint("version ", i))
	}
	r.git("", "tag", "-f", "-a", "-m", "v1", "v1")
}

// TestEveryObjectIsReadAsGitReadsIt compares all objects, loose and packed.
func TestEveryObjectIsReadAsGitReadsIt(t *testing.T) {
	for name, pack := range map[string][]string{
		"loose":            nil,
		"packed":           {"repack", "-adq", "--depth=50"},
		"deltas by id":     {"-c", "repack.useDeltaBaseOffset=false", "repack", "-adqf", "--depth=50"},
		"long offsets":     {"-c", "pack.indexVersion=2", "repack", "-adq"},
		"loose and packed": {"repack", "-q"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.versions(30)
			if pack != nil {
				r.git("", pack...)
			}
			r.git("late\n", "hash-object", "-w", "--stdin")
			r.git(strings.Repeat("not compressed\n", 10_000), "-c", "core.looseCompression=0", "hash-object", "-w", "--stdin")
			noise := make([]byte, 300_000) // as an image
			if _, err := rand.NewChaCha8([32]byte{}).Read(noise); err != nil {
				t.Fatal(err)
			}
			r.git(string(noise), "hash-object", "-w", "--stdin")
			d := r.open()
			for _, line := range strings.Split(r.git("", "cat-file", "--batch-all-objects", "--batch-check"), "\n") {
				var id, kind string
				var size int64
				if _, err := fmt.Sscan(line, &id, &kind, &size); err != nil {
					t.Fatal(err)
				}
				hash := plumbing.NewHash(id)
				k, n, err := d.Header(hash)
				if err != nil || k.String() != kind || n != size {
					t.Errorf("header of %s is %s %d, %v", line, k, n, err)
				}
				k, data, err := d.Read(hash, 1<<20)
				if err != nil || k.String() != kind || int64(len(data)) != size {
					t.Errorf("%s is read as %s of %d bytes, %v", line, k, len(data), err)
				}
				if _, _, err := d.Read(hash, size-1); size > 0 && !errors.Is(err, ErrTooLarge) {
					t.Errorf("%s is read beyond the limit: %v", line, err)
				}
			}
		})
	}
}

func TestMissingObjects(t *testing.T) {
	d := newRepo(t).open()
	id := plumbing.NewHash(strings.Repeat("12", 20))
	if _, _, err := d.Read(id, 10); !errors.Is(err, ErrNotFound) {
		t.Errorf("Read: %v", err)
	}
	if _, _, err := d.Header(id); !errors.Is(err, ErrNotFound) {
		t.Errorf("Header: %v", err)
	}
	if d.Has(id) {
		t.Error("Has finds it")
	}
}

func TestPacksThatAppearLater(t *testing.T) {
	r := newRepo(t)
	r.versions(2)
	d := r.open()
	head := plumbing.NewHash(r.git("", "rev-parse", "HEAD"))
	if !d.Has(head) {
		t.Fatal("the loose commit is not found")
	}
	r.versions(3)
	r.git("", "repack", "-adq")
	if _, _, err := d.Read(plumbing.NewHash(r.git("", "rev-parse", "HEAD")), 1<<20); err != nil {
		t.Error(err)
	}
	if _, _, err := d.Read(head, 1<<20); err != nil {
		t.Errorf("a commit that was packed meanwhile: %v", err)
	}
}

func TestAlternates(t *testing.T) {
	lender, reader := newRepo(t), newRepo(t)
	lender.versions(1)
	head := plumbing.NewHash(lender.git("", "rev-parse", "HEAD"))
	// A ring, a comment, a folder that is gone, and a quoted relative path.
	relative, err := filepath.Rel(reader.objects(), lender.objects())
	if err != nil {
		t.Fatal(err)
	}
	text := "# lent\n/gone/objects\n\"" + relative + "\"\n" + reader.objects() + "\n"
	if err := os.WriteFile(filepath.Join(reader.objects(), "info", "alternates"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(lender.objects(), "info", "alternates"), []byte(reader.objects()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := reader.open()
	if !d.Has(head) || len(d.Folders()) != 2 {
		t.Errorf("folders %v, commit found: %v", d.Folders(), d.Has(head))
	}
}

func TestPartialClones(t *testing.T) {
	r := newRepo(t)
	r.versions(2)
	r.git("", "repack", "-adq")
	if r.open().Partial() {
		t.Error("an ordinary repository counts as partial")
	}
	packs, err := filepath.Glob(filepath.Join(r.objects(), "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	if err := os.WriteFile(strings.TrimSuffix(packs[0], ".pack")+".promisor", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !r.open().Partial() {
		t.Error("a promisor pack is overlooked")
	}
}

// TestDamage flips every byte of a small pack and index, one at a time: reading
// may fail, but must neither panic nor give other content.
func TestDamage(t *testing.T) {
	r := newRepo(t)
	r.versions(4)
	r.git("", "repack", "-adqf")
	want := map[plumbing.Hash][]byte{}
	whole := r.open()
	for _, line := range strings.Fields(r.git("", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")) {
		_, data, err := whole.Read(plumbing.NewHash(line), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		want[plumbing.NewHash(line)] = data
	}
	for _, pattern := range []string{"*.pack", "*.idx"} {
		files, err := filepath.Glob(filepath.Join(r.objects(), "pack", pattern))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		good, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(files[0], 0o600); err != nil {
			t.Fatal(err)
		}
		failures := 0
		for i := 0; i < len(good); i += 1 + len(good)/120 {
			bad := bytes.Clone(good)
			bad[i] ^= 0xff
			if i%3 == 0 {
				bad = bad[:i]
			}
			if err := os.WriteFile(files[0], bad, 0o600); err != nil {
				t.Fatal(err)
			}
			d := r.open()
			for id, content := range want {
				_, data, err := d.Read(id, 1<<20)
				if err == nil && !bytes.Equal(data, content) {
					t.Fatalf("byte %d of %s: other content for %s", i, pattern, id)
				}
				if err != nil {
					failures++
				}
				_, _, _ = d.Header(id)
			}
		}
		if failures == 0 {
			t.Errorf("no damage to %s was noticed", pattern)
		}
		if err := os.WriteFile(files[0], good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWrite(t *testing.T) {
	r := newRepo(t)
	var made []string
	for range 2 { // the second time it is there
		id, err := Write(r.objects(), plumbing.BlobObject, []byte("hello\n"), func(p string) error {
			made = append(made, p)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.git("", "cat-file", "-p", id.String()); got != "hello" {
			t.Errorf("git reads %q", got)
		}
	}
	if len(made) != 2 {
		t.Errorf("made %q, want a folder and a file, once", made)
	}
	if _, err := Write(filepath.Join(r.dir, "gone"), plumbing.BlobObject, nil, func(string) error { return nil }); err == nil {
		t.Error("wrote into a folder that does not exist")
	}
}

func TestParallelReads(t *testing.T) {
	r := newRepo(t)
	r.versions(10)
	r.git("", "repack", "-adq")
	d := r.open()
	ids := strings.Fields(r.git("", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, id := range ids {
				if _, _, err := d.Read(plumbing.NewHash(id), 1<<20); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestCacheForgets(t *testing.T) {
	c := NewCache[int, string](100)
	c.Put(0, "heavy", 51)
	for i := range 30 {
		c.Put(i+1, "x", 10)
	}
	if _, ok := c.Get(0); ok {
		t.Error("a value heavier than half the cache is kept")
	}
	if _, ok := c.Get(30); !ok {
		t.Error("the newest value is gone")
	}
	if _, ok := c.Get(1); ok {
		t.Error("the oldest value is kept")
	}
}

func FuzzApplyDelta(f *testing.F) {
	f.Add([]byte("base text"), []byte("\x09\x05\x90\x04\x01!"))
	f.Add([]byte("b"), []byte("\x01\x80\x80\x04\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		out, err := applyDelta(base, delta, 1<<16)
		if err == nil && len(out) > 1<<16 {
			t.Errorf("%d bytes", len(out))
		}
	})
}

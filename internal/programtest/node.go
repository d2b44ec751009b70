package programtest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

var installed sync.Mutex

// NodeModules are the runners of JavaScript that internal/prove/testdata/node pins, installed once
// into the cache. A test fails where there is no npm.
func NodeModules(t *testing.T) string {
	t.Helper()
	installed.Lock()
	defer installed.Unlock()
	root, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	root = []byte(filepath.Dir(string(root)))
	from := filepath.Join(string(root), "internal/prove/testdata/node")
	dir := filepath.Join(string(root), ".cache/prove-node")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	one, err := os.OpenFile(
		filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600,
	) // tests of other packages wait
	if err == nil {
		defer one.Close() //nolint:errcheck // nothing is written
		err = unix.Flock(int(one.Fd()), unix.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(filepath.Join(dir, "installed.json")); err == nil &&
		bytes.Equal(have, lock) {
		return filepath.Join(dir, "node_modules")
	}
	pkg, err := os.ReadFile(filepath.Join(from, "package.json"))
	err = errors.Join(err, os.WriteFile(filepath.Join(dir, "package.json"), pkg, 0o644),
		os.WriteFile(filepath.Join(dir, "package-lock.json"), lock, 0o644))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm ci (the Debian package npm, which .ci/run installs): %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "installed.json"), lock, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "node_modules")
}

package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestReportFolderIsTheRunners: the report's folder belongs to the owner of the runner's temp folder with all that is
// in it, whoever the program runs as: a self-hosted runner has to delete it.
func TestReportFolderIsTheRunners(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
	cmd, out := w.command(w.pull("opened"))
	if os.Geteuid() == 0 {
		if err := os.Chown(out.temp, 1001, 127); err != nil {
			t.Fatal(err)
		}
	}
	o := w.wait(cmd, out, cmd.Run())
	o.ends(1, "NEEDS-CHANGES")
	want, seen := ownerOf(t, o.temp), 0
	err := filepath.WalkDir(o.outputs["report-dir"], func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		seen++
		if got := ownerOf(t, path); got != want {
			t.Errorf("%s belongs to %d, not to %d", path, got, want)
		}
		return nil
	})
	if err != nil || seen < 5 {
		t.Errorf("%d files, %v", seen, err)
	}
}

func ownerOf(t *testing.T, path string) uint32 {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatalf("%s: no owner", path)
	}
	return stat.Uid
}

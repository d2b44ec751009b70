package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/gitrepo"
)

// Folder is where a run keeps its report: the path it writes to, and the path
// by which later steps of the job reach the same place.
type Folder struct {
	Here  string
	There string
}

// NewFolder makes the folder for the report.
func NewFolder(env Env) (Folder, error) {
	parent, outside := ReportParent(env)
	dir, err := os.MkdirTemp(parent, "workflow-reviewer-")
	if err != nil {
		return Folder{}, fmt.Errorf(
			"make the report folder: %w; the runner's temp folder must be writable", err,
		)
	}
	// Later steps run as another user and read it.
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // see above
		return Folder{}, fmt.Errorf("make the report folder readable: %w", err)
	}
	f := Folder{Here: dir, There: dir}
	f.HandOver()
	if outside != "" {
		f.There = filepath.Join(outside, filepath.Base(dir))
	}
	return f, nil
}

// Replace writes a file whole or not at all, readable by everybody. What stands in its place goes:
// a link is not written through, and a pipe is not waited for.
func Replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// HandOver gives the folder to the owner of the runner's temp folder, who cleans that up: the user
// of a self-hosted runner could not delete what a container's root left there.
func (f Folder) HandOver() {
	adopt := gitrepo.Adopt(filepath.Dir(f.Here))
	_ = filepath.WalkDir(f.Here, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return adopt(path)
	}) // what cannot be given away stays as readable as it is
}

// ReportParent is the folder to make it in, and the host's path of that, "" if it is the same. The
// runner mounts its temp folder into a container action as /github/runner_temp and lets RUNNER_TEMP
// name that; on the host it lies beside RUNNER_WORKSPACE. An older runner leaves RUNNER_TEMP at a
// path of the host that is not mounted; what is mounted of it is the folder with the event file,
// _github_workflow (actions/runner, ContainerActionHandler).
func ReportParent(env Env) (parent, outside string) {
	temp, workspace := env.Get("RUNNER_TEMP"), env.Get("RUNNER_WORKSPACE")
	switch {
	case temp == "/github/runner_temp" && workspace != "" && isDir(temp):
		return temp, filepath.Join(filepath.Dir(workspace), "_temp")
	case temp != "" && !isDir(temp):
		if dir := filepath.Dir(env.Get("GITHUB_EVENT_PATH")); dir == "/github/workflow" &&
			isDir(dir) {
			return dir, filepath.Join(temp, "_github_workflow")
		}
	}
	return env.Temp(), ""
}

// Inside is the path by which this process reaches what an expression of the
// workflow names by the host's path: in the runner's temp folder or the workspace.
func (e Env) Inside(p string) string {
	if _, err := os.Lstat(p); err == nil {
		return p
	}
	temp, outside := ReportParent(e)
	for host, here := range map[string]string{
		outside: temp, e.HostWorkspace(): e.Get("GITHUB_WORKSPACE"),
	} {
		if rest, ok := strings.CutPrefix(p, host+"/"); ok && host != "" && here != "" {
			return filepath.Join(here, rest)
		}
	}
	return p
}

// HostWorkspace is the workspace's path on the runner's host, of no use outside GitHub Actions.
func (e Env) HostWorkspace() string {
	return filepath.Join(e.Get("RUNNER_WORKSPACE"), filepath.Base(e.Get("GITHUB_REPOSITORY")))
}

// isDir reports whether a path is a folder, or a link to one.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// OpenEvents has the stream written into the report's folder. closing is to be called at the end of
// the run. Without the file the run goes on: nothing depends on it.
func (f Folder) OpenEvents(s *events.Stream) (closing func()) {
	const flags = os.O_CREATE | os.O_APPEND | os.O_WRONLY
	path := filepath.Join(f.Here, events.File)
	file, err := os.OpenFile(path, flags, 0o644) //nolint:gosec // later steps of the job read it
	if err != nil {
		return func() {}
	}
	s.Attach(&wholeLines{File: file})
	return func() { _ = file.Close() }
}

// wholeLines is a file in which no line is left in part.
type wholeLines struct {
	*os.File
	size int64
}

// Write writes all of p or nothing: what was written of a failed write is cut off again.
func (f *wholeLines) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if err != nil {
		return 0, errors.Join(err, f.Truncate(f.size))
	}
	f.size += int64(n)
	return n, nil
}

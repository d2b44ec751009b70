package action

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/gitrepo"
)

// folder is where a run keeps its report: the path it writes to, and the path
// by which later steps of the job reach the same place.
type folder struct {
	here  string
	there string
}

// reportFolder makes the folder for the report.
func reportFolder(env Env) (folder, error) {
	parent, outside := reportParent(env)
	dir, err := os.MkdirTemp(parent, "workflow-reviewer-")
	if err != nil {
		return folder{}, fmt.Errorf("make the report folder: %w; the runner's temp folder must be writable", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // later steps run as another user and read it
		return folder{}, fmt.Errorf("make the report folder readable: %w", err)
	}
	f := folder{here: dir, there: dir}
	f.handOver()
	if outside != "" {
		f.there = filepath.Join(outside, filepath.Base(dir))
	}
	return f, nil
}

// handOver gives the folder to the owner of the runner's temp folder, who cleans that up: the user of a self-hosted
// runner could not delete what a container's root left there.
func (f folder) handOver() {
	adopt := gitrepo.Adopt(filepath.Dir(f.here))
	_ = filepath.WalkDir(f.here, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return adopt(path)
	}) // what cannot be given away stays as readable as it is
}

// reportParent is the folder to make it in, and the host's path of that, "" if it is the same. The runner mounts its
// temp folder into a container action as /github/runner_temp and lets RUNNER_TEMP name that; on the host it lies beside
// RUNNER_WORKSPACE. An older runner leaves RUNNER_TEMP at a path of the host that is not mounted; what is mounted of it
// is the folder with the event file, _github_workflow (actions/runner, ContainerActionHandler).
func reportParent(env Env) (parent, outside string) {
	temp, workspace := env.get("RUNNER_TEMP"), env.get("RUNNER_WORKSPACE")
	switch {
	case temp == "/github/runner_temp" && workspace != "" && isDir(temp):
		return temp, filepath.Join(filepath.Dir(workspace), "_temp")
	case temp != "" && !isDir(temp):
		if dir := filepath.Dir(env.get("GITHUB_EVENT_PATH")); dir == "/github/workflow" && isDir(dir) {
			return dir, filepath.Join(temp, "_github_workflow")
		}
	}
	return env.temp(), ""
}

// inside is the path by which this process reaches what an expression of the
// workflow names by the host's path: in the runner's temp folder or the workspace.
func (e Env) inside(p string) string {
	if _, err := os.Lstat(p); err == nil {
		return p
	}
	temp, outside := reportParent(e)
	for host, here := range map[string]string{outside: temp, e.hostWorkspace(): e.get("GITHUB_WORKSPACE")} {
		if rest, ok := strings.CutPrefix(p, host+"/"); ok && host != "" && here != "" {
			return filepath.Join(here, rest)
		}
	}
	return p
}

// hostWorkspace is the workspace's path on the runner's host, of no use outside GitHub Actions.
func (e Env) hostWorkspace() string {
	return filepath.Join(e.get("RUNNER_WORKSPACE"), filepath.Base(e.get("GITHUB_REPOSITORY")))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

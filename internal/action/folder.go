package action

import (
	"fmt"
	"os"
	"path/filepath"
)

// folder is where a run keeps its report: the path it writes to, and the path
// by which later steps of the job reach the same place.
type folder struct {
	here  string
	there string
}

// reportFolder makes the folder for the report. Inside a container action
// RUNNER_TEMP names a path of the host that is not mounted; what is mounted of
// it is the folder with the event file, $RUNNER_TEMP/_github_workflow on the
// host (actions/runner, ContainerActionHandler).
func reportFolder(env Env) (folder, error) {
	parent, outside := env.temp(), ""
	if host := env.get("RUNNER_TEMP"); host != "" && !isDir(host) {
		if dir := filepath.Dir(env.get("GITHUB_EVENT_PATH")); dir == "/github/workflow" && isDir(dir) {
			parent, outside = dir, filepath.Join(host, "_github_workflow")
		}
	}
	dir, err := os.MkdirTemp(parent, "workflow-reviewer-")
	if err != nil {
		return folder{}, fmt.Errorf("make the report folder: %w; the runner's temp folder must be writable", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // later steps run as another user and read it
		return folder{}, fmt.Errorf("make the report folder readable: %w", err)
	}
	f := folder{here: dir, there: dir}
	if outside != "" {
		f.there = filepath.Join(outside, filepath.Base(dir))
	}
	return f, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

package ghaction

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/review"
)

// collect reads what the shards of a plan wrote.
func (r *run) collect(plan *pipeline.Plan) map[string]review.Exchange {
	p := plan.Shards(r.main.req)
	if len(p.Shards) == 0 {
		return map[string]review.Exchange{}
	}
	root, why := openResults(r.Env, r.main.req.Config.Results)
	if root != nil {
		defer root.Close() //nolint:errcheck // read only
	}
	given, notices := p.Collect(root, why, r.Env.Now())
	plan.Notices = append(plan.Notices, notices...)
	return given
}

// openResults opens the folder with the results, or says why there is none. A relative path is one
// below the workspace, and leads nowhere else.
func openResults(env process.Env, dir string) (*os.Root, string) {
	if dir == "" {
		return nil, `the input "results" is empty`
	}
	parent, name := env.Get("GITHUB_WORKSPACE"), filepath.Clean(dir)
	if filepath.IsAbs(name) {
		parent, name = filepath.Split(env.Inside(name))
	}
	root, err := openFolder(parent, name)
	if err == nil {
		return root, ""
	}
	return nil, fmt.Sprintf("the folder %q of the input \"results\" cannot be opened: %v", dir, err)
}

// openFolder opens a folder below another one, and no link to one.
func openFolder(parent, name string) (*os.Root, error) {
	above, err := os.OpenRoot(parent)
	if err != nil {
		return nil, err
	}
	defer above.Close() //nolint:errcheck // read only
	info, err := above.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, errors.New("it is no folder")
	}
	return above.OpenRoot(name)
}

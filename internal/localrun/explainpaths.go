package localrun

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/pipeline"
)

// explainPaths prints what paths are taken for, and why.
func explainPaths(ctx context.Context, j *local) error {
	w := j.Env.Stdout
	set, err := pipeline.Compare(ctx, j.req)
	if err != nil {
		return err
	}
	found, err := detect.Explain(ctx, set, j.req.DetectOptions(), j.opt.explain)
	if err != nil {
		return err
	}
	if j.opt.JSON {
		return json.NewEncoder(w).Encode(found)
	}
	for _, e := range found {
		fmt.Fprintln(w, e.Path)
		for _, line := range []struct{ name, value string }{
			{"layout", e.Layout},
			{"type", string(e.Type)},
			{"feature", e.Feature},
			{"state", string(e.State)},
			{"why", strings.Join(e.Why, "; ")},
		} {
			value := cmp.Or(line.value, "none")
			fmt.Fprintf(w, "  %-8s %s\n", line.name, value)
		}
	}
	return nil
}

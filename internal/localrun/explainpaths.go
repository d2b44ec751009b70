package localrun

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
)

// explainPaths prints what paths are taken for, and why.
func explainPaths(ctx context.Context, w io.Writer, j local, opt Options) error {
	base, head := j.req.Event.Base.SHA, j.req.Event.Head.SHA
	set, err := j.src.Repo.Set(ctx, base, head)
	if err != nil {
		return fmt.Errorf("compare %s with %s: %w", change.Short(base), change.Short(head), err)
	}
	found, err := detect.Explain(ctx, set, j.req.DetectOptions(), opt.explain)
	if err != nil {
		return err
	}
	if opt.JSON {
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

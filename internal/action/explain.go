package action

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"workflow-reviewer/internal/detect"
)

// explainLocal prints what paths are taken for, and why.
func (s *session) explainLocal(ctx context.Context, w io.Writer, paths []string, asJSON bool) error {
	set, err := s.repo.Set(ctx, s.event.Base.SHA, s.event.Head.SHA)
	if err != nil {
		return fmt.Errorf("compare %s with %s: %w", short(s.event.Base.SHA), short(s.event.Head.SHA), err)
	}
	found, err := detect.Explain(ctx, set, s.detectOptions(), paths)
	if err != nil {
		return err
	}
	if asJSON {
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
